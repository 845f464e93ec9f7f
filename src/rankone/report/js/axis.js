// Where rows and columns are drawn: clusters in proportion to their sizes, or not, and what is seen.

import { clamp } from "./dom.js";

/** The exponent of sizes: all rows are equally high, or clusters more alike, or all alike. */
export const SIZINGS = { rows: 1, root: 0.5, equal: 0 };

/** The least number of units that can be seen. */
const LEAST = 4;

export class Axis {
  constructor(side) {
    Object.assign(this, { side, sizing: "rows", start: 0, length: 1, window: [0, 1] });
    this.arrange();
  }

  /** Give each cluster its share of the axis. */
  arrange() {
    const { side } = this, power = SIZINGS[this.sizing];
    const sizes = side.labelAt.map((label) => side.sizes[label] ** power);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    this.shares = [0];
    for (const size of sizes) this.shares.push(this.shares[this.shares.length - 1] + size / total);
    this.shares[sizes.length] = 1;
  }

  /** Return the share of the whole axis at a position among the units. */
  share(unit) {
    const { edges } = this.side, place = segment(edges, unit);
    const inside = (unit - edges[place]) / (edges[place + 1] - edges[place]);
    return this.shares[place] + inside * (this.shares[place + 1] - this.shares[place]);
  }

  /** Return the position among the units at a share of the whole axis. */
  unit(share) {
    const { edges } = this.side, place = segment(this.shares, share);
    const inside = (share - this.shares[place]) / (this.shares[place + 1] - this.shares[place] || 1);
    return edges[place] + inside * (edges[place + 1] - edges[place]);
  }

  /** Return the coordinate of a position among the units. */
  at(unit) {
    const [from, to] = this.window;
    return this.start + ((this.share(unit) - from) / (to - from)) * this.length;
  }

  /** Return the position among the units at a coordinate. */
  under(coordinate) {
    const [from, to] = this.window;
    return this.unit(from + ((coordinate - this.start) / this.length) * (to - from));
  }

  /** Return the unit that is drawn at a coordinate; null if there is none. */
  unitAt(coordinate) {
    if (coordinate < this.start || coordinate > this.start + this.length) return null;
    return clamp(Math.floor(this.under(coordinate)), 0, this.side.nUnits - 1);
  }

  get end() { return this.start + this.length; }

  /** Return the visible part of a range of units as coordinates, or null. */
  visible(from, to) {
    const a = Math.max(this.at(from), this.start), b = Math.min(this.at(to), this.end);
    return b > a ? [a, b] : null;
  }

  get whole() { return this.window[1] - this.window[0] > 1 - 1e-9; }

  /** Show a range of units. */
  look(from, to) {
    const a = this.share(Math.max(0, from)), b = this.share(Math.min(this.side.nUnits, to));
    this.see((a + b) / 2, b - a);
  }

  /** Show a part of the axis, given by its middle and its length. */
  see(middle, length) {
    const least = Math.min(1, LEAST / this.side.nUnits) * Math.min(1, this.thinnest());
    const size = clamp(length, Math.min(1, least), 1);
    const from = clamp(middle - size / 2, 0, 1 - size);
    this.window = [from, from + size];
  }

  /** Return how much smaller the smallest rows are than rows of equal height. */
  thinnest() {
    const { edges } = this.side;
    const height = (i) => (this.shares[i + 1] - this.shares[i]) / (edges[i + 1] - edges[i]);
    return Math.min(...edges.slice(1).map((_, i) => height(i))) * this.side.nUnits;
  }

  /** Zoom by a factor around a share of the window. */
  zoom(factor, share = 0.5) {
    const [from, to] = this.window, size = Math.min(1, (to - from) * factor);
    const start = from + share * (to - from - size);
    this.see(start + size / 2, size);
  }

  /** Move the window by a share of its length. */
  pan(share) {
    const [from, to] = this.window;
    this.see((from + to) / 2 + share * (to - from), to - from);
  }

  /**
   * Return what each pixel shows, as runs of pixels that show the same units.
   * Where units are smaller than pixels, each of them belongs to one pixel.
   */
  bins(pixels) {
    const bins = [], n = this.side.nUnits, step = this.length / pixels;
    let next = this.under(this.start);
    for (let pixel = 0; pixel < pixels; pixel++) {
      const here = next;
      next = this.under(this.start + (pixel + 1) * step);
      const from = clamp(Math.floor(here + 1e-9), 0, n - 1), to = clamp(Math.floor(next + 1e-9), from + 1, n);
      const last = bins[bins.length - 1];
      if (last && last.from === from && last.to === to) last.end = pixel + 1;
      else bins.push({ from, to, start: pixel, end: pixel + 1 });
    }
    return bins;
  }
}

/** Return the segment between ascending edges that a value lies in. */
function segment(edges, value) {
  let from = 0, to = edges.length - 2;
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if (edges[middle] <= value) from = middle; else to = middle - 1;
  }
  return from;
}
