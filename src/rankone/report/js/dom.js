// Elements of the page, and texts that are safe and short enough to show.

/** Return the element with an id. */
export const $ = (id) => document.getElementById(id);

/** Create an element. Texts are never parsed as HTML. */
export function element(tag, text, parent, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (parent) parent.appendChild(made);
  return made;
}

/** Create an element of a drawing. */
export function svg(tag, parent, attributes = {}, text = null) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== null) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}

/** Create a button that calls a function. */
export function button(text, parent, action, attributes = {}) {
  const made = element("button", text, parent, { type: "button", ...attributes });
  made.addEventListener("click", action);
  return made;
}

/** Format a number with four digits, or fewer. */
export function shown(x, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  let text = size >= 1000 ? x.toFixed(0) : x.toPrecision(digits);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) text = x.toExponential(2).replace("e+", "e");
  if (text.includes(".") && !text.includes("e")) text = text.replace(/\.?0+$/, "");
  return text.replaceAll("-", "−");
}

/** Format a share. */
export const percent = (share) => (share > 0.995 && share < 1 ? "> 99 %" : `${Math.round(100 * share)} %`);

/** Control characters and marks of direction, with which a name could disguise itself. */
// oxlint-disable-next-line no-control-regex
const MARKS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Shorten long names in the middle, and replace characters that cannot be seen. */
export function short(name, most = 40) {
  const letters = Array.from(name.slice(0, 500).replace(MARKS, "\ufffd"));
  if (letters.length <= most && name.length <= 500) return letters.join("");
  const kept = Math.max(2, Math.floor((most - 1) * 0.6));
  const end = Array.from(name.slice(-60).replace(MARKS, "\ufffd")).slice(-Math.max(1, most - 1 - kept));
  return [...letters.slice(0, kept), "…", ...end].join("");
}

const measuring = document.createElement("canvas").getContext("2d");

/** Return the width of a text of the figure, in pixels. */
export function widthOf(text) {
  measuring.font = "11.5px system-ui, -apple-system, 'Segoe UI', sans-serif";
  return measuring.measureText(text).width;
}

/** Shorten a text so that it fits into some pixels. */
export function fitted(text, room) {
  let most = Math.min(80, text.length);
  while (most > 3 && widthOf(short(text, most)) > room) most--;
  return short(text, most);
}

/** Cut off the end of a text so that it fits into some pixels. */
export function clipped(text, room) {
  let most = text.length;
  while (most > 3 && widthOf(`${text.slice(0, most)}…`) > room) most--;
  return most === text.length ? text : `${text.slice(0, most).trimEnd()}…`;
}

export const plural = (n, thing) => (n === 1 ? `1 ${thing}` : `${n.toLocaleString("en")} ${thing}s`);

export const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

/** Return a value of the style sheet. */
export const styled = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
