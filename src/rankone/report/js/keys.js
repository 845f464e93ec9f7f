// The figure by keys: a cell is chosen by arrows, and read aloud.

import { $, clamp } from "./dom.js";
import { describeCell, showTip } from "./tips.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export function listenToKeys(app, area) {
  /** Move the chosen cell by units, or with a leap to the next cluster. */
  const move = (steps, leap) => {
    const { figure } = app;
    const start = figure.cursor || app.axes.map((axis) => axis.unitAt(axis.start + 1));
    figure.cursor = start.map((unit, i) => {
      const side = app.sides[i];
      if (!steps[i]) return unit;
      if (!leap) return clamp(unit + steps[i], 0, side.nUnits - 1);
      const edges = side.edges.slice(0, -1);
      const next = steps[i] > 0 ? edges.find((edge) => edge > unit) : edges.findLast((edge) => edge < unit);
      return next ?? unit;
    });
    app.axes.forEach((axis, i) => {
      const share = axis.share(figure.cursor[i] + 0.5), [from, to] = axis.window;
      if (share < from || share > to) axis.see(share, to - from);
    });
    app.look();
    read();
  };

  /** Show what is known of the chosen cell, and read it aloud. */
  const read = () => {
    const { cursor } = app.figure, [rows, columns] = app.axes, around = area.getBoundingClientRect();
    const lines = describeCell(app, cursor);
    $("spoken").textContent = lines.join("; ");
    showTip(lines, around.left + columns.at(cursor[1] + 1), around.top + rows.at(cursor[0] + 1));
  };

  area.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;  // those are the browser's
    if (event.key in ARROWS) move(ARROWS[event.key], event.shiftKey);
    else if (event.key === "+" || event.key === "=") app.zoom(0.7);
    else if (event.key === "-") app.zoom(1 / 0.7);
    else if (event.key === "0" || event.key === "Home") app.lookAtAll();
    else if (event.key === "Enter" && app.figure.cursor) app.lookAtBlock(app.figure.cursor);
    else if (event.key === "Escape") { app.figure.cursor = null; app.deselect(); app.lookAtAll(); showTip(null); }
    else return;
    event.preventDefault();
  });
  area.addEventListener("blur", () => showTip(null));
}
