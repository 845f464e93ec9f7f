// Names beside the matrix: of rows and columns where there is room, otherwise of their clusters.

import { clipped, fitted, svg, widthOf } from "./dom.js";
import { isRows } from "./geometry.js";

/** Cells of this size, in pixels, have a name. */
export const LEGIBLE = 11;

/** The height of a line of text, and the width that slanted lines need. */
const LINE = 13, SLANTED = 19;

/** Move labels apart: return positions near the wanted ones, at least a size apart, within limits. */
export function spread(wanted, size, low, high) {
  const places = [];
  wanted.forEach((at, i) => places.push(Math.max(at, i ? places[i - 1] + size : low + size / 2)));
  for (let i = places.length - 1, most = high - size / 2; i >= 0; i--) {
    places[i] = Math.min(places[i], most);
    most = places[i] - size;
  }
  return places;
}

/** Collect what is written beside a side: names of large cells, and captions of clusters. */
export function captions(side, other, axis, marked) {
  const found = [], crowded = [];
  side.labelAt.forEach((label, i) => {
    const [from, to] = [side.edges[i], side.edges[i + 1]], seen = axis.visible(from, to);
    if (!seen) return;
    const cell = (axis.at(to) - axis.at(from)) / (to - from);
    if (cell < LEGIBLE) {
      if (side.clustered) crowded.push({ at: (seen[0] + seen[1]) / 2, room: seen[1] - seen[0], label });
      return;
    }
    const first = Math.max(from, Math.floor(axis.under(seen[0]))), last = Math.min(to, Math.ceil(axis.under(seen[1])));
    for (let unit = first; unit < last; unit++) {
      const at = axis.at(unit + 0.5);
      const name = { at, text: nameOfUnit(side, unit), marked: unit === marked, cell };
      if (at >= axis.start && at <= axis.end) found.push(name);
    }
  });
  const most = Math.max(1, Math.floor(axis.length / (isRows(side) ? LINE : SLANTED)));
  const kept = crowded.sort((a, b) => b.room - a.room).slice(0, most).map(({ at, label }) => ({
    at, label, words: [2, 1].map((n) => `${label} · ${side.caption(label, other, n)}`),
  }));
  return { names: found, clusters: kept.sort((a, b) => a.at - b.at) };
}

/** Return the longest caption that fits into some pixels. */
function caption(words, room) {
  return words.find((text) => widthOf(text) <= room) || clipped(words[words.length - 1], room);
}

/** Return the name of a unit: of its only member, or of the first of several. */
export function nameOfUnit(side, unit) {
  const members = side.membersOfUnit(unit), name = side.name(members[0]);
  return members.length === 1 ? name : `${name} + ${members.length - 1}`;
}

/** Write the captions of rows, right of the matrix. */
export function drawRowLabels(parent, side, other, axis, edge, room, marked) {
  const { names, clusters } = captions(side, other, axis, marked);
  for (const { at, text, marked: found } of names) {
    svg("text", parent, { x: edge + 6, y: at + 4, class: found ? "name found" : "name" }, fitted(text, room - 10));
  }
  const places = spread(clusters.map(({ at }) => at), LINE, axis.start, axis.end);
  clusters.forEach(({ at, label, words }, i) => {
    const y = places[i], text = caption(words, room - 22);
    svg("path", parent, { d: `M${edge + 2},${at}h4L${edge + 12},${y}h3`, class: "leader" });
    svg("text", parent, { x: edge + 18, y: y + 4, ...leading(side, label) }, text);
  });
}

/** Write the captions of columns, below the matrix: level, slanted or upright, as there is room. */
export function drawColumnLabels(parent, side, other, axis, edge, room, marked) {
  const { names, clusters } = captions(side, other, axis, marked);
  const cell = Math.min(...names.map((name) => name.cell), Infinity);
  const level = names.every(({ text }) => widthOf(text) < cell - 4);
  const slant = level ? 0 : cell >= 18 ? -45 : -90;
  for (const { at, text, marked: found } of names) {
    write(parent, at, edge + 6, slant, room, text, { class: found ? "name found" : "name" });
  }
  const places = spread(clusters.map(({ at }) => at), SLANTED, axis.start, axis.end);
  clusters.forEach(({ at, label, words }, i) => {
    const x = places[i], text = caption(words, (room - 30) / Math.SQRT1_2);
    svg("path", parent, { d: `M${at},${edge + 2}v3L${x},${edge + 11}v2`, class: "leader" });
    write(parent, x, edge + 15, -45, room - 10, text, leading(side, label));
  });
}

/** Return the attributes of a caption that leads to its cluster. */
function leading(side, label) {
  return { class: "caption", "data-side": side.what, "data-label": label };
}

/** Write a text that ends, or is centred, at a point below the matrix. */
function write(parent, x, y, slant, room, text, attributes) {
  if (!slant) {
    svg("text", parent, { x, y: y + 9, "text-anchor": "middle", ...attributes }, text);
    return;
  }
  const steep = slant === -90, reach = steep ? room - 10 : Math.min(room - 22, x - 12) / Math.SQRT1_2;
  const transform = `translate(${steep ? `${x + 4} ${y}` : `${x + 3} ${y + 5}`}) rotate(${slant})`;
  svg("text", parent, { transform, "text-anchor": "end", ...attributes }, fitted(text, reach));
}

/** Write the number of each cluster on its bar. */
export function drawNumbers(parent, side, axis, [near, far], ink) {
  side.labelAt.forEach((label, i) => {
    const seen = axis.visible(side.edges[i], side.edges[i + 1]);
    const text = String(label), middle = (near + far) / 2;
    if (!seen || seen[1] - seen[0] < (isRows(side) ? 11 : 4 + 7 * text.length)) return;
    const along = (seen[0] + seen[1]) / 2, [x, y] = isRows(side) ? [middle, along] : [along, middle];
    const style = { "text-anchor": "middle", class: "number-on-bar", fill: ink(side.colour(label)) };
    svg("text", parent, { x, y: y + 4, ...style }, text);
  });
}
