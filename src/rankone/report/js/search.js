// Find rows and columns by their names.

import { $, button, element, short } from "./dom.js";

/** The most matches of a side that are listed. */
const MOST = 8;

/** Return how well a name matches: 0 if it is the same, 1 if it begins so, 2 otherwise; or -1. */
function quality(name, wanted) {
  if (name === wanted) return 0;
  const at = name.indexOf(wanted);
  return at < 0 ? -1 : at === 0 ? 1 : 2;
}

/** Return the matches of a side, the best first. */
function matches(side, wanted) {
  const found = [[], [], []];
  for (let i = 0; i < side.size; i++) {
    const how = quality(side.name(i).toLowerCase(), wanted);
    if (how >= 0) found[how].push({ side, i, how });
  }
  return found.flat();
}

export function listenToSearch(app) {
  const box = $("search"), results = $("results");
  const list = () => {
    results.replaceChildren();
    const wanted = box.value.trim().toLowerCase();
    if (!wanted) { app.forget(); return; }
    const sides = (app.shared ? app.sides.slice(0, 1) : app.sides).filter((side) => side.size > 1);
    const found = sides.map((side) => matches(side, wanted));
    const best = found.flatMap((of) => of.slice(0, MOST));
    const listed = [...best.filter(({ how }) => how === 0), ...best.filter(({ how }) => how !== 0)];
    for (const { side, i } of listed) {
      const cluster = side.clustered ? `: cluster ${side.labelOf(i)}` : "";
      const kind = side.names ? `${side.thing} ` : "";
      button(`${kind}${short(side.name(i))}${cluster}`, element("li", null, results), () => app.find(side, i));
    }
    found.forEach((of, s) => {
      const more = of.length - MOST;
      if (more > 0) element("li", `and ${more} more ${sides[s].things}`, results, { class: "faint" });
    });
    if (!results.children.length) element("li", "no matching row or column", results);
  };
  box.addEventListener("input", list);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") results.querySelector("button")?.click();
    if (event.key === "Escape") { box.value = ""; list(); }
  });
  return () => { if (box.value) list(); };
}
