// The cells of the matrix, and the means of its blocks at the current numbers of clusters.

import { NOTHING, decoded } from "./data.js";

export class Blocks {
  constructor(data, rows, columns) {
    Object.assign(this, { rows, columns, relative: data.relative, unit: data.unit || 1 });
    this.cells = data.arrays.cells;
    this.counts = data.arrays.counts || null;
    this.values = decoded(data.values);
    this.originals = data.arrays.originals || null;  // of a prepared matrix
    this.originalValues = this.originals ? decoded(data.original_values) : null;
    this.width = columns.nUnits;
    this.rowSizes = Float32Array.from({ length: rows.nUnits }, (_, u) => rows.sizeOfUnit(u));
    this.columnSizes = Float32Array.from({ length: columns.nUnits }, (_, u) => columns.sizeOfUnit(u));
    if (this.relative) {
      this.rowMargins = rows.values.margins;
      this.columnMargins = columns.values.margins;
      this.total = this.columnMargins.reduce((sum, x) => sum + x, 0);
    }
    this.incomplete = this.cells.includes(NOTHING) || this.counts !== null;
    this.sumPieces();
    this.arrange();
  }

  /** Return the number of observed entries of a cell. */
  weight(row, column) {
    const at = row * this.width + column;
    if (this.cells[at] === NOTHING) return 0;
    return this.counts ? this.counts[at] : this.rowSizes[row] * this.columnSizes[column];
  }

  /** Return the sum of the entries of a cell that the margins lead one to expect. */
  expected(row, column, weight) {
    if (!this.relative) return 0;
    const share = this.incomplete ? weight / (this.rowSizes[row] * this.columnSizes[column]) : 1;
    return share * this.rowMargins[row] * this.columnMargins[column] / this.total;
  }

  value(row, column) { return this.values[this.cells[row * this.width + column]]; }

  original(row, column) {
    return this.originals ? this.originalValues[this.originals[row * this.width + column]] : this.value(row, column);
  }

  /** Add up the cells of each pair of pieces, once: every block consists of some of them. */
  sumPieces() {
    const { rows, columns, width } = this, wide = columns.nPieces;
    const make = () => new Float64Array(rows.nPieces * wide);
    Object.assign(this, { pieceSums: make(), pieceWeights: make(), pieceExpected: make() });
    for (let row = 0, at = 0; row < rows.nUnits; row++) {
      const start = rows.pieces[row] * wide;
      for (let column = 0; column < width; column++, at++) {
        if (this.cells[at] === NOTHING) continue;
        const weight = this.counts ? this.counts[at] : this.rowSizes[row] * this.columnSizes[column];
        const pair = start + columns.pieces[column];
        this.pieceSums[pair] += weight * this.values[this.cells[at]];
        this.pieceWeights[pair] += weight;
        if (this.relative) this.pieceExpected[pair] += this.expected(row, column, weight);
      }
    }
  }

  /** Compute the blocks of the current clusters. */
  arrange() {
    const { rows, columns } = this, make = () => new Float64Array(rows.k * columns.k);
    Object.assign(this, { sums: make(), weights: make(), expectations: make() });
    for (let p = 0; p < rows.nPieces; p++) {
      for (let q = 0; q < columns.nPieces; q++) {
        const pair = p * columns.nPieces + q;
        const block = rows.stop.clusters[p] * columns.k + columns.stop.clusters[q];
        this.sums[block] += this.pieceSums[pair];
        this.weights[block] += this.pieceWeights[pair];
        this.expectations[block] += this.pieceExpected[pair];
      }
    }
  }

  /** Return the mean of a block; NaN if none of its entries is observed. */
  mean(i, j) {
    const block = i * this.columns.k + j;
    return this.weights[block] ? this.sums[block] / this.weights[block] : NaN;
  }

  /** Return the sum of a block relative to what the margins lead one to expect. */
  lift(i, j) {
    const block = i * this.columns.k + j;
    return this.expectations[block] ? this.sums[block] / this.expectations[block] : NaN;
  }
}
