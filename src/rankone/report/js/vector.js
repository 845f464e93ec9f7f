// The page of a vector: its values, cut into clusters.

import { readAddress } from "./address.js";
import { decoded } from "./data.js";
import { $, plural, shown } from "./dom.js";
import { saveDrawing } from "./download.js";
import { Histogram } from "./histogram.js";
import { connect, open } from "./opening.js";
import { State } from "./state.js";
import { showTip } from "./tips.js";

class VectorApp extends State {
  constructor(data) {
    super(data);
    const [side] = this.sides, { codes } = side.values;
    if (codes) {
      const table = decoded(data.values);
      side.scores = Float64Array.from(codes, (code) => table[code]);
    }
    this.values = side.scores;
    readAddress(this, location.hash);
  }

  regrouped() {}

  lookAt(side, label) {
    const { least, largest } = side.levels[side.stop.ids[label]];
    this.figure.look(least, largest);
  }

  lookAtAll() {
    this.figure.window = null;
    this.changed("look");
  }

  /** Show a value: bring it to the middle, with those around it. */
  find(side, item) {
    this.found[0] = item;
    const [low, high] = this.figure.range, reach = (high - low) / 8, value = this.values[item];
    this.figure.look(value - reach, value + reach);
    this.changed("look");
  }

  forget() {
    this.found[0] = null;
    this.changed("look");
  }
}

/** Say what is at a part of the figure. */
function linesOf(app, part) {
  const [side] = app.sides, { number } = part.dataset;
  if (number !== undefined) return [`${plural(Number(number), "cluster")}: click to choose this number`];
  const label = Number(part.dataset.label), { least, largest, level } = side.levels[side.stop.ids[label]];
  return [
    `${side.title(label)}, ${side.count(side.sizes[label])}`,
    `from ${shown(least)} to ${shown(largest)}, level ${shown(level)}`,
  ];
}

function main(data) {
  const app = new VectorApp(data), overlay = $("overlay"), [side] = app.sides;
  app.figure = new Histogram(app, overlay);
  const showWords = connect(app);
  overlay.addEventListener("pointermove", (event) => {
    const part = event.target.closest("[data-side]");
    showTip(part ? linesOf(app, part) : null, event.clientX, event.clientY);
  });
  overlay.addEventListener("pointerleave", () => showTip(null));
  overlay.addEventListener("click", (event) => {
    const part = event.target.closest("[data-side]");
    if (part && part.dataset.number !== undefined) app.regroup(side, Number(part.dataset.number));
    else if (part) app.select(side, Number(part.dataset.label));
  });
  $("zoom-all").addEventListener("click", () => { app.deselect(); app.lookAtAll(); });
  saveDrawing(app.figure);
  app.listen((kind) => {
    app.figure.draw();
    if (kind !== "look") showWords();
  });
  app.figure.draw();
  showWords();
  window.addEventListener("hashchange", () => { readAddress(app, location.hash); app.changed("clusters"); });
  return app;
}

open(main);
