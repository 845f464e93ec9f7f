// The figure of a vector: its values as a histogram, and the exact path of its cuts below.

import { fitted, shown, svg, widthOf } from "./dom.js";
import { spread } from "./labels.js";

/** The most bars of the histogram; room above, between and below, and at the sides. */
const MOST_BARS = 140, ABOVE = 26, BETWEEN = 30, BELOW = 8, SIDES = 34;

export class Histogram {
  constructor(app, overlay) {
    Object.assign(this, { app, overlay, window: null });
    const { values } = app;
    this.range = values.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
    if (this.range[0] === this.range[1]) this.range = [this.range[0] - 0.5, this.range[1] + 0.5];
    new ResizeObserver(() => this.draw()).observe(overlay);
  }

  get seen() { return this.window || this.range; }

  /** Show the values of a range, and a little more. */
  look(low, high) {
    const margin = 0.1 * (high - low) || 0.02 * (this.range[1] - this.range[0]);
    this.window = [Math.max(this.range[0], low - margin), Math.min(this.range[1], high + margin)];
  }

  at(value) {
    const [low, high] = this.seen;
    return SIDES + ((value - low) / (high - low)) * (this.width - 2 * SIDES);
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.overlay;
    if (!width) return;
    Object.assign(this, { width, height, base: Math.round(height * 0.58) });
    this.overlay.replaceChildren();
    this.overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const defs = svg("defs", this.overlay), clip = svg("clipPath", defs, { id: "clip-values" });
    svg("rect", clip, { x: SIDES - 1, y: 0, width: width - 2 * SIDES + 2, height });
    const inside = svg("g", this.overlay, { "clip-path": "url(#clip-values)" });
    this.drawBars(inside);
    this.drawPath(inside);
    this.drawAxis();
    this.drawLevels();
    this.drawFound();
  }

  /** Draw how many values there are, each cluster in its colour. */
  drawBars(parent) {
    const { app, base } = this, [side] = app.sides, [low, high] = this.seen;
    const bars = Math.min(MOST_BARS, Math.round(this.width / 5)), step = (high - low) / bars;
    const counts = Array.from({ length: bars }, () => new Map());
    app.values.forEach((value, i) => {
      const bar = Math.min(bars - 1, Math.floor((value - low) / step)), label = side.labelOf(i);
      if (bar >= 0 && value <= high) counts[bar].set(label, (counts[bar].get(label) || 0) + 1);
    });
    const sum = (map) => [...map.values()].reduce((total, n) => total + n, 0), most = Math.max(1, ...counts.map(sum));
    counts.forEach((of, bar) => {
      let y = base;
      for (const [label, n] of [...of].sort((a, b) => a[0] - b[0])) {
        const size = (n / most) * (base - ABOVE - 14), x = this.at(low + bar * step);
        y -= size;
        svg("rect", parent, {
          x: x + 0.5, y, width: Math.max(0.5, this.at(low + step) - this.at(low) - 1), height: size,
          fill: side.colour(label), class: "bar", "data-side": side.what, "data-label": label,
        });
      }
    });
  }

  /** Draw the partitions into all numbers of clusters, the current one in colour. */
  drawPath(parent) {
    const [side] = this.app.sides, top = this.base + BETWEEN, size = (this.height - top - BELOW) / side.stops.length;
    side.stops.forEach((stop, s) => {
      const now = side.fewest + s === side.k;
      stop.ids.forEach((id, label) => {
        const { least, largest } = side.levels[id], x = this.at(least), end = this.at(largest);
        const bar = svg("rect", parent, {
          x: x - 0.5, y: top + s * size + 0.5, width: Math.max(1.5, end - x + 1), height: Math.max(1, size - 1),
          class: now ? "step now" : "step", "data-side": side.what, "data-number": side.fewest + s,
        });
        if (now) bar.style.fill = side.colour(label);
      });
      if (size < 11 && (s + 1) % 5 !== 0) return;
      const style = { "text-anchor": "end", class: now ? "found" : "track-name" };
      svg("text", this.overlay, { x: SIDES - 6, y: top + (s + 0.5) * size + 4, ...style }, String(side.fewest + s));
    });
  }

  /** Draw the scale of the values. */
  drawAxis() {
    const [low, high] = this.seen, rough = (high - low) / Math.max(2, this.width / 90);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough);
    svg("path", this.overlay, { d: `M${SIDES},${this.base}H${this.width - SIDES}`, class: "leader" });
    for (let tick = Math.ceil(low / step) * step; tick <= high + 1e-9 * step; tick += step) {
      const x = this.at(tick), text = shown(Math.round(tick / step) * step);
      svg("path", this.overlay, { d: `M${x},${this.base}v4`, class: "leader" });
      svg("text", this.overlay, { x, y: this.base + 16, "text-anchor": "middle", class: "track-name" }, text);
    }
  }

  /** Write the level of each cluster above it; of some, if there is no room for all. */
  drawLevels() {
    const [side] = this.app.sides, captions = side.labelAt.map((label) => {
      const { level } = side.levels[side.stop.ids[label]], name = side.nickname(label);
      const text = name ? `${label} · ${fitted(name, 90)}` : `${label}: ${shown(level, 3)}`;
      return { label, text, at: this.at(level) };
    }).filter(({ at }) => at >= SIDES && at <= this.width - SIDES);
    const room = 8 + Math.max(0, ...captions.map(({ text }) => widthOf(text)));
    const every = Math.ceil((room * captions.length) / this.width);
    const written = captions.filter((_, i) => i % every === 0);
    spread(written.map(({ at }) => at), room, 0, this.width).forEach((x, i) => {
      const { at, label, text } = written[i];
      const style = { "text-anchor": "middle", class: "caption", "data-side": side.what, "data-label": label };
      svg("path", this.overlay, { d: `M${x},${ABOVE - 8}L${at},${ABOVE + 4}V${this.base}`, class: "level" });
      svg("text", this.overlay, { x, y: ABOVE - 13, ...style }, text);
    });
  }

  /** Mark the value that was searched for. */
  drawFound() {
    const [item] = this.app.found, [side] = this.app.sides;
    if (item === null) return;
    const x = this.at(this.app.values[item]);
    svg("path", this.overlay, { d: `M${x},${ABOVE}V${this.height - BELOW}`, class: "mark" });
    svg("text", this.overlay, { x: x + 5, y: ABOVE + 22, class: "found" }, fitted(side.name(item), 160));
  }
}
