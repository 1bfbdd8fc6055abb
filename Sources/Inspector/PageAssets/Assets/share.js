// What others are shown: a link to this view, the story as Markdown, pictures and tables as files.

// MARK: The view in the address

// Numbers need no more digits than a pixel.
const rounded = (number) => Number(number.toPrecision(9));

const viewOf = ({ isFitted, refit, fit, view }) => (isFitted ? (refit === fit ? "fit" : "legible") : [view.x, view.y, view.scaleX].map(rounded).join());

const numbersOf = (text, length) => {
  const found = text.split(",").map(Number);
  return found.length === length && found.every(Number.isFinite) ? found : null;
};

function goToView(surface, text) {
  const view = numbersOf(text, 3);
  if (view && surface.width) surface.goTo(...view);
  else if (text === "fit") surface.fit();
  else if (text === "legible" && surface === graphSurface) showLegibly();
}

// Of a merged trace, several processes have the same identifiers.
const linkText = (process, identifier) => (process === undefined ? identifier : `${process}.${identifier}`);
const linkName = (index) => linkText(operations.process?.[index], identifier(index));

function indexOfLink(name) {
  for (let index = 0; index < count; index += 1) if (linkName(index) === name) return index;
  return -1;
}

const panelNames = Object.values(panelKeys);

// What an address says: how it is told, and how it is shown, in this order. An address may have been typed, or be of
// another trace: what is invalid has no effect.
const viewFields = {
  run: [() => (isBefore ? "before" : "after"), (run) => {
    if (otherRun && (run === "before" || run === "after")) location.reload();
  }],
  search: [() => search.field.value, searchFor],
  by: [() => graph.mode, (mode) => {
    if (mode !== graph.mode && (mode === "operation" || (mode === "kind" && kindGraph.length > 1))) setGraphMode(mode);
  }],
  rows: [() => timeline.mode, (mode) => {
    if (mode !== timeline.mode && (mode === "operation" || mode === "queue")) setTimelineMode(mode);
  }],
  select: [() => (state.selected < 0 ? "none" : linkName(state.selected)), (name) => {
    const index = indexOfLink(name);
    if (index >= 0 || name === "none") select(index, "address");
  }],
  range: [() => (timeRange.isSet ? `${timeRange.from},${timeRange.to}` : "none"), (text) => {
    const range = numbersOf(text, 2);
    if (range) setRange(...range, true);
    else if (text === "none") clearRange();
  }],
  tab: [() => shownTab().id, (id) => {
    const tab = tabs.find((tab) => tab.id === id);
    if (tab) showTab(tab);
  }],
  panel: [() => workspace.dataset.maximized ?? "all", (panel) => {
    if (panel === workspace.dataset.maximized) return;
    if (panelNames.includes(panel)) maximize(panel);
    else if (panel === "all") uncover();
  }],
  graph: [() => viewOf(graphSurface), (text) => goToView(graphSurface, text)],
  timeline: [() => viewOf(timelineSurface), (text) => goToView(timelineSurface, text)],
};

// As the page was opened: what is still so is not in the address.
let openedFields = {};
const currentFields = () => Object.fromEntries(Object.entries(viewFields).map(([name, [tell]]) => [name, tell()]));

function viewFragment() {
  const fields = new URLSearchParams(Object.entries(currentFields()).filter(([name, text]) => text !== openedFields[name]));
  return `#${fields}`;
}

function showFragment(fragment) {
  const fields = new URLSearchParams(fragment.slice(1));
  for (const [name, [, show]] of Object.entries(viewFields)) {
    // What is selected is shown, unless the address says what to show.
    if ((name === "graph" || name === "timeline") && !fields.has(name) && fields.has("select")) continue;
    const wanted = fields.get(name) ?? openedFields[name];
    if (wanted !== viewFields[name][0]()) show(wanted);
  }
}

let isNoted = false;
// At the next quiet moment, because a move changes it many times.
function noteView() {
  if (isNoted) return;
  isNoted = true;
  setTimeout(() => {
    isNoted = false;
    const fragment = viewFragment();
    if (fragment !== location.hash && !(fragment === "#" && location.hash === "")) history.replaceState(null, "", fragment);
  }, 500);
}

// MARK: Texts

function copy(text, button) {
  button.dataset.label ??= button.textContent;
  const tell = (result) => {
    button.textContent = result;
    announce(result);
    setTimeout(() => { button.textContent = button.dataset.label; }, 1500);
  };
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).then(() => tell("copied"), () => tell("not allowed"));
    return;
  }
  const field = element("textarea", { class: "visually-hidden" });
  field.value = text;
  document.body.append(field);
  field.select();
  tell(document.execCommand("copy") ? "copied" : "not allowed");
  field.remove();
}

