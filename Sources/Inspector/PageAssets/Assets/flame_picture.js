// The picture of a flame graph that stands alone: its boxes are drawn already, and each has its numbers.

const picture = document.documentElement;
const detail = document.querySelector("#detail text");
const hint = detail.textContent;
const boxes = [...document.querySelectorAll("#boxes .box")].map((group) => {
  const [rect, text, title] = ["rect", "text", "title"].map((name) => group.querySelector(name));
  const { level, at, length, name } = group.dataset;
  return { group, rect, text, title: title.textContent, name, level: +level, at: +at, length: +length };
});
const left = +boxes[0].rect.getAttribute("x");
const flames = new FlameGraph(boxes, (box) => { detail.textContent = box ? box.title : hint; });
flames.arrange(left, +picture.getAttribute("width") - 2 * left);

let searched = null;
function searchFor(text) {
  searched = text;
  const share = flames.search(text ?? "");
  if (text === null) detail.textContent = flames.selected?.title ?? hint;
  else detail.textContent = `Search: ${text}▏${share === null ? "" : ` in ${(share * 100).toFixed(1)} % of the time`}`;
}

picture.addEventListener("click", (event) => {
  const group = event.target.closest(".box");
  const box = boxes.find((one) => one.group === group);
  if (!box) return;
  flames.select(box);
  flames.enlarge(box);
});
picture.addEventListener("pointerover", (event) => {
  const group = event.target.closest(".box");
  if (searched !== null) return;
  detail.textContent = boxes.find((one) => one.group === group)?.title ?? flames.selected?.title ?? hint;
});
document.addEventListener("keydown", (event) => {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (searched === null && key === "/") searchFor("");
  else if (searched !== null && key === "Escape") searchFor(null);
  else if (searched !== null && key === "Backspace") searchFor(searched.slice(0, -1));
  else if (searched !== null && key.length === 1) searchFor(searched + key);
  else if (!flames.takeKey(key)) return;
  event.preventDefault();
});
