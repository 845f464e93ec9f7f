// The state of the page of a matrix: its blocks, what is drawn of them, and what is seen.

import { readAddress } from "./address.js";
import { Axis } from "./axis.js";
import { Blocks } from "./blocks.js";
import { LEGIBLE } from "./labels.js";
import { Scale } from "./scale.js";
import { State } from "./state.js";

export class App extends State {
  constructor(data) {
    super(data);
    this.blocks = new Blocks(data, ...this.sides);
    this.scale = new Scale(this.blocks);
    this.axes = this.sides.map((side) => new Axis(side));
    this.restore(location.hash);
  }

  /** Restore the state that an address describes. */
  restore(fragment) {
    const { sizing = "rows", ...choices } = readAddress(this, fragment);
    Object.assign(this.scale, choices);
    this.regrouped();
    for (const axis of this.axes) { axis.sizing = sizing; axis.arrange(); }
  }

  regrouped() {
    this.blocks.arrange();
    for (const axis of this.axes) axis.arrange();
    this.scale.prepare(this.dark);
  }

  /** Draw something else of the cells, or on another scale. */
  draw(choices) {
    Object.assign(this.scale, choices);
    this.scale.prepare(this.dark);
    this.changed("choices");
  }

  /** Give clusters room in proportion to their sizes, or to powers of these. */
  size(sizing) {
    for (const axis of this.axes) { axis.sizing = sizing; axis.arrange(); }
    this.changed("choices");
  }

  look() { this.changed("look"); }

  zoom(factor) {
    for (const axis of this.axes) axis.zoom(factor);
    this.look();
  }

  lookAtAll() {
    for (const axis of this.axes) axis.window = [0, 1];
    this.look();
  }

  /** Zoom to the block that a cell belongs to. */
  lookAtBlock(units) {
    this.axes.forEach((axis, i) => axis.look(...axis.side.span(axis.side.labelOfUnit(units[i]))));
    this.look();
  }

  lookAt(side, label) { this.axes[this.sides.indexOf(side)].look(...side.span(label)); }

  /** Show a row or a column: mark it, and bring it to the middle, large enough for its name. */
  find(side, item) {
    const i = this.sides.indexOf(side), axis = this.axes[i], unit = side.units[item];
    this.found[i] = item;
    this.figure.marked[i] = unit;
    const here = axis.share(unit + 1) - axis.share(unit), wanted = ((LEGIBLE + 3) / axis.length) / here;
    axis.see(axis.share(unit + 0.5), Math.min(axis.window[1] - axis.window[0], 1 / wanted));
    this.look();
  }

  forget() {
    this.found = [null, null];
    this.figure.marked = [null, null];
    this.look();
  }
}
