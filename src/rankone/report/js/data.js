// The block of data in the page: a header and arrays, compressed.

import { $ } from "./dom.js";

const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array };

/** The code of a cell, or of a class, that is not known. */
export const NOTHING = 65535;

/** Decompress the data of the page. */
export async function unpacked() {
  const text = atob($("data").textContent.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const buffer = await new Response(stream).arrayBuffer();
  const length = new DataView(buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  for (const [name, [type, offset, size]] of Object.entries(data.arrays)) {
    data.arrays[name] = new TYPES[type](buffer, 4 + length + offset, size);
  }
  return data;
}

/** Return the value of each code of a cell; NaN for codes without one. */
export function decoded({ table, centre, scale, least, step }) {
  const values = new Float64Array(NOTHING + 1).fill(NaN);
  const size = table ? table.length : NOTHING;
  for (let code = 0; code < size; code++) {
    values[code] = table ? table[code] : centre + scale * Math.sinh(least + step * code);
  }
  return values;
}
