// The number of clusters of a side: a slider, and the curve above it by which the number was chosen.

import { $, clamp, plural, svg } from "./dom.js";

/** The height of the curve in pixels, and half the width of the handle of the slider. */
const HEIGHT = 44, HANDLE = 8;

export class Control {
  constructor(app, side) {
    Object.assign(this, { app, side });
    const find = (name) => $(`${side.what}-${name}`);
    for (const name of ["slider", "said", "curve", "answer", "number"]) this[name] = find(name);
    Object.assign(this.slider, { min: side.fewest, max: side.most });
    this.slider.addEventListener("input", () => app.regroup(side, Number(this.slider.value)));
    this.answer.addEventListener("click", () => app.regroup(side, side.chosen));
    find("fewer").addEventListener("click", () => app.regroup(side, side.k - 1));
    find("more").addEventListener("click", () => app.regroup(side, side.k + 1));
    this.curve.addEventListener("click", (event) => {
      const around = this.curve.getBoundingClientRect();
      const share = (event.clientX - around.left - HANDLE) / (around.width - 2 * HANDLE);
      app.regroup(side, side.fewest + Math.round(clamp(share, 0, 1) * (side.most - side.fewest)));
    });
    new ResizeObserver(() => this.draw()).observe(this.curve);
  }

  /** Say what the clusters are at the current number. */
  describe() {
    const { side } = this, clusters = plural(side.k, "cluster");
    const from = { tree: "of the tree", path: "of the exact path of the scores", fixed: "as fitted" }[side.kind];
    const reason = side.atAnswer ? side.reason : from;
    return [clusters, `${reason}${side.stop.note ? `; ${side.stop.note}` : ""}`];
  }

  show() {
    const { side } = this, [clusters, said] = this.describe();
    this.slider.value = side.k;
    this.number.textContent = side.k;
    this.said.textContent = said;
    this.slider.setAttribute("aria-valuetext", `${clusters}, ${said}`);
    this.answer.querySelector("b").textContent = side.chosen;
    this.answer.setAttribute("aria-pressed", String(side.atAnswer));
    this.draw();
  }

  draw() {
    const { side, curve } = this, width = curve.clientWidth;
    const x = (k) => HANDLE + ((k - side.fewest) / Math.max(1, side.most - side.fewest)) * (width - 2 * HANDLE);
    const y = side.curve ? heights(side.curve) : () => HEIGHT - 4;
    curve.replaceChildren();
    curve.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    if (side.curve) this.drawCurve(x, y, width);
    for (let k = side.fewest; k <= side.most; k++) {
      const kind = k === side.k ? "now" : k === side.chosen ? "chosen" : "";
      const cy = y(side.curve ? side.curve.values[k - side.fewest] : null);
      svg("circle", curve, { cx: x(k), cy, r: { now: 5, chosen: 4.5 }[kind] || 2, class: `point ${kind}` });
    }
  }

  /** Draw the criterion, and the threshold that the answer is the first to reach. */
  drawCurve(x, y, width) {
    const { side, curve } = this, { values, threshold, name } = side.curve;
    if (threshold !== null) {
      svg("path", curve, { d: `M${HANDLE},${y(threshold)}H${width - HANDLE}`, class: "threshold" });
    }
    const points = values.flatMap((value, i) => (value === null ? [] : [`${x(side.fewest + i)},${y(value)}`]));
    svg("polyline", curve, { points: points.join(" "), class: "curve" });
    curve.setAttribute("aria-label", `${name}, for each number of clusters; higher is better`);
    const rule = threshold === null ? "the highest" : "the first to reach the dashed line";
    $(`${side.what}-rule`).textContent = `Curve: ${name}. The answer is ${rule}.`;
  }
}

/** Return where values of a curve are drawn; those that are not known are at the bottom. */
function heights({ values, threshold, steep }) {
  const known = values.filter((value) => value !== null), high = Math.max(...known);
  const level = (value) => (steep ? -Math.log1p(high - value) : value);
  const bottom = Math.min(...known.map(level), threshold === null ? Infinity : level(threshold));
  const span = level(high) - bottom || 1;
  return (value) => (value === null ? HEIGHT - 4 : HEIGHT - 6 - ((level(value) - bottom) / span) * (HEIGHT - 14));
}
