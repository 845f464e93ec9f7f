// How the figure is divided: trees and bars of clusters around the matrix, and room for names.

/** Sizes in pixels of the parts of a figure, for wide and for narrow screens. */
const WIDE = { tree: [96, 68], bar: 18, track: 10, gap: 3, names: [190, 112] };
const NARROW = { tree: [38, 36], bar: 15, track: 7, gap: 2, names: [106, 88] };

/** Whether a side is drawn as rows (one below the other) or as columns. */
export const isRows = (side) => side.what === "rows";

/** Return an attribute pair: `along` the side, and `across` it. */
export function place(side, along, across) {
  return isRows(side) ? [across, along] : [along, across];
}

/** Return a rectangle that covers a stretch along a side, and a stretch across it. */
export function rectangle(side, [from, to], [near, far]) {
  const [x, y] = place(side, from, near);
  const [width, height] = place(side, to - from, far - near);
  return { x, y, width: Math.max(0, width), height: Math.max(0, height) };
}

/** Return where the parts of a figure are. Strips along a side are stretches across it. */
export function geometry(sides, width, height, trackCounts) {
  const sizes = width < 600 ? NARROW : WIDE;
  const strips = sides.map((side, i) => {
    let across = 0;
    const strip = { tree: null, bar: null, tracks: [] };
    if (side.kind === "tree" || side.kind === "path") {
      strip.tree = [0, sizes.tree[i]];
      across = sizes.tree[i] + sizes.gap;
    }
    if (side.clustered) {
      strip.bar = [across, across + sizes.bar];
      across += sizes.bar + sizes.gap;
    }
    for (let t = 0; t < trackCounts[i]; t++) {
      strip.tracks.push([across, across + sizes.track]);
      across += sizes.track + 1;
    }
    return { ...strip, end: across + sizes.gap };
  });
  const x = strips[0].end, y = strips[1].end;
  const box = {
    x, y,
    width: Math.max(40, width - x - sizes.names[0]),
    height: Math.max(40, height - y - sizes.names[1]),
  };
  return { box, strips, names: sizes.names, narrow: sizes === NARROW, width, height };
}
