// The answer in words: a sentence about each cluster, which opens to all that is known of it.

import { inkOn } from "./colours.js";
import { $, button, element, percent, plural, short, shown } from "./dom.js";
import { isRows } from "./geometry.js";
import { drawMembers } from "./members.js";
import { lift } from "./tips.js";

/** Words of each kind in a sentence, and members that are named below it. */
const WORDS = 4, EXAMPLES = 3, ALL = 6;

export class Words {
  constructor(app, side) {
    Object.assign(this, { app, side, list: $(`${side.what}-words`), renaming: null });
    this.other = app.sides[1 - app.sides.indexOf(side)];
  }

  show() {
    const { side, app } = this;
    const things = app.shared ? "rows and columns" : side.things;
    $(`${side.what}-heading`).textContent = `${plural(side.k, "cluster")} of ${things}`;
    this.list.replaceChildren();
    side.labelAt.forEach((label) => this.drawCluster(label, app.isSelected(side, label)));
  }

  drawCluster(label, open) {
    const { side } = this, item = element("li", null, this.list, { class: open ? "cluster open" : "cluster" });
    const chip = button(String(label), item, () => this.toggle(label), {
      class: "chip",
      "aria-expanded": String(open),
      "aria-label": `${side.title(label)}: show its members, and zoom to it`,
    });
    chip.style.background = side.colour(label);
    chip.style.color = inkOn(side.colour(label));
    const text = element("div", null, item, { class: "said" });
    const head = element("div", null, text, { class: "head" });
    element("strong", side.title(label), head);
    element("span", `, ${side.count(side.sizes[label])}`, head);
    text.addEventListener("click", () => { if (!open) this.toggle(label); });
    if (side.levels) element("p", this.range(label), text, { class: "sentence" });
    if (isRows(side)) this.drawSentence(label, text);
    this.drawExamples(label, text);
    if (!isRows(side)) this.drawSentence(label, text);
    if (open) this.drawDetails(label, item);
  }

  /** Say which values a cluster of a vector has. */
  range(label) {
    const { least, largest, level } = this.side.levels[this.side.stop.ids[label]];
    return `from ${shown(least)} to ${shown(largest)}, level ${shown(level)}`;
  }

  /** Write what is high and what is low, with numbers that appear on hovering. */
  drawSentence(label, parent) {
    if (this.side.levels) return;
    const { high, low } = this.side.contrasts(label), line = element("p", null, parent, { class: "sentence" });
    [["high", high], ["low", low]].filter(([, list]) => list.length).forEach(([how, list], part) => {
      element("span", `${part ? "; " : ""}${how} `, line, { class: how });
      if (isRows(this.side)) list.slice(0, WORDS).forEach((contrast, i) => this.drawWord(contrast, i, line));
      else this.drawRowsByCluster(list.slice(0, WORDS), line);
    });
    if (!high.length && !low.length) line.append(this.side.k > 1 ? "nothing stands out" : "all together");
  }

  drawWord(contrast, place, parent) {
    if (place) parent.append(", ");
    const tag = isRows(this.side) ? "b" : "span", name = short(this.other.name(contrast[0]), 32);
    element(tag, name, parent, { title: this.compared(contrast) });
  }

  /** Write rows in which columns are high, or low, after the numbers of their clusters. */
  drawRowsByCluster(contrasts, parent) {
    const groups = new Map();
    for (const contrast of contrasts) {
      const label = this.other.k > 1 ? this.other.labelOf(contrast[0]) : null;
      groups.set(label, [...(groups.get(label) || []), contrast]);
    }
    let first = true;
    for (const [label, list] of groups) {
      parent.append(first ? "in " : ", in ");
      first = false;
      if (label !== null) {
        const chip = element("span", String(label), parent, { class: "chip tiny", title: this.other.title(label) });
        chip.style.background = this.other.colour(label);
        chip.style.color = inkOn(this.other.colour(label));
        parent.append(" ");
      }
      list.forEach((contrast, i) => this.drawWord(contrast, i, parent));
    }
  }

  /** Say how a column compares with all rows. */
  compared([, effect, mean, overall]) {
    const how = this.app.blocks.relative
      ? `${lift(effect)} what the sums of rows and columns lead one to expect`
      : `${shown(effect, 2)} standard deviations`;
    return `${shown(mean)} on average, ${shown(overall)} overall: ${how}`;
  }

  /** Name some of the members, or all if they are few. */
  drawExamples(label, parent) {
    const { side } = this;
    if (!side.names) return;
    const many = isRows(side) ? EXAMPLES : ALL, few = side.sizes[label] <= ALL;
    const names = side.typical(label, few ? ALL : many).map((i) => short(side.name(i), 28)).join(", ");
    if (isRows(side)) element("p", `${few ? "" : "such as "}${names}`, parent, { class: "faint examples" });
    else element("p", `${names}${few ? "" : ", …"}`, parent, { class: "names-of-columns" });
  }

  toggle(label) {
    const { app, side } = this;
    if (app.isSelected(side, label)) { app.deselect(); app.lookAtAll(); }
    else app.select(side, label);
  }

  drawDetails(label, item) {
    const { side, app } = this, details = element("div", null, item, { class: "details" });
    const bar = element("div", null, details, { class: "bar" });
    button("Rename", bar, () => { this.renaming = side.stop.ids[label]; this.show(); $("new-name").focus(); });
    const copy = button("Copy members", bar, async () => {
      const names = side.members(label).map((i) => side.name(i)).join("\n");
      copy.textContent = (await copied(names)) ? "Copied" : "Copying is not allowed here";
    });
    button("Close", bar, () => this.toggle(label));
    if (this.renaming === side.stop.ids[label]) this.drawRenaming(label, details);
    this.drawContrasts(label, details);
    const sure = side.meanConfidence(...side.span(label));
    element("h4", `Members${side.confidence ? ", the most certain first" : ""}`, details);
    if (sure !== null) element("p", `Mean confidence ${percent(sure)}.`, details, { class: "faint" });
    drawMembers(app, side, label, details);
  }

  drawRenaming(label, parent) {
    const form = element("form", null, parent, { class: "bar" });
    const about = { id: "new-name", "aria-label": "New name of the cluster", maxlength: 80 };
    const box = element("input", null, form, about);
    box.value = this.side.nickname(label);
    element("button", "Save", form, { type: "submit" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.side.rename(label, box.value);
      this.renaming = null;
      this.app.changed("names");
    });
  }

  drawContrasts(label, parent) {
    const { high, low } = this.side.contrasts(label), { relative } = this.app.blocks || {};
    if (!high.length && !low.length) return;
    element("h4", "What sets it apart", parent);
    const table = element("table", null, element("div", null, parent, { class: "scroll" }));
    const head = element("tr", null, element("thead", null, table)), body = element("tbody", null, table);
    const titles = ["", "here", "overall", relative ? "times expected" : "difference"];
    for (const title of titles) element("th", title, head);
    [...high, ...[...low].reverse()].forEach(([j, effect, mean, overall]) => {
      const line = element("tr", null, body), sign = effect > 0 ? "+" : "";
      element("td", short(this.other.name(j), 32), line, { class: "names" });
      const numbers = [shown(mean, 3), shown(overall, 3), relative ? lift(effect) : `${sign}${shown(effect, 2)} sd`];
      numbers.forEach((text) => element("td", text, line, { class: "number" }));
    });
  }
}

/** Copy a text; return whether that worked. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = element("textarea", null, document.body);
    box.value = text;
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }
}
