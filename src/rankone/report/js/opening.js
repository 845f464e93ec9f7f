// What all pages do when they open: unpack the data, and connect words, sliders and search.

import { Control } from "./control.js";
import { unpacked } from "./data.js";
import { $ } from "./dom.js";
import { saveLabels } from "./download.js";
import { listenToSearch } from "./search.js";
import { Words } from "./words.js";

/** Open a page: call a function with its data; if that fails, leave what can be read without. */
export async function open(main) {
  try {
    const data = await unpacked();
    $("plain").hidden = true;
    $("explore").hidden = false;
    window.rankone = main(data);  // the state, for the console
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    $("plain").hidden = false;
    $("explore").hidden = true;
    $("failed").textContent = typeof DecompressionStream === "undefined"
      ? "This browser is too old to explore the clusters; the picture shows the fitted ones."
      : `The file is damaged (${error.message}); the picture shows the fitted clusters.`;
    document.documentElement.dataset.ready = "failed";
  }
}

/** Connect the words, sliders and downloads of all sides, and the search; return how to show them. */
export function connect(app) {
  const { clustered } = app, words = clustered.map((side) => new Words(app, side));
  const controls = clustered.filter((side) => side.most > side.fewest).map((side) => new Control(app, side));
  const search = listenToSearch(app);
  for (const side of clustered) $(`${side.what}-download`).addEventListener("click", () => saveLabels(side));
  return () => {
    for (const view of [...words, ...controls]) view.show();
    search();
  };
}
