// One side of the matrix, rows or columns: its members, and its clusters at the current stop.

import { short } from "./dom.js";
import { isRows } from "./geometry.js";

export class Side {
  /**
   * @param header what the page says of the side
   * @param arrays those of the page; the ones of this side begin with its name
   * @param palette the colours of clusters
   */
  constructor(header, arrays, palette) {
    Object.assign(this, header, { palette, renamed: {}, confidences: {}, order: {} });
    this.values = {};
    for (const [name, array] of Object.entries(arrays)) {
      const [what, key] = name.split("/");
      if (what === this.what) this.values[key] = array;
    }
    Object.assign(this, { units: this.values.units, pieces: this.values.pieces, scores: this.values.scores });
    this.nUnits = this.pieces.length;
    this.fewest = this.stops[0].ids.length;
    this.most = this.fewest + this.stops.length - 1;
    this.collect();
    this.go(this.chosen);
  }

  get clustered() { return this.kind !== "none"; }

  /** Return a number of members in words. */
  count(n) { return n === 1 ? `1 ${this.thing}` : `${n.toLocaleString("en")} ${this.things}`; }

  /** Collect the members of each unit, and the number of members of each piece. */
  collect() {
    this.unitStarts = new Uint32Array(this.nUnits + 1);
    for (const unit of this.units) this.unitStarts[unit + 1]++;
    for (let u = 0; u < this.nUnits; u++) this.unitStarts[u + 1] += this.unitStarts[u];
    this.unitMembers = new Uint32Array(this.size);
    const next = this.unitStarts.slice();
    this.units.forEach((unit, i) => { this.unitMembers[next[unit]++] = i; });
    this.nPieces = this.pieces[this.nUnits - 1] + 1;
    this.pieceStarts = [];
    this.pieces.forEach((piece, u) => { if (u === 0 || this.pieces[u - 1] !== piece) this.pieceStarts.push(u); });
    this.pieceStarts.push(this.nUnits);
  }

  membersOfUnit(unit) { return this.unitMembers.subarray(this.unitStarts[unit], this.unitStarts[unit + 1]); }

  sizeOfUnit(unit) { return this.unitStarts[unit + 1] - this.unitStarts[unit]; }

  /** Go to the stop with k clusters. */
  go(k) {
    this.k = Math.min(this.most, Math.max(this.fewest, k));
    this.stop = this.stops[this.k - this.fewest];
    const { clusters } = this.stop;
    this.edges = [];
    this.labelAt = [];
    for (let piece = 0; piece < this.nPieces; piece++) {
      if (piece === 0 || clusters[piece] !== clusters[piece - 1]) {
        this.edges.push(this.pieceStarts[piece]);
        this.labelAt.push(clusters[piece]);
      }
    }
    this.edges.push(this.nUnits);
    this.place = [];
    this.labelAt.forEach((label, place) => { this.place[label] = place; });
    this.sizes = this.labelAt.map((_, label) => {
      const [from, to] = this.span(label);
      return this.unitStarts[to] - this.unitStarts[from];
    });
  }

  get atAnswer() { return this.k === this.chosen; }

  /** Return the first unit of a cluster, and the first after it. */
  span(label) { return [this.edges[this.place[label]], this.edges[this.place[label] + 1]]; }

  labelOfUnit(unit) { return this.stop.clusters[this.pieces[unit]]; }

  labelOf(i) { return this.labelOfUnit(this.units[i]); }

  colour(label) {
    const id = this.stop.ids[label], number = id in this.colours ? this.colours[id] : label;
    return this.palette[number % this.palette.length];
  }

  /** Return the name of a row. */
  name(i) { return this.names ? this.names[i] : `${this.thing} ${i + 1}`; }

  /** Return the name that somebody gave to a cluster, if any. */
  nickname(label) { return this.renamed[this.stop.ids[label]] || ""; }

  rename(label, name) {
    const id = this.stop.ids[label];
    if (name.trim()) this.renamed[id] = name.trim().slice(0, 80);
    else delete this.renamed[id];
  }

  /** Return what a cluster is called, with its number. */
  title(label) {
    const name = this.nickname(label);
    return name ? `${label} · ${name}` : `Cluster ${label}`;
  }

  /** Return the columns that are high and low in a cluster: index, effect, mean, overall mean. */
  contrasts(label) { return (this.words || {})[this.stop.ids[label]] || { high: [], low: [] }; }

  /** Return members of a cluster that are certain and prominent, as examples. */
  typical(label, n) {
    const [from, to] = this.span(label), { prominence } = this.values, sure = this.confidence, best = [];
    for (let at = this.unitStarts[from]; at < this.unitStarts[to]; at++) {
      const i = this.unitMembers[at], worth = (sure ? sure[i] : 1) * (prominence ? prominence[i] : 1);
      if (best.length === n && worth <= best[n - 1].worth) continue;
      const place = best.findIndex((other) => worth > other.worth);
      best.splice(place < 0 ? best.length : place, 0, { i, worth });
      best.length = Math.min(best.length, n);
    }
    return best.map(({ i }) => i);
  }

  /** Return a few words for a cluster: its name, what is high in it, or some of its columns. */
  caption(label, other, most = 2) {
    const name = this.nickname(label);
    if (name) return name;
    const { high, low } = this.contrasts(label);
    const words = (list) => list.slice(0, most).map(([j]) => short(other.name(j), 24)).join(", ");
    if (!isRows(this)) return this.typical(label, most).map((i) => short(this.name(i), 24)).join(", ");
    if (high.length) return words(high);
    return low.length ? `low ${words(low)}` : this.count(this.sizes[label]);
  }

  /** Return the probability of each label at the current stop, in thousandths, or null. */
  get confidence() { return this.values[`confidence-${this.k}`] || null; }

  /** Return the members of a cluster, the most certain ones first. */
  members(label) {
    const [from, to] = this.span(label);
    const found = Array.from(this.unitMembers.subarray(this.unitStarts[from], this.unitStarts[to]));
    const sure = this.confidence;
    const { prominence } = this.values, more = (a, b) => (prominence ? prominence[b] - prominence[a] : 0) || a - b;
    return found.sort((a, b) => (sure ? sure[b] - sure[a] : 0) || more(a, b));
  }

  /** Return the mean confidence of a unit, or of a cluster, from 0 to 1; null if it is not known. */
  meanConfidence(from, to) {
    const sure = this.confidence;
    if (!sure) return null;
    let sum = 0;
    for (let i = this.unitStarts[from]; i < this.unitStarts[to]; i++) sum += sure[this.unitMembers[i]];
    return sum / 1000 / (this.unitStarts[to] - this.unitStarts[from]);
  }
}