// In two pieces, because it must not stand in a script.
const emptyComment = "<" + "!-- -->";
const markdownText = (text) => text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign])
  .replace(/[\\`*_[\]|~$]/g, "\\$&").replace(/([@#])(?=[\p{L}\p{N}])/gu, `$1${emptyComment}`);

// The story with its numbers, for an issue or a chat.
function storyAsMarkdown(index) {
  const { answer: answered, events, chain, steps = [], followers = [], cost } = explain(index);
  const table = (headings, rows) => [headings, headings.map(() => "---"), ...rows.map((row) => row.map(markdownText))]
    .map((row) => `| ${row.join(" | ")} |`).join("\n");
  const parts = [`**${markdownText(nameOf(index))}** (${markdownText(kindName(index))}, ${identifier(index)}) in ${markdownText(source.process || "a trace")}`, markdownText(answered)];
  const compared = otherRun ? comparedParts(index) : [];
  if (compared.length > 0) parts.push(table(["", "before", "after", "difference"], compared));
  if (events.length > 0) parts.push(table(["at", "for", "what happened"], events));
  if (steps.length > 0) parts.push(`What delayed it, back to the start: ${markdownText(chain)}`, table(["at", "operation", "the one above"], steps));
  if (followers.length > 0) parts.push("What waited for it:", table(["waited", "operation", "because"], followers.slice(0, mostShown.waiters)));
  return `${[...parts, ...cost.map(markdownText)].join("\n\n")}\n`;
}

// MARK: Files

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: `${(source.process || "trace").replace(/[^\w.-]+/g, "-")}-${name}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Canvases, one below the other.
function savePicture(canvases, name) {
  const picture = document.createElement("canvas");
  picture.width = Math.max(...canvases.map(({ width }) => width));
  picture.height = sum(canvases.map(({ height }) => height));
  const context = picture.getContext("2d");
  let y = 0;
  for (const canvas of canvases) {
    context.drawImage(canvas, 0, y);
    y += canvas.height;
  }
  picture.toBlob((blob) => save(blob, `${name}.png`), "image/png");
}

const savePanel = (ids, name) => savePicture([pictureOf(ids.map(byID))], name);

// Of a table the first rows, as on paper, also what is scrolled out of sight.
function saveTab() {
  const panel = byID(shownTab().getAttribute("aria-controls"));
  if (panel.id === "flame-pane") return savePanel(["flame-note", "flame", "flame-detail"], "code");
  const table = shownTable();
  table?.print(true);
  const members = table ? [...panel.children].flatMap((one) => (one === table.scroller ? [table.head, table.body] : [one])) : [panel];
  savePicture([pictureOf(members)], shownTab().id.replace("tab-", ""));
  table?.print(false);
}

// A cell, as in `opviz table --format csv`: quoted if necessary, and never a formula.
function csvCell(content) {
  const text = String(content);
  const inert = typeof content === "string" && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

// The rows that are shown, with times in nanoseconds.
function tableAsCSV({ csvColumns: columns, rows }) {
  const cells = (row) => columns.map((column) => (column.csv ? column.csv(row) : column.isTime ? Math.round(column.value(row)) : column.isNumber ? column.value(row) : column.cell(row)));
  const headings = columns.map(({ title, isTime }) => (isTime ? `${title} (ns)` : title));
  return [headings, ...Array.from(rows, cells)].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

byID("copy-link").addEventListener("click", (event) => {
  history.replaceState(null, "", viewFragment());
  copy(location.href, event.currentTarget);
});
byID("copy-story").addEventListener("click", (event) => {
  if (state.selected >= 0) copy(storyAsMarkdown(state.selected), event.currentTarget);
});
byID("graph-save").addEventListener("click", () => savePicture([byID("graph")], "graph"));
byID("timeline-save").addEventListener("click", () => savePicture([byID("overview"), byID("timeline")], "timeline"));
byID("story-save").addEventListener("click", () => savePanel(["story"], "story"));
byID("tab-save").addEventListener("click", saveTab);
byID("table-save").addEventListener("click", () => {
  const shown = shownTable();
  if (shown) save(new Blob([tableAsCSV(shown)], { type: "text/csv" }), `${shown.scroller.getAttribute("aria-label").toLowerCase().replace(/[^\w]+/g, "-")}.csv`);
});
