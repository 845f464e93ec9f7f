// The tree of a side beside the matrix, and the line at which it is cut.

import { svg } from "./dom.js";
import { place, rectangle } from "./geometry.js";

/** The share of the depth that comes from heights; the rest is the order of the splits. */
const FROM_HEIGHTS = 0.5;

/** Room in pixels beyond the root, for the line that leaves everything together. */
const BEYOND = 12;

/** A tree of a side: its nodes, and how deep each split is drawn. */
export class Dendrogram {
  constructor(side) {
    this.side = side;
    const { children, heights } = side.tree;
    this.nLeaves = children.length + 1;
    this.spans = [];
    this.walk(this.root, 0);
    const top = heights[heights.length - 1] || 1;
    const rank = (i) => (i + 1) / heights.length;
    this.depths = heights.map((height, i) => FROM_HEIGHTS * (height / top) + (1 - FROM_HEIGHTS) * rank(i));
  }

  get root() { return 2 * this.nLeaves - 2; }

  parts(node) { return this.side.tree.children[node - this.nLeaves]; }

  /** Number the pieces of each node from left to right; return the number after the last one. */
  walk(node, from) {
    const to = node < this.nLeaves ? from + 1 : this.parts(node).reduce((at, part) => this.walk(part, at), from);
    this.spans[node] = [from, to];
    return to;
  }

  /** Return the units of a node. */
  units(node) { return this.spans[node].map((piece) => this.side.pieceStarts[piece]); }

  /** Return whether a split is undone at the current number of clusters. */
  undone(node) { return node >= 2 * this.nLeaves - this.side.k; }

  depth(node) { return node < this.nLeaves ? 0 : this.depths[node - this.nLeaves]; }

  /** Return the depth of the cut, from 0 at the leaves to 1 at the root, and a little beyond. */
  cutDepth(k = this.side.k) {
    const below = this.nLeaves - k - 1, n = this.depths.length;
    const low = below >= 0 ? this.depths[below] : 0;
    const high = below + 1 < n ? this.depths[below + 1] : 1.12;
    return (low + high) / 2;
  }

  /** Return the number of clusters for a cut at some depth. */
  numberAt(depth) { return 1 + this.depths.filter((x) => x > depth).length; }
}

/** Draw the tree of a side between two coordinates across it, the root at the first one. */
export function drawTree(parent, tree, axis, [far, near]) {
  const { side } = tree, across = (depth) => near - depth * (near - far - BEYOND);
  const centres = [];
  for (let node = 0; node <= tree.root; node++) {
    const [from, to] = tree.units(node);
    centres[node] = node < tree.nLeaves
      ? (axis.at(from) + axis.at(to)) / 2
      : (centres[tree.parts(node)[0]] + centres[tree.parts(node)[1]]) / 2;
  }
  for (let node = tree.nLeaves; node <= tree.root; node++) {
    const points = tree.parts(node).map((part) => [centres[part], across(tree.depth(part)), across(tree.depth(node))]);
    const [[a, a0, top], [b, b0]] = points;
    const path = [[a, a0], [a, top], [b, top], [b, b0]].map(([along, at]) => place(side, along, at).join(","));
    const split = side.tree.splits[node - tree.nLeaves], undone = tree.undone(node);
    const gradient = split.quality.startsWith("sections");
    const line = svg("path", parent, { d: `M${path.join("L")}`, class: `branch${undone ? "" : " below"}` });
    if (!undone) line.setAttribute("stroke", side.colour(side.stop.clusters[tree.spans[node][0]]));
    if (gradient && undone) line.setAttribute("stroke-dasharray", "4 3");
    const [x, y] = place(side, (a + b) / 2, top);
    if (undone) svg("circle", parent, { cx: x, cy: y, r: 3, class: "fork" });
    drawTargets(parent, side, node, tree.parts(node), path);
  }
  drawCut(parent, side, axis, across(tree.cutDepth()), far, near);
}

/** Draw what reacts to the pointer: the fork of a node, and the stems of its parts. */
function drawTargets(parent, side, node, [first, second], [foot, left, right, end]) {
  const lines = [[first, foot, left], [second, end, right], [node, left, right]];
  for (const [of, from, to] of lines) {
    svg("path", parent, { d: `M${from}L${to}`, class: "target", "data-side": side.what, "data-node": of });
  }
}

/** Draw the partitions of a side without a tree, one beside the other; the current one in colour. */
export function drawPath(parent, side, axis, [far, near]) {
  const width = (near - far - 2) / side.stops.length;
  side.stops.forEach((stop, s) => {
    const across = [near - (s + 1) * width + 0.5, near - s * width - 0.5], now = side.fewest + s === side.k;
    const begins = (piece) => stop.clusters[piece] !== stop.clusters[piece - 1];
    const edges = [...side.pieceStarts.slice(0, -1).filter((_, piece) => begins(piece)), side.nUnits];
    edges.slice(1).forEach((end, i) => {
      const stretch = [axis.at(edges[i]) + 0.5, axis.at(end) - 0.5];
      const bar = svg("rect", parent, {
        ...rectangle(side, stretch, across), class: now ? "step now" : "step",
        "data-side": side.what, "data-number": side.fewest + s,
      });
      if (now) bar.style.fill = side.colour(side.labelAt[i]);
    });
  });
}

/** Draw the line of the cut, and a handle to move it. */
function drawCut(parent, side, axis, at, far, near) {
  const ends = [axis.start, axis.end].map((along) => place(side, along, at));
  const d = `M${ends[0]}L${ends[1]}`;
  svg("path", parent, { d, class: "cut" });
  const data = { "data-cut": side.what, "data-far": far, "data-near": near };
  svg("path", parent, { d, class: `cut-target ${side.what}`, ...data });
}

/** Return the number of clusters for a cut at a coordinate across a side. */
export function numberUnder(tree, coordinate, far, near) {
  return tree.numberAt((near - coordinate) / (near - far - BEYOND));
}
