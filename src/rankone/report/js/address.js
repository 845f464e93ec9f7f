// The state of the page in its address, so that a link shows the same.

/** Return what differs from the page as it opens, as the fragment of an address. */
export function written(app) {
  const state = new URLSearchParams();
  app.sides.forEach((side, i) => {
    if (!side.atAnswer) state.set(side.what, side.k);
    for (const [id, name] of Object.entries(side.renamed)) state.set(`name.${side.what}.${id}`, name);
    const axis = app.axes?.[i];
    if (axis && !axis.whole) state.set(`see.${side.what}`, axis.window.map((x) => x.toFixed(5)).join("-"));
  });
  if (app.scale) {
    const usual = { show: "entries", scale: app.blocks.relative ? "ratio" : "linear", contrast: 1 };
    for (const [name, value] of Object.entries(usual)) if (app.scale[name] !== value) state.set(name, app.scale[name]);
    if (app.axes[0].sizing !== "rows") state.set("size", app.axes[0].sizing);
  }
  if (app.selected) state.set("select", `${app.selected.what}.${app.selected.id}`);
  return state.toString();
}

/** Return the choices that an address describes; what is not understood is ignored. */
export function readAddress(app, fragment) {
  const state = new URLSearchParams(fragment.replace(/^#/, "")), choices = {};
  app.sides.forEach((side, i) => {
    const k = Number(state.get(side.what));
    if (Number.isInteger(k) && k >= side.fewest && k <= side.most) side.go(k);
    for (const [key, name] of state) {
      if (key.startsWith(`name.${side.what}.`)) side.renamed[key.split(".").slice(2).join(".")] = name.slice(0, 80);
    }
    const seen = (state.get(`see.${side.what}`) || "").split("-").map(Number);
    if (app.axes && seen.length === 2 && seen[0] >= 0 && seen[1] <= 1 && seen[0] < seen[1]) app.axes[i].window = seen;
  });
  if (["entries", "means", "residuals"].includes(state.get("show"))) choices.show = state.get("show");
  const scales = ["linear", "log", "rank", ...(app.blocks?.relative ? ["ratio"] : [])];
  if (scales.includes(state.get("scale"))) choices.scale = state.get("scale");
  const contrast = Number(state.get("contrast"));
  if (contrast >= 0.125 && contrast <= 8) choices.contrast = contrast;
  if (["rows", "root", "equal"].includes(state.get("size"))) choices.sizing = state.get("size");
  const [what, ...id] = (state.get("select") || "").split(".");
  const side = app.sides.find((each) => each.what === what);
  if (side && side.stop.ids.includes(id.join("."))) app.selected = { what, id: id.join(".") };
  return choices;
}

/** Write the state into the address, where the browser allows it. */
export function writeAddress(app) {
  const fragment = written(app);
  try {
    history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname + location.search);
  } catch {
    // Frames of notebooks have no address of their own.
  }
}
