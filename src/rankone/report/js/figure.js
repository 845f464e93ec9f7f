// The figure: the matrix sorted into clusters, with trees, bars, tracks and names around it.

import { inkOn } from "./colours.js";
import { Dendrogram, drawPath, drawTree } from "./dendrogram.js";
import { short, styled, svg, widthOf } from "./dom.js";
import { geometry, rectangle } from "./geometry.js";
import { LEGIBLE, drawColumnLabels, drawNumbers, drawRowLabels } from "./labels.js";
import { paint } from "./raster.js";
import { drawTrackNames, paintTracks, tracksOf } from "./tracks.js";

/** Beyond so many clusters, the lines between them are thin. */
const CROWDED = 24;

export class Figure {
  constructor(app, canvas, overlay) {
    Object.assign(this, { app, canvas, overlay });
    this.tracks = app.sides.map(tracksOf);
    this.trees = app.sides.map((side) => (side.kind === "tree" && side.most > 1 ? new Dendrogram(side) : null));
    this.marked = [null, null];
    this.cursor = null;
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** Divide the room between the parts of the figure. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.parts = geometry(this.app.sides, width, height, this.tracks.map((tracks) => tracks.length));
    const { box } = this.parts, [rows, columns] = this.app.axes;
    Object.assign(rows, { start: box.y, length: box.height });
    Object.assign(columns, { start: box.x, length: box.width });
    return width > 0;
  }

  draw() {
    if (!this.measure()) return;
    this.paint();
    this.overlay.replaceChildren();
    const { width, height } = this.parts;
    this.overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.defineClips();
    this.app.sides.forEach((side, i) => this.drawSide(side, i));
    this.drawBorders();
    this.cross = svg("g", this.overlay, { class: "cross" });
    this.drawCross();
  }

  /** Paint what has many cells: the matrix and the tracks. */
  paint() {
    const ratio = Math.min(2, window.devicePixelRatio || 1), { box, width, height, strips } = this.parts;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { blocks, scale, axes } = this.app;
    const image = paint(blocks, scale, ...axes, Math.round(box.width * ratio), Math.round(box.height * ratio));
    context.imageSmoothingEnabled = false;
    context.drawImage(image, box.x, box.y, box.width, box.height);
    axes.forEach((axis, i) => paintTracks(context, this.tracks[i], axis, strips[i].tracks, scale.dark));
  }

  /** Define the areas that drawings are cut off at. */
  defineClips() {
    const defs = svg("defs", this.overlay), { box, strips } = this.parts;
    const areas = { matrix: box };
    this.app.axes.forEach((axis, i) => {
      areas[axis.side.what] = rectangle(axis.side, [axis.start, axis.end], [0, strips[i].end]);
    });
    for (const [name, { x, y, width, height }] of Object.entries(areas)) {
      svg("rect", svg("clipPath", defs, { id: `clip-${name}` }), { x, y, width, height });
    }
  }

  drawSide(side, i) {
    const axis = this.app.axes[i], strip = this.parts.strips[i], other = this.app.sides[1 - i];
    const clipped = svg("g", this.overlay, { "clip-path": `url(#clip-${side.what})` });
    if (this.trees[i]) drawTree(clipped, this.trees[i], axis, strip.tree);
    else if (side.kind === "path") drawPath(clipped, side, axis, strip.tree);
    if (strip.bar) {
      this.drawBars(clipped, side, axis, strip.bar);
      drawNumbers(clipped, side, axis, strip.bar, inkOn);
    }
    drawTrackNames(this.overlay, this.tracks[i], side, axis, strip.tracks);
    const { box, names } = this.parts, draw = i === 0 ? drawRowLabels : drawColumnLabels;
    draw(this.overlay, side, other, axis, i === 0 ? box.x + box.width : box.y + box.height, names[i], this.marked[i]);
  }

  drawBars(parent, side, axis, stretch) {
    side.labelAt.forEach((label, place) => {
      const seen = axis.visible(side.edges[place], side.edges[place + 1]);
      if (!seen) return;
      const gap = Math.min(1, (seen[1] - seen[0]) / 4), chosen = this.app.isSelected(side, label);
      svg("rect", parent, {
        ...rectangle(side, [seen[0] + gap, seen[1] - gap], stretch), fill: side.colour(label),
        class: chosen ? "bar selected" : "bar", "data-side": side.what, "data-label": label,
      });
    });
  }

  /** Draw the lines between clusters, as gaps between blocks. */
  drawBorders() {
    const { box } = this.parts, [rows, columns] = this.app.axes;
    const group = svg("g", this.overlay, { "clip-path": "url(#clip-matrix)", class: "borders" });
    const crowded = rows.side.k > CROWDED || columns.side.k > CROWDED;
    group.setAttribute("stroke-width", crowded ? 1 : 2.5);
    const lines = [
      ...rows.side.edges.slice(1, -1).map((edge) => `M${box.x},${rows.at(edge)}h${box.width}`),
      ...columns.side.edges.slice(1, -1).map((edge) => `M${columns.at(edge)},${box.y}v${box.height}`),
    ];
    if (lines.length) svg("path", group, { d: lines.join("") });
  }

  /** Draw the cell that is read by keys, and what was searched for. */
  drawCross() {
    const { box } = this.parts, [rows, columns] = this.app.axes;
    this.cross.replaceChildren();
    const group = svg("g", this.cross, { "clip-path": "url(#clip-matrix)" });
    const [row, column] = this.marked;
    if (row !== null) {
      const { y, height } = thick(rows, row);
      svg("rect", group, { x: box.x - 1, y, width: box.width + 2, height, class: "mark" });
    }
    if (column !== null) {
      const { y: x, height: width } = thick(columns, column);
      svg("rect", group, { x, y: box.y - 1, width, height: box.height + 2, class: "mark" });
    }
    if (this.cursor) {
      const across = thick(columns, this.cursor[1]), along = thick(rows, this.cursor[0]);
      svg("rect", group, { x: across.y, y: along.y, width: across.height, height: along.height, class: "cursor" });
    }
    this.nameMarked();
  }

  /** Name what was searched for, if its own name has no room. */
  nameMarked() {
    const { box, names } = this.parts;
    this.app.axes.forEach((axis, i) => {
      const item = this.app.found[i], unit = this.marked[i];
      if (item === null || unit === null) return;
      const at = axis.at(unit + 0.5), text = short(axis.side.name(item), 30);
      const named = axis.side.sizeOfUnit(unit) === 1 && axis.at(unit + 1) - axis.at(unit) >= LEGIBLE;
      if (named || at < axis.start || at > axis.end) return;
      const width = i === 0 ? names[0] : widthOf(text) + 14, behind = { width, height: 17, fill: styled("--page") };
      const [x, y] = i === 0 ? [box.x + box.width + 2, at + 4] : [at - width / 2, box.y + box.height + 14];
      svg("rect", this.cross, { x, y: y - 12, ...behind });
      svg("text", this.cross, { x: x + 4, y, class: "found" }, text);
    });
  }

  /** Return the units of rows and columns at a point; null where there is none. */
  under(x, y) {
    const [rows, columns] = this.app.axes, { box } = this.parts;
    const row = x < box.x + box.width + 1 ? rows.unitAt(y) : null;
    const column = y < box.y + box.height + 1 ? columns.unitAt(x) : null;
    return [row, column];
  }
}

/** Return where a unit is, at least a few pixels thick. */
function thick(axis, unit) {
  const a = axis.at(unit), b = axis.at(unit + 1), size = Math.max(3, b - a);
  return { y: (a + b) / 2 - size / 2, height: size };
}
