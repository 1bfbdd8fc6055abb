// Assembles the page: theme, keys, printing. Also offers tests access to it.

function setTheme(isDark) {
  applyTheme(isDark);
  byID("theme").textContent = isDark ? "Light" : "Dark";
  byID("theme").setAttribute("aria-label", isDark ? "Use light colours" : "Use dark colours");
}

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
let isThemeChosen = false;
setTheme(prefersDark.matches);
prefersDark.addEventListener("change", () => { if (!isThemeChosen) setTheme(prefersDark.matches); });
byID("theme").addEventListener("click", () => {
  isThemeChosen = true;
  setTheme(!state.isDark);
});

showSummary();
graphSurface.resize();
timelineSurface.resize();
// The bars of both runs are beside each other where each operation has a row.
if (otherRun) {
  setTimelineMode("operation");
  showTab(byID("tab-compared"));
}
openGraph();
openTimeline();
if (count > 0 && kindGraph.length < 2) document.querySelector("[data-graph=kind]").disabled = true;

for (const [name, surface] of [["graph", graphSurface], ["timeline", timelineSurface]]) {
  byID(`${name}-in`).addEventListener("click", () => surface.zoom(1.5));
  byID(`${name}-out`).addEventListener("click", () => surface.zoom(1 / 1.5));
  byID(`${name}-fit`).addEventListener("click", () => surface.showAll());
}

// The page opens with a useful operation selected.
showDetails(-1);
select(firstOfInterest(), "start");
openedFields = { ...currentFields(), run: "after" };
showFragment(location.hash);
// The rows of two runs differ.
if (otherRun && state.selected >= 0) showInTimeline(state.selected);
window.addEventListener("hashchange", () => showFragment(location.hash));
whenSelected.push(noteView);

const help = byID("help");
byID("help-open").addEventListener("click", () => help.showModal());
byID("help-close").addEventListener("click", () => help.close());

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === "Escape") {
    if (help.open) help.close();
    else if (search.field.value !== "") searchFor("");
    else if (isTyping) search.field.blur();
    else if (workspace.dataset.maximized) uncover();
    else if (timeRange.isSet) clearRange();
    else select(-1, "key");
  } else if (isTyping) {
    return;
  } else if (event.key === "/") {
    event.preventDefault();
    search.field.focus();
    search.field.select();
  } else if (event.key === "?") {
    help.open ? help.close() : help.showModal();
  } else if (event.key === "n" || event.key === "N") {
    goToMatch(event.key === "n" ? 1 : -1);
  } else if (event.key === "b" && otherRun) {
    showOtherRun();
  } else if (event.key === "t") {
    byID("theme").click();
  } else if (event.key === "g") {
    byID("graph").focus();
  } else if (event.key === "l") {
    byID("timeline").focus();
  } else if (event.key === "r" && state.selected >= 0 && has(state.selected, flag.enqueued)) {
    setRange(operations.enqueued[state.selected], operations.end[state.selected], true);
  } else if (panelKeys[event.key]) {
    maximize(panelKeys[event.key]);
  } else if (Surface.current.moveByKey(event.key)) {
    event.preventDefault();
  }
});

// Paper is white, so pages are printed in the light theme. Nothing scrolls there.
window.addEventListener("beforeprint", () => {
  applyTheme(false);
  for (const table of VirtualTable.all) table.print(true);
  graphSurface.paint();
  timelineSurface.paint();
});
window.addEventListener("afterprint", () => {
  applyTheme(byID("theme").textContent === "Light");
  for (const table of VirtualTable.all) table.print(false);
});

// For tests only: nothing in the page depends on it.
window.opviz = Object.freeze({
  count,
  get selected() { return state.selected; },
  get selectedName() { return state.selected < 0 ? null : nameOf(state.selected); },
  get matches() { return search.matches.length; },
  get rows() { return [...operationTable.rows]; },
  get span() { return [timeSpan.first, timeSpan.first + timeSpan.length]; },
  get csv() { return tableAsCSV(operationTable); },
  get all() { return [...operationTable.all]; },
  get lastFrameMilliseconds() {
    return { graph: graphSurface.lastFrameMilliseconds, timeline: timelineSurface.lastFrameMilliseconds };
  },
  get views() { return { graph: { ...graphSurface.view }, timeline: { ...timelineSurface.view } }; },
  // What the graph of two runs has marks of, in words.
  get changeMarks() { return [...graph.drawnChanges]; },
  // Of circles of waits, what the timeline has drawn.
  get circles() { return { ...timeline.circles, outlined: [...timeline.circles.outlined] }; },
  get graphMode() { return graph.mode; },
  get range() { return timeRange.isSet ? [timeRange.from, timeRange.to] : null; },
  select: (index) => select(index, "test"),
  storyAsMarkdown, textOfRange, explain, duration, nameOf, id: identifier,
  // The middle of an operation, or of a kind if kinds are shown, in pixels of the window.
  placeInGraph: (index) => {
    const frame = byID("graph").getBoundingClientRect();
    return [frame.x + graphSurface.toScreenX(graph.model.x[index] + box.width / 2), frame.y + graphSurface.toScreenY(graph.model.y[index] + box.height / 2)];
  },
  placeInTimeline: (index) => {
    const frame = byID("timeline").getBoundingClientRect();
    const middle = (operations.start[index] + operations.end[index]) / 2;
    return [frame.x + timelineSurface.toScreenX(middle), frame.y + timelineSurface.toScreenY(timeline.lanes.rowOf[index] + 0.5)];
  },
  // The boxes of the flame graph that are shown: name and width in pixels.
  get flame() {
    return (flamePane.graph?.boxes ?? []).filter((box) => box.isShown).map(({ name, rect }) => [name, +rect.getAttribute("width")]);
  },
  // Of two runs, by name: the bar of an operation of the other run; of a task, by queue, that of a stay.
  placeOfOther: (name, stay = 0) => {
    const frame = byID("timeline").getBoundingClientRect();
    const other = otherRun.rowOfOther.findIndex((_, index) => otherRun.nameOf(index) === name);
    const { others } = timeline.lanes;
    const bar = others ? barsOfOther(other)[stay] : other;
    const middle = (othersBars.start[bar] + othersBars.end[bar]) / 2;
    return [frame.x + timelineSurface.toScreenX(middle), frame.y + timelineSurface.toScreenY(others ? others.rowOf[bar] + 0.5 : timeline.lanes.rowOf[otherRun.shownAs(other)] + otherShare / 2)];
  },
  get rowTitles() { return timeline.lanes.rows.flatMap(({ title }) => title ?? []); },
  zoom: (name, factor) => (name === "graph" ? graphSurface : timelineSurface).zoom(factor),
  // Milliseconds from the start of navigation until the pictures were first drawn.
  interactive: performance.now(),
});
