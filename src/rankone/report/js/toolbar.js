// What is drawn and how: the choices above the figure, its legend, and the table of blocks.

import { inkOn } from "./colours.js";
import { $, element, short, shown } from "./dom.js";
import { lift } from "./tips.js";

const ZOOM = 0.7;

/** Connect the choices above the figure. */
export function listenToToolbar(app) {
  const choose = (id, act) => $(id).addEventListener("input", (event) => act(event.target.value));
  choose("show", (value) => app.draw({ show: value }));
  choose("scale-of", (value) => app.draw({ scale: value }));
  choose("sizing", (value) => app.size(value));
  choose("contrast", (value) => app.draw({ contrast: 2 ** Number(value) }));
  $("zoom-in").addEventListener("click", () => app.zoom(ZOOM));
  $("zoom-out").addEventListener("click", () => app.zoom(1 / ZOOM));
  $("zoom-all").addEventListener("click", () => { app.deselect(); app.lookAtAll(); });
}

/** Show the current choices. */
export function showChoices(app) {
  $("show").value = app.scale.show;
  $("scale-of").value = app.scale.scale;
  $("sizing").value = app.axes[0].sizing;
  $("contrast").value = Math.log2(app.scale.contrast);
}

/** Write a value of what is drawn. */
function valueText(scale, value) {
  if (scale.scale !== "ratio") return shown(value, 3);
  return value < 0 ? `1/${shown(2 ** -value, 2)}×` : `${shown(2 ** value, 2)}×`;
}

/** Draw the colours, and the values at their ends. */
export function drawLegend(app) {
  const { scale } = app, canvas = $("scale"), context = canvas.getContext("2d"), { width, height } = canvas;
  for (let x = 0; x < width; x++) {
    context.fillStyle = scale.shades.css(x / (width - 1));
    context.fillRect(x, 0, 1, height);
  }
  const [low, high] = [scale.valueAt(0), scale.valueAt(1)], clipped = scale.scale !== "rank";
  $("scale-low").textContent = (clipped && scale.range[0] < low - 1e-9 ? "≤ " : "") + valueText(scale, low);
  $("scale-high").textContent = (clipped && scale.range[1] > high + 1e-9 ? "≥ " : "") + valueText(scale, high);
  const unit = $("scale-unit"), expected = scale.scale === "ratio";
  unit.textContent = expected ? "expected" : scale.scale === "rank" ? "" : unit.dataset.entries;
  unit.title = expected ? "How many times what the sums of rows and columns lead one to expect" : "";
  $("nothing").hidden = !app.blocks.incomplete;
}

/** Draw the means of the blocks as a table. */
export function drawBlocks(app) {
  const { blocks, scale } = app, [rows, columns] = app.sides, head = $("blocks-head"), body = $("blocks-body");
  if (!head) return;  // only one side is clustered
  const relative = scale.scale === "ratio";
  $("blocks-title").textContent = relative ? "Blocks, relative to what is expected" : "Block means";
  head.replaceChildren();
  body.replaceChildren();
  element("th", "rows \\ columns", head);
  columns.labelAt.forEach((label) => element("th", columns.nickname(label) || String(label), head, { scope: "col" }));
  rows.labelAt.forEach((i) => {
    const line = element("tr", null, body);
    element("th", rows.nickname(i) || String(i), line, { scope: "row" });
    columns.labelAt.forEach((j) => {
      const value = scale.ofBlock(i, j), cell = element("td", null, line, { class: "number" });
      cell.textContent = relative ? lift(blocks.lift(i, j)) : shown(value);
      if (Number.isNaN(value)) return;
      const colour = scale.shades.rgb[scale.shades.at(scale.share(value))];
      cell.style.background = `rgb(${colour.join(",")})`;
      cell.style.color = inkOn(colour);
    });
  });
}

/** Write what annotations mean, and how well they agree with the clusters. */
export function drawAnnotations(app) {
  const list = $("annotations");
  list.replaceChildren();
  app.figure.tracks.flat().filter((track) => track.classes).forEach((track) => {
    const item = element("li", null, list), { nmi, ari } = track.agreement();
    element("strong", short(track.name, 80), item);
    const figures = `NMI ${nmi.toFixed(2)}, ARI ${ari.toFixed(2)}. `;
    element("span", ` agrees with the clusters of ${track.side.things}: ${figures}`, item);
    track.classes.slice(0, 24).forEach((name, code) => {
      const entry = element("span", null, item, { class: "entry" });
      element("span", null, entry, { class: "swatch" }).style.background = track.colourOf(code);
      entry.append(short(name, 40));
      item.append(" ");
    });
  });
}
