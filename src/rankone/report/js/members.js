// The members of a cluster, as a list that grows on demand.

import { button, element, percent, short } from "./dom.js";

/** Members that are listed at a time. */
const AT_ONCE = 500;

export function drawMembers(app, side, label, parent) {
  const members = side.members(label), sure = side.confidence;
  const list = element("ol", null, parent, { class: "members", tabindex: 0 });
  let listed = 0;
  const more = button("", parent, () => grow());
  const grow = () => {
    for (const i of members.slice(listed, listed + AT_ONCE)) {
      const item = element("li", null, list);
      button(short(side.name(i), 48), item, () => app.find(side, i), { class: "plain" });
      if (sure) element("span", percent(sure[i] / 1000), item, { class: "faint" });
    }
    listed = Math.min(members.length, listed + AT_ONCE);
    more.hidden = listed === members.length;
    more.textContent = `Show more (${(members.length - listed).toLocaleString("en")} left)`;
  };
  grow();
}
