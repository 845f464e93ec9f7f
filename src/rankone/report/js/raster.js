// The cells of the matrix as pixels: what several cells share, not the mean of their colours.

import { NOTHING } from "./data.js";

/** Paint the visible cells into an image of the given size, and return its canvas. */
export function paint(blocks, scale, rowAxis, columnAxis, width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d"), image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const columns = columnAxis.bins(width), line = new Uint32Array(width);
  const labels = columns.map(({ from }) => blocks.columns.labelOfUnit(from));
  const sums = new Float64Array(columns.length), weights = new Float64Array(columns.length);
  const expected = new Float64Array(columns.length);
  for (const { from, to, start, end } of rowAxis.bins(height)) {
    add(blocks, columns, from, to, { sums, weights, expected });
    const label = blocks.rows.labelOfUnit(from);
    columns.forEach((bin, c) => {
      line.fill(shade(scale, sums[c], weights[c], expected[c], label, labels[c]), bin.start, bin.end);
    });
    for (let y = start; y < end; y++) pixels.set(line, y * width);
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** Add up the cells where some rows meet bins of columns. */
function add(blocks, columns, from, to, { sums, weights, expected }) {
  const { cells, values, counts, width, rowSizes, columnSizes, relative } = blocks;
  sums.fill(0);
  weights.fill(0);
  expected.fill(0);
  for (let row = from; row < to; row++) {
    const start = row * width, size = rowSizes[row];
    for (let c = 0; c < columns.length; c++) {
      for (let column = columns[c].from; column < columns[c].to; column++) {
        const code = cells[start + column];
        if (code === NOTHING) continue;
        const weight = counts ? counts[start + column] : size * columnSizes[column];
        sums[c] += weight * values[code];
        weights[c] += weight;
        if (relative) expected[c] += blocks.expected(row, column, weight);
      }
    }
  }
}

/** Return the pixel of some cells; where none is observed, the block shines through. */
function shade(scale, sum, weight, expected, i, j) {
  const { shades } = scale, observed = weight || scale.show === "means";
  const value = observed ? scale.raw(sum, weight, expected, i, j) : scale.ofBlock(i, j);
  if (Number.isNaN(value) || (!observed && scale.show === "residuals")) return shades.page;
  return (observed ? shades.full : shades.pale)[shades.at(scale.share(value))];
}
