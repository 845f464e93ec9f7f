// The state that all pages share, and what changes it. Views listen to changes, and draw again.

import { writeAddress } from "./address.js";
import { clamp } from "./dom.js";
import { Side } from "./side.js";

export class State {
  constructor(data) {
    this.shared = Boolean(data.shared);
    this.sides = data.sides.map((header) => new Side(header, data.arrays, data.palette));
    this.selected = null;
    this.found = this.sides.map(() => null);
    this.listeners = [];
  }

  get dark() { return matchMedia("(prefers-color-scheme: dark)").matches && !matchMedia("print").matches; }

  side(what) { return this.sides.find((side) => side.what === what); }

  /** Return the sides that have clusters of their own. */
  get clustered() { return (this.shared ? this.sides.slice(0, 1) : this.sides).filter((side) => side.clustered); }

  /** Call a function after each change, with its kind: clusters, look, choices, selection, names. */
  listen(view) { this.listeners.push(view); }

  changed(kind) {
    for (const view of this.listeners) view(kind);
    cancelAnimationFrame(this.writing);
    this.writing = requestAnimationFrame(() => writeAddress(this));
  }

  /** Divide a side into another number of clusters. */
  regroup(side, k) {
    for (const each of this.shared ? this.sides : [side]) each.go(clamp(k, each.fewest, each.most));
    this.regrouped();
    this.changed("clusters");
  }

  isSelected(side, label) {
    return this.selected !== null && this.selected.what === side.what && this.selected.id === side.stop.ids[label];
  }

  /** Select a cluster: zoom to it, and list its members. */
  select(side, label) {
    this.selected = { what: side.what, id: side.stop.ids[label] };
    this.lookAt(side, label);
    this.changed("selection");
  }

  deselect() {
    if (!this.selected) return;
    this.selected = null;
    this.changed("selection");
  }
}
