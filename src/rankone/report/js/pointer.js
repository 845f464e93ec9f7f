// The mouse and fingers on the figure: hover, click, drag, wheel, pinch.

import { numberUnder } from "./dendrogram.js";
import { clamp } from "./dom.js";
import { isRows } from "./geometry.js";
import { describeCell, describeCluster, describeNode, showTip } from "./tips.js";

/** Movements of fewer pixels are clicks. */
const STILL = 4;

/** The parts of the figure that react: clusters, nodes of trees, numbers of clusters, and cuts. */
const part = (event) => event.target.closest("[data-side], [data-cut]");

class Pointers {
  constructor(app, area) {
    Object.assign(this, { app, area, down: new Map(), cut: null, moved: 0, last: { time: 0, x: 0, y: 0 } });
    area.addEventListener("pointerdown", (event) => this.press(event));
    area.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.release(event));
    document.addEventListener("pointercancel", (event) => { this.down.delete(event.pointerId); this.cut = null; });
    area.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") showTip(null);  // a tap shows it, the next one moves it
    });
    area.addEventListener("wheel", (event) => this.turn(event), { passive: false });
  }

  /** Return where an event is in the figure. */
  local(event) {
    const around = this.area.getBoundingClientRect();
    return [event.clientX - around.left, event.clientY - around.top];
  }

  hover(event) { showTip(linesAt(this.app, part(event), ...this.local(event)), event.clientX, event.clientY); }

  press(event) {
    const line = event.target.closest("[data-cut]");
    if (line) this.cut = { what: line.dataset.cut, far: Number(line.dataset.far), near: Number(line.dataset.near) };
    this.down.set(event.pointerId, event);
    this.pressed = part(event);
    this.moved = 0;
  }

  move(event) {
    const before = this.down.get(event.pointerId);
    if (!before) { this.hover(event); return; }
    this.moved += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
    if (this.cut) this.dragCut(event);
    else if (this.moved > STILL && !this.pressed) this.pinchOrPan(before, event);
    if (this.moved > STILL) showTip(null);
    this.down.set(event.pointerId, event);
  }

  release(event) {
    const known = this.down.delete(event.pointerId), dragged = this.cut || this.moved > STILL;
    this.cut = null;
    if (!known || dragged) return;
    const { time, x, y } = this.last;
    const again = event.timeStamp - time < 350 && Math.hypot(event.clientX - x, event.clientY - y) < 20;
    this.last = { time: event.timeStamp, x: event.clientX, y: event.clientY };
    act(this.app, this.pressed, ...this.local(event), again);
    this.hover(event);
  }

  /** Move the line at which a tree is cut. */
  dragCut(event) {
    const { app, cut } = this, [x, y] = this.local(event), side = app.side(cut.what);
    const k = numberUnder(app.figure.trees[app.sides.indexOf(side)], isRows(side) ? x : y, cut.far, cut.near);
    if (k !== side.k) app.regroup(side, k);
  }

  pinchOrPan(before, event) {
    const { app } = this, { box } = app.figure.parts, [rows, columns] = app.axes;
    if (this.down.size === 2) {
      const other = [...this.down.values()].find((pointer) => pointer.pointerId !== event.pointerId);
      const apart = (p) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY) || 1;
      for (const axis of app.axes) axis.zoom(apart(before) / apart(event));
    } else {
      rows.pan((before.clientY - event.clientY) / box.height);
      columns.pan((before.clientX - event.clientX) / box.width);
    }
    app.look();
  }

  turn(event) {
    if (!(event.ctrlKey || event.metaKey || document.activeElement === this.area)) return;  // the page scrolls
    event.preventDefault();
    const point = this.local(event), factor = Math.exp(event.deltaY / 400);
    this.app.axes.forEach((axis, i) => axis.zoom(factor, clamp((point[1 - i] - axis.start) / axis.length, 0, 1)));
    this.app.look();
  }
}

export function listenToPointer(app, area) { return new Pointers(app, area); }

/** Act on a click: choose a cluster, a node or a number; a second click on a cell zooms in. */
function act(app, target, x, y, again) {
  if (target && target.dataset.label !== undefined) {
    app.select(app.side(target.dataset.side), Number(target.dataset.label));
  } else if (target && target.dataset.node !== undefined) {
    pressNode(app, app.side(target.dataset.side), target.dataset.node);
  } else if (target && target.dataset.number !== undefined) {
    app.regroup(app.side(target.dataset.side), Number(target.dataset.number));
  } else {
    const units = app.figure.under(x, y);
    if (units.includes(null)) return;
    app.figure.cursor = units;
    if (again) app.lookAtBlock(units);
    else app.figure.drawCross();
  }
}

/** Act on a click on a node: choose it if it is a cluster, otherwise zoom to it. */
function pressNode(app, side, node) {
  const i = app.sides.indexOf(side), label = side.stop.ids.indexOf(node);
  if (label >= 0) { app.select(side, label); return; }
  app.axes[i].look(...app.figure.trees[i].units(Number(node)));
  app.look();
}

/** Say what is at a point of the figure. */
function linesAt(app, target, x, y) {
  if (target && target.dataset.cut) {
    const side = app.side(target.dataset.cut);
    return [`${side.k} clusters of ${side.things}: drag this line to change their number`];
  }
  if (target && target.dataset.node !== undefined) {
    const i = app.sides.indexOf(app.side(target.dataset.side));
    return describeNode(app.figure.trees[i], Number(target.dataset.node), app.sides[1 - i]);
  }
  if (target && target.dataset.label !== undefined) {
    const side = app.side(target.dataset.side), other = app.sides[1 - app.sides.indexOf(side)];
    return describeCluster(side, Number(target.dataset.label), other);
  }
  if (target && target.dataset.number !== undefined) {
    const { number, side } = target.dataset;
    return [`${number} clusters of ${app.side(side).things}: click to choose this number`];
  }
  const units = app.figure.under(x, y);
  return units.every((unit) => unit === null) ? null : describeCell(app, units);
}
