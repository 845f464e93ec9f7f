"use strict";
// The page is drawn from one block of data: names, scores, what the sliders walk, and the cells of
// the matrix. A stop of a side is a number of clusters: of its tree, one of whose partitions are the
// fitted labels; or, without a tree, on the exact path of its scores, where 0 is for these labels.

const INK_OF_CLUSTERS = [
  "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#B8A800", "#777777",
];
const NOTHING = 65535;                      // the code of a cell without observed entries
const GREY = 0xffbbbbbb;
const PANEL = { left: 92, top: 78, strip: 9, gap: 5 };
const TYPES = { u2: Uint16Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array };
const SIDES = ["rows", "columns"];
const one = { rows: "row", columns: "column" };

const $ = (id) => document.getElementById(id);

function element(tag, text, parent, attributes) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  if (parent) parent.appendChild(made);
  return made;
}

function svg(tag, parent, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent.appendChild(made);
  return made;
}

/** Format a number for display. */
function shown(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  let text = size >= 1000 ? x.toFixed(0) : x.toPrecision(4);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) text = x.toExponential(2).replace("e+", "e");
  if (text.includes(".") && !text.includes("e")) text = text.replace(/\.?0+$/, "");
  return text.replaceAll("-", "−");
}

/** Shorten long names in the middle, and replace control characters and direction marks. */
function short(name, most = 40) {
  const marks = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
  const letters = Array.from(name.slice(0, 500).replace(marks, "\ufffd"));
  if (letters.length <= most) return letters.join("");
  const end = Array.from(name.slice(-20).replace(marks, "\ufffd")).slice(-8);
  return [...letters.slice(0, most - 12), " … ", ...end].join("");
}

function plural(n, what) {
  return n === 1 ? `1 ${what}` : `${n} ${what}s`;
}

