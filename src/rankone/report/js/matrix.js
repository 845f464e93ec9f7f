// The page of a matrix: its views are connected with its state.

import { App } from "./app.js";
import { $ } from "./dom.js";
import { saveDrawing } from "./download.js";
import { Figure } from "./figure.js";
import { listenToKeys } from "./keys.js";
import { connect, open } from "./opening.js";
import { listenToPointer } from "./pointer.js";
import { drawAnnotations, drawBlocks, drawLegend, listenToToolbar, showChoices } from "./toolbar.js";

function main(data) {
  const app = new App(data);
  const area = $("figure");
  app.figure = new Figure(app, $("matrix"), $("overlay"));
  const showWords = connect(app);
  listenToToolbar(app);
  listenToPointer(app, area);
  listenToKeys(app, area);
  saveDrawing(app.figure);
  const show = (kind) => {
    app.figure.draw();
    const whole = app.axes.every((axis) => axis.whole);
    area.style.touchAction = whole ? "pan-y" : "none";  // so that fingers can scroll past
    if (kind === "look") return;
    showWords();
    showChoices(app);
    drawLegend(app);
    drawBlocks(app);
    drawAnnotations(app);
  };
  app.listen(show);
  show("clusters");
  const repaint = () => { app.scale.prepare(app.dark); show("choices"); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  matchMedia("print").addEventListener("change", repaint);
  window.addEventListener("hashchange", () => { app.restore(location.hash); show("clusters"); });
  return app;
}

open(main);
