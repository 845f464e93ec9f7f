// What is said of a cell, a cluster or a split, and where it appears.

import { $, clamp, element, percent, short, shown } from "./dom.js";
import { isRows } from "./geometry.js";

/** Say what is known of a unit of a side: its name, its cluster, and its tracks. */
function describeUnit(side, unit, tracks) {
  const members = side.membersOfUnit(unit), single = members.length === 1;
  const names = Array.from(members.slice(0, 3), (i) => short(side.name(i), 40)).join(", ");
  const rest = members.length > 3 ? `, … (${members.length})` : "";
  const kind = side.names || !single ? `${single ? side.thing : side.things} ` : "";
  const cluster = side.clustered ? `: ${side.title(side.labelOfUnit(unit)).replace("Cluster", "cluster")}` : "";
  const more = tracks.map((track) => track.text(unit)).filter((text) => text !== null);
  return [`${kind}${names}${rest}${cluster}`, more.join(", ")].filter((line) => line);
}

/** Say how an entry compares with what is expected of it. */
export function lift(ratio) {
  return Number.isFinite(ratio) ? `${shown(ratio, 2)}×` : "–";
}

/** Say what is known of the cell where units meet; of a unit alone, if the other one is null. */
export function describeCell(app, [row, column]) {
  const describe = (unit, i) => describeUnit(app.sides[i], unit, app.figure.tracks[i]);
  const lines = [row, column].flatMap((unit, i) => (unit === null ? [] : describe(unit, i)));
  if (row === null || column === null || !app.blocks) return lines;
  const { blocks } = app, [rows, columns] = app.sides, value = blocks.value(row, column);
  const single = rows.sizeOfUnit(row) * columns.sizeOfUnit(column) === 1;
  const [i, j] = [rows.labelOfUnit(row), columns.labelOfUnit(column)];
  const prepared = blocks.originals ? `, prepared ${shown(value)}` : "";
  const entry = single ? "value" : "mean of entries";
  lines.push(Number.isNaN(value) ? "missing" : `${entry} ${shown(blocks.original(row, column))}${prepared}`);
  const relative = blocks.relative ? `, ${lift(blocks.lift(i, j))} expected` : "";
  lines.push(`block mean ${shown(blocks.mean(i, j))}${relative}`);
  return lines;
}

/** Say what is known of a node of a tree: of a cluster its words, of a split what drives it. */
export function describeNode(tree, node, other) {
  const { side } = tree, label = side.stop.ids.indexOf(String(node));
  const cluster = label < 0 ? [] : describeCluster(side, label, other);
  if (node >= tree.nLeaves) return [...cluster, ...describeSplit(tree, node, other)];
  return cluster.length ? cluster : [side.count(side.tree.sizes[node])];
}

/** Say what tells the two parts of a split apart, and how real it is. */
function describeSplit(tree, node, other) {
  const { side } = tree, split = side.tree.splits[node - tree.nLeaves];
  const [first, second] = tree.parts(node), ends = isRows(side) ? ["above", "below"] : ["left", "right"];
  const words = split.words.map((list) => list.map((j) => short(other.name(j), 30)).join(", "));
  return [
    `${side.count(side.tree.sizes[node])} divide into ${side.tree.sizes[first]} and ${side.tree.sizes[second]}`,
    ...words.map((text, i) => (text ? `${ends[i]}: more ${text}` : "")).filter((line) => line),
    `explains ${percent(split.gain)} of all differences; ${split.quality}`,
  ];
}

/** Return the sentence about a cluster as lists of words: what is high, and what is low. */
export function describeCluster(side, label, other) {
  const { high, low } = side.contrasts(label);
  const words = (list) => list.slice(0, 4).map(([j]) => short(other.name(j), 30)).join(", ");
  const parts = [high.length ? `high ${words(high)}` : "", low.length ? `low ${words(low)}` : ""];
  const said = parts.filter((part) => part).join("; ");
  return [`${side.title(label)}, ${side.count(side.sizes[label])}${said ? `: ${said}` : ""}`];
}

/** Show lines of text at a point of the window; hide them if there are none. */
export function showTip(lines, x, y) {
  const tip = $("tip");
  tip.hidden = !lines || !lines.length;
  if (tip.hidden) return;
  tip.replaceChildren(...lines.map((line) => element("div", line)));
  const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
  tip.style.left = `${clamp(x + 14, 4, Math.max(4, room))}px`;
  const below = y + 20 + tip.offsetHeight < window.innerHeight;
  tip.style.top = `${below ? y + 18 : Math.max(4, y - tip.offsetHeight - 12)}px`;
}
