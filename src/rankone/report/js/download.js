// What can be taken away: labels as a table, and the figure as it is seen.

import { $, element, svg } from "./dom.js";

/** Resolution of pictures, in pixels per pixel of the page. */
const SHARP = 2;

/** What an exported drawing needs of the style sheet. */
const STYLES = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight", "font-family", "opacity", "display",
];

/** Offer some content as a file. */
function save(content, type, name) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  element("a", null, null, { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Format a CSV cell so that no spreadsheet evaluates it as a formula. */
function csvCell(value) {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Download the labels of a side, with the names of clusters, scores and confidence. */
export function saveLabels(side) {
  const sure = side.confidence, lines = [["name", "label", "cluster"]];
  if (side.scores) lines[0].push(side.levels ? "value" : "score");
  if (sure) lines[0].push("confidence");
  for (let i = 0; i < side.size; i++) {
    const label = side.labelOf(i), line = [side.name(i), label, side.nickname(label)];
    if (side.scores) line.push(Number(side.scores[i].toPrecision(7)));
    if (sure) line.push(sure[i] / 1000);
    lines.push(line);
  }
  save(`${lines.map((line) => line.map(csvCell).join(",")).join("\n")}\n`, "text/csv", `${side.what}.csv`);
}

/** Return the figure as it is seen, as a drawing that needs nothing else. */
function drawing({ canvas, overlay }) {
  const copy = overlay.cloneNode(true), width = overlay.clientWidth, height = overlay.clientHeight;
  const originals = overlay.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of STYLES) node.setAttribute(name, style.getPropertyValue(name));
    for (const name of [...node.getAttributeNames()]) if (name.startsWith("data-")) node.removeAttribute(name);
  });
  copy.querySelectorAll(".target, .cut-target").forEach((node) => node.remove());
  Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height }).forEach((pair) => copy.setAttribute(...pair));
  if (canvas) {
    const pixels = { href: canvas.toDataURL(), "image-rendering": "pixelated" };
    copy.prepend(svg("image", null, { width, height, ...pixels }));
  }
  const page = getComputedStyle(document.body).backgroundColor;
  copy.prepend(svg("rect", null, { width, height, fill: page }));
  return new XMLSerializer().serializeToString(copy);
}

/** Connect the buttons that save a figure. */
export function saveDrawing(figure) {
  $("save-svg").addEventListener("click", () => save(drawing(figure), "image/svg+xml", "clusters.svg"));
  $("save-png").addEventListener("click", () => savePng(figure));
}

async function savePng(figure) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing(figure))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SHARP * image.width;
  canvas.height = SHARP * image.height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(blob, "image/png", "clusters.png"), "image/png");
}
