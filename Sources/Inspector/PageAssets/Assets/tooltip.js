// What is under the pointer in a picture, beside the pointer: the story has the same in words.

const tooltip = byID("tooltip");

function showTooltip(surface, point, ...content) {
  tooltip.replaceChildren(...content);
  tooltip.hidden = false;
  const frame = surface.canvas.getBoundingClientRect();
  const [x, y] = [frame.x + point.x, frame.y + point.y];
  const { offsetWidth: width, offsetHeight: height } = tooltip;
  const [below, right] = [y + 18, x + 14];
  tooltip.style.left = `${Math.max(4, right + width > window.innerWidth - 4 ? x - width - 10 : right)}px`;
  tooltip.style.top = `${Math.max(4, below + height > window.innerHeight - 4 ? y - height - 10 : below)}px`;
}

function hideTooltip() { tooltip.hidden = true; }

const tooltipTitle = (name, about) => [element("strong", {}, name), element("p", { class: "quiet" }, about)];

function hover(surface, point, index) {
  if (point === null || index < 0) return hideTooltip();
  const time = `${isTask(index) ? "running" : "executing"} ${duration(operations.execution[index])} of ${duration(operations.total[index])}`;
  const about = [kindName(index), endingOf(index), identifier(index), ...(otherRun ? [otherRun.shownName] : [])];
  const row = otherRun?.rowOf[index] ?? -1;
  return showTooltip(surface, point, ...tooltipTitle(plainName(index), about.join(" · ")), row < 0 ? "" : element("p", {}, comparedText(row)),
    ...circleLines(index).map((line) => element("p", {}, line)), has(index, flag.enqueued) ? element("p", {}, time) : "", ...partsBar(index));
}

// For what a member of a circle waits.
const circleLines = (index) => circleHopsOf(index)
  .map(({ blocker }) => `circle of waits: waits for ${nameOf(blocker)}`);

// An operation of the other run, of a page of two.
function hoverOther(surface, point, other) {
  const { execution, total } = otherRun.lifetimes;
  const about = [otherRun.kindOf(other), otherRun.source.endings[otherRun.ending[other]], otherRun.name];
  const row = otherRun.rowOfOther[other];
  return showTooltip(surface, point, ...tooltipTitle(otherRun.nameOf(other), about.join(" · ")), row < 0 ? "" : element("p", {}, comparedText(row)),
    element("p", {}, `${isTaskOfOther(other) ? "running" : "executing"} ${duration(execution[other])} of ${duration(total[other])}`));
}

function hoverKind(surface, point, at) {
  const { name, count: number, failed, unfinished, median } = graphKinds[at];
  const trouble = [[failed, "failed"], [unfinished, "never finished"]].filter(([some]) => some > 0).map(([some, what]) => `, ${grouped(some)} ${what}`);
  const what = at < source.kindTable.length ? "operation" : "task";
  return showTooltip(surface, point, ...tooltipTitle(name, `${counted(number, what)}${trouble.join("")}`),
    median === undefined ? "" : element("p", {}, `median execution ${duration(median)}`),
    otherRun ? element("p", {}, comparedKindText(at)) : "");
}

// A button whose text is a sign says what it does.
for (const button of document.querySelectorAll("button[aria-label]")) button.title = button.getAttribute("aria-label");
