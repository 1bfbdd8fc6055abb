// The panels: splitters between them, which the pointer and arrow keys move, and one panel at a time alone.

const workspace = byID("workspace");
const panelKeys = { 1: "graph-pane", 2: "timeline-pane", 3: "details", 4: "tables" };

// Shows one panel alone, or all if it was alone.
function maximize(panel) {
  hideTooltip();
  const chosen = workspace.dataset.maximized === panel ? undefined : panel;
  if (chosen) workspace.dataset.maximized = chosen;
  else delete workspace.dataset.maximized;
  if (chosen === "graph-pane") Surface.current = graphSurface;
  if (chosen === "timeline-pane") Surface.current = timelineSurface;
  for (const button of document.querySelectorAll("[data-maximize]")) {
    button.setAttribute("aria-pressed", String(button.dataset.maximize === chosen));
  }
  noteView();
}

// Before something in that panel is shown; without one, shows all panels.
function uncover(panel) {
  const { maximized } = workspace.dataset;
  if (maximized && maximized !== panel) maximize(maximized);
}

for (const button of document.querySelectorAll("[data-maximize]")) {
  button.addEventListener("click", () => maximize(button.dataset.maximize));
}

const leastPanelSize = 120;
const panelSizes = {
  graph: () => byID("graph-pane").clientWidth, timeline: () => byID("timeline-pane").clientWidth, story: () => byID("details").clientWidth,
  pictures: () => byID("graph-pane").clientHeight, tables: () => byID("tables").clientHeight,
};
// What grows when the splitter moves right or down, and what shrinks; and what else shares the room.
const splitters = {
  "split-graph": { grows: ["graph"], shrinks: ["timeline"], others: ["story"] },
  "split-story": { grows: ["graph", "timeline"], shrinks: ["story"], others: [] },
  "split-tables": { grows: ["pictures"], shrinks: ["tables"], others: [], isHorizontal: true },
};

function sizesOf({ grows, shrinks, others }) {
  const sizes = Object.fromEntries([...grows, ...shrinks, ...others].map((name) => [name, panelSizes[name]()]));
  const total = (names) => sum(names.map((name) => sizes[name]));
  return { sizes, before: total(grows), after: total(shrinks) };
}

function moveSplitter(id, distance) {
  const { grows, shrinks } = splitters[id];
  const { sizes, before, after } = sizesOf(splitters[id]);
  if (before === 0 || after === 0) return;
  const moved = Math.min(Math.max(distance, leastPanelSize * grows.length - before), after - leastPanelSize * shrinks.length);
  for (const name of grows) sizes[name] *= (before + moved) / before;
  for (const name of shrinks) sizes[name] *= (after - moved) / after;
  // Shares of the room, so that they stay the same when the window changes.
  for (const [name, size] of Object.entries(sizes)) workspace.style.setProperty(`--${name}`, `${Math.max(1, Math.round(size))}fr`);
  showSplitter(id);
}

function showSplitter(id) {
  const { before, after } = sizesOf(splitters[id]);
  byID(id).setAttribute("aria-valuenow", String(Math.round((100 * before) / Math.max(1, before + after))));
}

for (const [id, { isHorizontal, grows, shrinks, others }] of Object.entries(splitters)) {
  const splitter = byID(id);
  let last = 0;
  const place = (event) => (isHorizontal ? event.clientY : event.clientX);
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    last = place(event);
  });
  splitter.addEventListener("pointermove", (event) => {
    if (!splitter.hasPointerCapture(event.pointerId)) return;
    moveSplitter(id, place(event) - last);
    last = place(event);
  });
  splitter.addEventListener("dblclick", () => {
    for (const name of [...grows, ...shrinks, ...others]) workspace.style.removeProperty(`--${name}`);
    showSplitter(id);
  });
  splitter.addEventListener("keydown", (event) => {
    const step = (isHorizontal ? { ArrowUp: -24, ArrowDown: 24 } : { ArrowLeft: -24, ArrowRight: 24 })[event.key];
    if (step === undefined) return;
    event.preventDefault();
    moveSplitter(id, step);
  });
  showSplitter(id);
}

// On a small screen, the panels lie below each other, and the page scrolls.
const isOneColumn = window.matchMedia("(max-width: 760px), (max-height: 560px)");