async function unpacked() {
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

/** One side of the matrix: rows or columns, at a stop. */
class Side {
  constructor(what, data, arrays) {
    Object.assign(this, data);
    Object.assign(this, { what, nUnits: data.unit_count });
    for (const name of ["scores", "confidence", "labels", "units", "leaves"]) {
      this[name] = arrays[`${what}/${name}`];
    }
    this.fitted = this.labels;
    this.home = this.leaves ? this.chosen : 0;  // the stop of the fitted labels
    this.n = this.scores.length;
    const scores = this.scores;
    this.ascending = Uint32Array.from(scores.keys()).sort((a, b) => scores[a] - scores[b] || a - b);
    this.members = Array.from({ length: this.nUnits }, () => []);
    for (const i of this.ascending) this.members[this.units[i]].push(i);
    this.middle = this.members.map((own) => own[own.length >> 1]);
    this.unitScore = this.members.map((own) => own.reduce((sum, i) => sum + scores[i], 0) / own.length);
    this.range = [scores[this.ascending[0]], scores[this.ascending[this.n - 1]]];
    this.go(this.home);
  }

  /** Go to a stop. */
  go(stop) {
    this.stop = stop;
    this.labels = stop === this.home ? this.fitted : this.labelsAt(this.stops[stop - 1]);
    this.k = this.labels.reduce((most, label) => Math.max(most, label), 0) + 1;
    this.sizes = new Array(this.k).fill(0);
    this.levels = new Array(this.k).fill(0);
    for (let i = 0; i < this.n; i++) {
      this.sizes[this.labels[i]]++;
      this.levels[this.labels[i]] += this.scores[i];
    }
    this.levels = this.levels.map((sum, label) => sum / this.sizes[label]);
    this.unitLabel = this.middle.map((i) => this.labels[i]);
    this.order = Uint32Array.from(this.middle.keys()).sort(
      (a, b) => this.unitLabel[a] - this.unitLabel[b] || this.unitScore[a] - this.unitScore[b] || a - b,
    );
    this.place = new Uint32Array(this.nUnits);
    this.order.forEach((unit, position) => { this.place[unit] = position; });
    this.borders = [];
    for (let at = 1; at < this.nUnits; at++) {
      if (this.unitLabel[this.order[at]] !== this.unitLabel[this.order[at - 1]]) this.borders.push(at);
    }
  }

  /** Return the labels of a partition: of the leaves of the tree, or of the ascending scores. */
  labelsAt({ clusters, breaks }) {
    if (clusters) return this.leaves.map((leaf) => clusters[leaf]);
    const labels = new Uint16Array(this.n);
    let label = 0;
    this.ascending.forEach((i, position) => {
      while (label < breaks.length && breaks[label] <= position) label++;
      labels[i] = label;
    });
    return labels;
  }

  /** Return the members that belong most clearly to a cluster. */
  typical(label, most) {
    const own = [];
    for (let i = 0; i < this.n; i++) if (this.labels[i] === label) own.push(i);
    const level = this.levels[label];
    const sure = (i) => (this.stop === this.home ? Math.round(this.confidence[i] * 1e6) : 0);
    const far = (i) => Math.abs(this.scores[i] - level);
    return own.sort((a, b) => sure(b) - sure(a) || far(a) - far(b)).slice(0, most);
  }

  csv() {
    const lines = [["name", "label", "score"]];
    for (let i = 0; i < this.n; i++) lines.push([this.names[i], this.labels[i], this.scores[i]]);
    return lines.map((line) => line.map(csvCell).join(",")).join("\n") + "\n";
  }
}

/** Format a CSV cell so that no spreadsheet evaluates it as a formula. */
function csvCell(value) {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? "'" + value : value;
  return /[",\n\r]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
}

/** Return the value of each code; NaN for codes without one. */
function decoded({ table, centre, scale, least, step }) {
  const values = new Float64Array(NOTHING + 1).fill(NaN);
  const size = table ? table.length : NOTHING;
  for (let code = 0; code < size; code++) {
    values[code] = table ? table[code] : centre + scale * Math.sinh(least + step * code);
  }
  return values;
}

/** The matrix, its colours, and the means of its blocks. */
class Picture {
  constructor(data, rows, columns) {
    Object.assign(this, { rows, columns, cells: data.arrays.cells, counts: data.arrays.counts });
    this.values = decoded(data.values);
    this.originals = data.arrays.originals;  // of a prepared matrix
    this.originalValues = this.originals ? decoded(data.original_values) : null;
    Object.assign(this, { limits: data.limits, range: data.range, anchors: data.colours });
    this.codeColours = new Uint32Array(NOTHING + 1).fill(GREY);
    for (let code = 0; code < NOTHING && !Number.isNaN(this.values[code]); code++) {
      const [r, g, b] = this.colour(this.values[code]);
      this.codeColours[code] = (255 << 24) | (b << 16) | (g << 8) | r;
    }
    this.image = document.createElement("canvas");
    this.image.width = columns.nUnits;
    this.image.height = rows.nUnits;
  }

  colour(value) {
    const [low, high] = this.limits;
    const share = high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5;
    const at = share * (this.anchors.length - 1);
    const i = Math.min(Math.floor(at), this.anchors.length - 2);
    return this.anchors[i].map((x, channel) => Math.round(x + (at - i) * (this.anchors[i + 1][channel] - x)));
  }

  /** Paint the cells in the current order, and compute the block means. */
  arrange() {
    const { rows, columns } = this;
    const width = columns.nUnits;
    const context = this.image.getContext("2d");
    const pixels = context.createImageData(width, rows.nUnits);
    const target = new Uint32Array(pixels.data.buffer);
    const sums = Array.from({ length: rows.k }, () => new Float64Array(columns.k));
    const counts = Array.from({ length: rows.k }, () => new Float64Array(columns.k));
    const columnLabel = Uint16Array.from(columns.unitLabel);
    const columnSize = Uint32Array.from(columns.members, (own) => own.length);
    for (let y = 0, at = 0; y < rows.nUnits; y++) {
      const row = rows.order[y], start = row * width;
      const label = rows.unitLabel[row], size = rows.members[row].length;
      for (let x = 0; x < width; x++, at++) {
        const column = columns.order[x], code = this.cells[start + column];
        target[at] = this.codeColours[code];
        if (code !== NOTHING) {
          const weight = this.counts ? this.counts[start + column] : size * columnSize[column];
          sums[label][columnLabel[column]] += weight * this.values[code];
          counts[label][columnLabel[column]] += weight;
        }
      }
    }
    context.putImageData(pixels, 0, 0);
    this.means = sums.map((line, i) => Array.from(line, (sum, j) => (counts[i][j] ? sum / counts[i][j] : NaN)));
  }
}

/** The canvas: the matrix sorted into blocks, with the scores along its sides. */
class View {
  constructor(canvas, picture, tip) {
    Object.assign(this, { canvas, picture, tip, marked: [null, null] });
    this.sides = [picture.rows, picture.columns];
    this.reset();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  reset() {
    this.window = this.sides.map((side) => [0, side.nUnits]);
  }

  /** Return the rectangle of the matrix on the canvas. */
  frame() {
    const { left, top, strip, gap } = PANEL;
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    const x = left + strip + gap, y = top + strip + gap;
    return { x, y, width: Math.max(10, width - x - 1), height: Math.max(10, height - y - 1) };
  }

  draw() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth) return;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    const whole = this.window.every(([from, to], i) => to - from >= this.sides[i].nUnits);
    this.canvas.style.touchAction = whole ? "pan-y" : "none";  // so that fingers can scroll past
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(document.body);
    this.ink = style.getPropertyValue("--ink").trim();
    this.page = style.getPropertyValue("--page").trim();
    context.font = `12px ${style.fontFamily}`;
    this.drawCells(context);
    this.drawScores(context, 0);
    this.drawScores(context, 1);
  }

  drawCells(context) {
    const box = this.frame();
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.width, box.height);
    context.clip();
    this.drawImage(context, box);
    const crowded = this.sides.some((side) => side.borders.length > 15);
    for (const [style, width] of [[this.page, crowded ? 1.5 : 3], [this.ink, crowded ? 0.5 : 1]]) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.beginPath();
      for (const at of this.sides[0].borders) this.line(context, 0, at);
      for (const at of this.sides[1].borders) this.line(context, 1, at);
      context.stroke();
    }
    context.strokeStyle = "#D55E00";
    context.lineWidth = 2;
    context.beginPath();
    this.marked.forEach((unit, i) => {
      if (unit !== null) this.line(context, i, this.sides[i].place[unit] + 0.5);
    });
    context.stroke();
    context.restore();
  }

  /** Draw the cells: averaged along axes where they are smaller than pixels, sharp elsewhere. */
  drawImage(context, box) {
    const [[top, bottom], [left, right]] = this.window.map(([from, to]) => [Math.floor(from), Math.ceil(to)]);
    const shrunk = document.createElement("canvas");
    shrunk.width = Math.min(right - left, Math.ceil(box.width));
    shrunk.height = Math.min(bottom - top, Math.ceil(box.height));
    shrunk.getContext("2d").drawImage(
      this.picture.image, left, top, right - left, bottom - top, 0, 0, shrunk.width, shrunk.height,
    );
    const x = this.at(1, left), y = this.at(0, top);
    context.imageSmoothingEnabled = false;
    context.drawImage(shrunk, x, y, this.at(1, right) - x, this.at(0, bottom) - y);
  }

  /** Return the canvas coordinate of a position among the rows (0) or the columns (1). */
  at(i, position) {
    const box = this.frame(), [from, to] = this.window[i];
    const share = (position - from) / (to - from);
    return i === 0 ? box.y + share * box.height : box.x + share * box.width;
  }

  line(context, i, position) {
    const box = this.frame(), place = this.at(i, position);
    if (i === 0) { context.moveTo(box.x, place); context.lineTo(box.x + box.width, place); }
    else { context.moveTo(place, box.y); context.lineTo(place, box.y + box.height); }
  }

  drawScores(context, i) {
    const side = this.sides[i], box = this.frame(), [from, to] = this.window[i];
    const room = i === 0 ? PANEL.left : PANEL.top;
    const [low, high] = side.range;
    const across = (score) => {
      const share = high > low ? (score - low) / (high - low) : 0.5;
      return i === 0 ? 20 + share * (room - 28) : room - 6 - share * (room - 26);
    };
    const dot = (place, value) => (i === 0 ? [value, place] : [place, value]);
    context.save();
    context.beginPath();
    if (i === 0) context.rect(0, box.y, box.x, box.height);
    else context.rect(box.x, 0, box.width, box.y);
    context.clip();
    const pixels = i === 0 ? box.height : box.width;
    const step = Math.max(1, Math.floor((to - from) / (2 * pixels)));
    const size = Math.min(4, Math.max(1.6, pixels / (to - from) / 2));
    for (let at = Math.max(0, Math.floor(from)); at < Math.min(side.nUnits, Math.ceil(to)); at += step) {
      const unit = side.order[at];
      const [x, y] = dot(this.at(i, at + 0.5), across(side.unitScore[unit]));
      context.fillStyle = INK_OF_CLUSTERS[side.unitLabel[unit] % 8];
      context.fillRect(x - size / 2, y - size / 2, size, size);
    }
    const edges = [0, ...side.borders, side.nUnits];
    for (let piece = 0; piece + 1 < edges.length; piece++) {
      const label = side.unitLabel[side.order[edges[piece]]];
      const a = this.at(i, edges[piece]), b = this.at(i, edges[piece + 1]);
      context.strokeStyle = this.ink;
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(...dot(a, across(side.levels[label])));
      context.lineTo(...dot(b, across(side.levels[label])));
      context.stroke();
      context.fillStyle = INK_OF_CLUSTERS[label % 8];
      const [x, y] = dot(a, room);
      if (i === 0) context.fillRect(x, y + 1, PANEL.strip, b - a - 2);
      else context.fillRect(x + 1, y, b - a - 2, PANEL.strip);
      const [start, end] = i === 0 ? [box.y, box.y + box.height] : [box.x, box.x + box.width];
      const first = Math.max(a, start), last = Math.min(b, end);
      if (last - first > 14) {
        context.fillStyle = this.ink;
        context.textAlign = i === 0 ? "left" : "center";
        context.textBaseline = i === 0 ? "middle" : "top";
        const middle = (first + last) / 2;
        if (i === 0) context.fillText(String(label), 0, middle);
        else context.fillText(String(label), middle, 0);
      }
    }
    context.restore();
  }

  /** Return the units of rows and columns at the pointer, or null. */
  under(event) {
    const around = this.canvas.getBoundingClientRect(), box = this.frame();
    const x = (event.clientX - around.left - box.x) / box.width;
    const y = (event.clientY - around.top - box.y) / box.height;
    if (x > 1 || y > 1 || (x < 0 && y < 0)) return null;
    return [[y, 0], [x, 1]].map(([share, i]) => {
      if (share < 0) return null;
      const [from, to] = this.window[i];
      return this.sides[i].order[Math.min(this.sides[i].nUnits - 1, Math.floor(from + share * (to - from)))];
    });
  }

  describe(units) {
    const lines = units.map((unit, i) => {
      if (unit === null) return null;
      const side = this.sides[i], members = side.members[unit], single = members.length === 1;
      const names = members.slice(0, 3).map((j) => short(side.names[j], 30)).join(", ");
      const rest = members.length > 3 ? `, … (${members.length})` : "";
      const score = single ? `, score ${shown(side.scores[members[0]])}` : "";
      return `${single ? one[side.what] : side.what} ${names}${rest}: cluster ${side.unitLabel[unit]}${score}`;
    }).filter((line) => line !== null);
    const [row, column] = units;
    if (row !== null && column !== null) {
      const { rows, columns } = this.picture;
      const { values, cells, originals, originalValues } = this.picture;
      const at = row * columns.nUnits + column, value = values[cells[at]];
      const single = rows.members[row].length * columns.members[column].length === 1;
      const original = originals ? originalValues[originals[at]] : value;
      const prepared = originals ? `, prepared ${shown(value)}` : "";
      lines.push(Number.isNaN(value) ? "missing" : `${single ? "value" : "mean of entries"} ${shown(original)}${prepared}`);
      lines.push(`block mean ${shown(this.picture.means[rows.unitLabel[row]][columns.unitLabel[column]])}`);
    }
    return lines;
  }

  hover(event) {
    const units = this.under(event);
    this.tip.hidden = units === null;
    if (units === null) return;
    this.tip.replaceChildren(...this.describe(units).map((line) => element("div", line)));
    const room = document.documentElement.clientWidth - this.tip.offsetWidth - 8;
    this.tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, room))}px`;
    const below = event.clientY + 18 + this.tip.offsetHeight < window.innerHeight;
    this.tip.style.top = `${below ? event.clientY + 18 : event.clientY - this.tip.offsetHeight - 10}px`;
  }

  /** Zoom by a factor around shares of the window. */
  zoom(factor, shares = [0.5, 0.5]) {
    this.window = this.window.map(([from, to], i) => {
      const n = this.sides[i].nUnits;
      const size = Math.min(n, Math.max(Math.min(n, 4), (to - from) * factor));
      const start = from + shares[i] * (to - from - size);
      return this.inside(i, start, size);
    });
    this.draw();
  }

  inside(i, start, size) {
    const n = this.sides[i].nUnits;
    const from = Math.min(Math.max(0, start), n - size);
    return [from, from + size];
  }

  pan(rows, columns) {
    this.window = this.window.map(([from, to], i) => this.inside(i, from + [rows, columns][i] * (to - from), to - from));
    this.draw();
  }

  listen() {
    const canvas = this.canvas, pointers = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event);
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) { this.hover(event); return; }
      const box = this.frame();
      if (pointers.size === 2) {
        const other = [...pointers.values()].find((pointer) => pointer.pointerId !== event.pointerId);
        const apart = (p) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY) || 1;
        this.zoom(apart(before) / apart(event));
      } else {
        this.pan((before.clientY - event.clientY) / box.height, (before.clientX - event.clientX) / box.width);
      }
      pointers.set(event.pointerId, event);
      this.tip.hidden = true;
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(kind, (event) => {
        pointers.delete(event.pointerId);
        if (kind === "pointerup") this.hover(event);
      });
    }
    canvas.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") this.tip.hidden = true;  // a tap shows it, the next moves it
    });
    canvas.addEventListener("wheel", (event) => {
      if (!(event.ctrlKey || event.metaKey || document.activeElement === canvas)) return;  // the page scrolls
      event.preventDefault();
      const around = canvas.getBoundingClientRect(), box = this.frame();
      const share = (x) => Math.min(1, Math.max(0, x));
      this.zoom(Math.exp(event.deltaY / 400), [
        share((event.clientY - around.top - box.y) / box.height),
        share((event.clientX - around.left - box.x) / box.width),
      ]);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;  // those are the browser's
      this.tip.hidden = true;
      const moves = { ArrowUp: [-0.1, 0], ArrowDown: [0.1, 0], ArrowLeft: [0, -0.1], ArrowRight: [0, 0.1] };
      if (event.key in moves) this.pan(...moves[event.key]);
      else if (event.key === "+" || event.key === "=") this.zoom(0.7);
      else if (event.key === "-") this.zoom(1 / 0.7);
      else if (event.key === "0" || event.key === "Home") { this.reset(); this.draw(); }
      else return;
      event.preventDefault();
    });
  }
}

/** The slider of a side, its curve, and its buttons. */
class Control {
  constructor(side, changed) {
    Object.assign(this, { side, changed });
    const what = side.what;
    this.slider = $(`${what}-slider`);
    this.slider.min = side.leaves ? 1 : 0;
    this.slider.max = side.stops.length;
    this.fittedButton = $(`${what}-fitted`);
    this.said = $(`${what}-said`);
    this.curve = $(`${what}-curve`);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.fittedButton.addEventListener("click", () => this.go(side.home));
    $(`${what}-download`).addEventListener("click", () => this.download());
    this.drawCurve();
    this.show();
  }

  go(stop) {
    this.side.go(stop);
    this.show();
    this.changed();
  }

  /** Say what the clusters of the current stop are. */
  describe() {
    const { side } = this, clusters = plural(side.k, "cluster");
    if (side.stop === 0) return `${clusters}, as fitted`;
    const { lam, criterion } = side.stops[side.stop - 1];
    const value = criterion === null ? "" : `; ${side.criterion_name} ${shown(criterion)}`;
    if (side.leaves) {
      const { kinds } = side.stops[side.stop - 1], reason = side.stop === side.chosen ? side.reason : "of the tree";
      return `${clusters} ${reason}${kinds ? `; ${kinds}` : ""}${value}`;
    }
    const [low, high] = lam;
    const where = low === high ? "not optimal for any lam" : `lam ${shown(low)} to ${high === null ? "∞" : shown(high)}`;
    return `${clusters} of the scores: ${where}${value}${side.stop === side.chosen ? "; selected" : ""}`;
  }

  show() {
    const { side } = this;
    this.slider.value = side.stop;
    const said = this.describe();
    this.said.textContent = said;
    this.slider.setAttribute("aria-valuetext", said);
    this.fittedButton.setAttribute("aria-pressed", String(side.stop === side.home));
    const count = side.fitted.reduce((most, label) => Math.max(most, label), 0) + 1;
    this.fittedButton.textContent = `${side.leaves ? "Answer" : "As fitted"}: ${count}`;
    this.points.forEach((point, i) => {
      point.setAttribute("class", i + 1 === side.stop ? "point now" : i + 1 === side.chosen ? "point chosen" : "point");
      point.setAttribute("r", i + 1 === side.stop ? 5 : i + 1 === side.chosen ? 4 : 2.5);
    });
  }

  drawCurve() {
    const { side, curve } = this, width = 320, height = 110;
    curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const values = side.stops.map((stop) => stop.criterion);
    const known = values.filter((value) => value !== null);
    const low = Math.min(...known), high = Math.max(...known);
    const x = (i) => 14 + (i / Math.max(1, values.length - 1)) * (width - 28);
    const y = (value) => height - 26 - ((value - low) / (high - low || 1)) * (height - 52);
    svg("line", curve, { x1: 10, x2: width - 10, y1: height - 18, y2: height - 18, class: "axis" });
    const every = Math.ceil(values.length / 10);
    values.forEach((_, i) => {
      if (i % every === 0) {
        svg("text", curve, { x: x(i), y: height - 4, "text-anchor": "middle" }).textContent = String(i + 1);
      }
    });
    const path = values.map((value, i) => (value === null ? null : `${x(i)},${y(value)}`)).filter((p) => p);
    svg("polyline", curve, { points: path.join(" "), class: "curve" });
    if (known.length) svg("text", curve, { x: 10, y: 11 }).textContent = `${side.criterion_name}: higher is better`;
    this.points = values.map((value, i) => {
      const point = svg("circle", curve, { cx: x(i), cy: value === null ? height - 18 : y(value), r: 2.5 });
      if (value === null && !side.leaves) point.setAttribute("visibility", "hidden");
      point.addEventListener("click", () => this.go(i + 1));
      return point;
    });
  }

  download() {
    const url = URL.createObjectURL(new Blob([this.side.csv()], { type: "text/csv" }));
    const link = element("a", null, null, { href: url, download: `${this.side.what}.csv` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}

/** Return the relative luminance of a colour, 0 to 1, as defined by WCAG. */
function luminance(...channels) {
  const [r, g, b] = channels.map((x) => (x <= 10 ? x / 3295 : ((x / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function drawTables(picture) {
  const { rows, columns } = picture;
  for (const side of [rows, columns]) {
    const body = $(`${side.what}-table`);
    body.replaceChildren();
    for (let label = 0; label < side.k; label++) {
      const line = element("tr", null, body);
      const cell = element("td", null, line);
      element("span", null, cell, { class: "chip" }).style.background = INK_OF_CLUSTERS[label % 8];
      element("span", String(label), cell);
      element("td", String(side.sizes[label]), line, { class: "number" });
      element("td", shown(side.levels[label]), line, { class: "number" });
      const names = side.typical(label, 5).map((i) => short(side.names[i], 24)).join(", ");
      element("td", names + (side.sizes[label] > 5 ? ", …" : ""), line, { class: "names" });
    }
  }
  const head = $("blocks-head"), body = $("blocks-body");
  head.replaceChildren();
  body.replaceChildren();
  element("th", "rows \\ columns", head);
  for (let column = 0; column < columns.k; column++) element("th", String(column), head, { scope: "col" });
  picture.means.forEach((means, row) => {
    const line = element("tr", null, body);
    element("th", String(row), line, { scope: "row" });
    for (const mean of means) {
      const cell = element("td", shown(mean), line, { class: "number" });
      if (Number.isNaN(mean)) continue;
      const [r, g, b] = picture.colour(mean);
      cell.style.background = `rgb(${r},${g},${b})`;
      cell.style.color = luminance(r, g, b) > 0.179 ? "#000" : "#fff";
    }
  });
}

/** Set up the search for names, and return a function that repeats it after labels changed. */
function listenToSearch(view) {
  const box = $("search"), results = $("results"), most = 12;
  const show = (i, j) => {
    const side = view.sides[i], unit = side.units[j];
    view.marked[i] = unit;
    const size = Math.min(side.nUnits, Math.max(10, side.nUnits / 8));
    view.window[i] = view.inside(i, side.place[unit] - size / 2, size);
    view.draw();
    view.canvas.scrollIntoView({ block: "nearest" });
  };
  const find = () => {
    results.replaceChildren();
    const wanted = box.value.toLowerCase();
    if (!wanted) { view.marked = [null, null]; view.draw(); return; }
    view.sides.forEach((side, i) => {
      const matches = [];
      side.names.forEach((name, j) => { if (name.toLowerCase().includes(wanted)) matches.push(j); });
      for (const j of matches.slice(0, most)) {
        const text = `${one[side.what]} ${short(side.names[j])}: cluster ${side.labels[j]}`;
        element("button", text, element("li", null, results), { type: "button" })
          .addEventListener("click", () => show(i, j));
      }
      if (matches.length > most) element("li", `and ${matches.length - most} more ${side.what}`, results);
    });
    if (!results.children.length) element("li", "no matching row or column", results);
  };
  box.addEventListener("input", find);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") results.querySelector("button")?.click();
  });
  return () => { if (box.value) find(); };
}

function drawScale(picture) {
  const context = $("scale").getContext("2d"), { width, height } = $("scale");
  const [low, high] = picture.limits;
  for (let x = 0; x < width; x++) {
    context.fillStyle = `rgb(${picture.colour(low + (x / (width - 1)) * (high - low)).join(",")})`;
    context.fillRect(x, 0, 1, height);
  }
  $("scale-low").textContent = (picture.range[0] < low ? "≤ " : "") + shown(low);
  $("scale-high").textContent = (picture.range[1] > high ? "≥ " : "") + shown(high);
  $("nothing").hidden = !picture.cells.includes(NOTHING);
}

async function main() {
  const data = await unpacked();
  const [rows, columns] = SIDES.map((what, i) => new Side(what, data.sides[i], data.arrays));
  const picture = new Picture(data, rows, columns);
  $("plain").hidden = true;
  $("explore").hidden = false;
  const view = new View($("matrix"), picture, $("tip"));
  const find = listenToSearch(view);
  const arrange = () => {
    picture.arrange();
    view.draw();
    drawTables(picture);
    find();
  };
  arrange();
  for (const side of [rows, columns]) new Control(side, arrange);
  drawScale(picture);
  $("zoom-in").addEventListener("click", () => view.zoom(0.7));
  $("zoom-out").addEventListener("click", () => view.zoom(1 / 0.7));
  $("zoom-all").addEventListener("click", () => { view.reset(); view.draw(); });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view.draw());
  document.documentElement.dataset.ready = "yes";
}

main().catch((error) => {
  $("plain").hidden = false;
  $("explore").hidden = true;
  const old = typeof DecompressionStream === "undefined";
  $("failed").textContent = old
    ? "This browser is too old to explore the clusters; the static picture shows the fitted clusters."
    : `The file is damaged (${error.message}); the static picture shows the fitted clusters.`;
  document.documentElement.dataset.ready = "failed";
});
