// What is drawn of a cell: entries, block means or residuals, on a scale, as a colour.

import { Shades } from "./colours.js";
import { clamp } from "./dom.js";

/** Cells from which the range of colours is found. */
const SAMPLE = 20_000;

/** The quantiles of a scale of ranks. */
const QUANTILES = 512;

export class Scale {
  constructor(blocks) {
    this.blocks = blocks;
    this.show = "entries";
    this.scale = blocks.relative ? "ratio" : "linear";
    this.contrast = 1;
    this.prepare(false);
  }

  /** Return what is drawn where entries with a sum, a number and an expected sum meet a block. */
  raw(sum, weight, expected, i, j) {
    if (this.show === "means") return this.ofBlock(i, j);
    const { blocks } = this, residual = this.show === "residuals";
    if (this.scale === "ratio") {
      const { unit } = blocks, factor = residual ? blocks.lift(i, j) || 0 : 1;
      return Math.log2((sum + unit) / (expected * factor + unit));
    }
    return residual ? sum / weight - blocks.mean(i, j) : sum / weight;
  }

  /** Return the mean of a block, or its logarithm relative to what the margins lead one to expect. */
  ofBlock(i, j) {
    const { blocks } = this, { unit } = blocks, block = i * blocks.columns.k + j;
    if (this.scale !== "ratio") return blocks.mean(i, j);
    return Math.log2((blocks.sums[block] + unit) / (blocks.expectations[block] + unit));
  }

  /** Return the value of one cell. */
  ofCell(row, column) {
    const { blocks } = this, weight = blocks.weight(row, column);
    if (!weight && this.show !== "means") return NaN;
    return this.raw(
      weight ? weight * blocks.value(row, column) : 0, weight, blocks.expected(row, column, weight),
      blocks.rows.labelOfUnit(row), blocks.columns.labelOfUnit(column),
    );
  }

  /** Find the range of colours, for entries or for residuals; block means have that of entries. */
  prepare(dark) {
    const shown = this.show;
    if (shown === "means") this.show = "entries";
    const values = this.sample();
    this.show = shown;
    const low = quantile(values, 0.01), high = quantile(values, 0.99);
    this.range = [values[0], values[values.length - 1]];
    this.twoSigns = this.scale === "ratio" || this.show === "residuals" || (low < 0 && high > 0);
    const sizes = Float64Array.from(values, Math.abs).sort();
    this.step = (quantile(sizes.filter((x) => x > 0), 0.5) || 1) / 10;
    this.ranks = this.scale === "rank" ? quantiles(this.twoSigns ? sizes : values) : null;
    let ends = low < high ? [low, high] : [values[0], values[values.length - 1]];
    if (this.twoSigns) {
      let end = Math.max(Math.abs(ends[0]), Math.abs(ends[1])) || 1;
      if (this.scale === "ratio") end = clamp(end, 3, 4);
      ends = [-end, end];
    }
    this.ends = ends;
    const [from, to] = this.ends.map((x) => this.transform(x));
    const middle = this.twoSigns ? 0 : from;
    this.limits = [middle + (from - middle) / this.contrast, middle + (to - middle) / this.contrast];
    this.shades = new Shades(this.twoSigns, dark);
    this.dark = dark;
  }

  /** Return what is drawn of some of the cells, in ascending order. */
  sample() {
    const { blocks } = this, n = blocks.cells.length, step = Math.max(1, Math.floor(n / SAMPLE) | 1);
    const values = [];
    for (let at = 0; at < n; at += step) {
      const value = this.ofCell(Math.floor(at / blocks.width), at % blocks.width);
      if (Number.isFinite(value)) values.push(value);
    }
    return Float64Array.from(values.length ? values : [0]).sort();
  }

  /** Return a value on the scale. */
  transform(value) {
    if (this.scale === "log") return Math.sign(value) * Math.log1p(Math.abs(value) / this.step);
    if (this.scale !== "rank") return value;
    return this.twoSigns ? Math.sign(value) * rank(this.ranks, Math.abs(value)) : rank(this.ranks, value);
  }

  /** Return where the colour of a value lies, from 0 to 1. */
  share(value) {
    const [low, high] = this.limits;
    return high > low ? clamp((this.transform(value) - low) / (high - low), 0, 1) : 0.5;
  }

  /** Return the value whose colour lies at a share: the inverse of `share`, for the legend. */
  valueAt(share) {
    const [low, high] = this.limits, target = low + share * (high - low);
    let [from, to] = this.range.map((x, i) => (i ? Math.max(x, this.ends[1]) : Math.min(x, this.ends[0])));
    for (let i = 0; i < 60; i++) {
      const middle = (from + to) / 2;
      if (this.transform(middle) < target) from = middle; else to = middle;
    }
    return (from + to) / 2;
  }
}

function quantile(ascending, share) {
  return ascending.length ? ascending[Math.round(share * (ascending.length - 1))] : 0;
}

function quantiles(ascending) {
  return Float64Array.from({ length: QUANTILES }, (_, i) => quantile(ascending, i / (QUANTILES - 1)));
}

/** Return the share of quantiles that are not above a value. */
function rank(ascending, value) {
  let from = 0, to = ascending.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending[middle] <= value) from = middle + 1; else to = middle;
  }
  return from / ascending.length;
}
