// The pane of the graph: selecting, keys, and switching between operations and kinds.

function graphKey(key) {
  if (count === 0) return false;
  if (graph.mode === "kind") return kindKey(key);
  if (key === "Enter") return false;
  const { selected } = state;
  if (selected < 0) {
    select(firstOfInterest(), "graph");
    return true;
  }
  const column = graph.model.byColumn.of(graph.model.columns[selected]);
  const at = column.indexOf(selected);
  const last = operations.lastDependency[selected];
  const next = {
    ArrowLeft: last >= 0 ? last : predecessorsOf(selected)[0] ?? operations.parent[selected],
    ArrowRight: successorsOf(selected)[0] ?? children.of(selected)[0],
    ArrowUp: column[at - 1], ArrowDown: column[at + 1],
  }[key];
  if (next !== undefined && next >= 0) select(next, "graph");
  return true;
}

// Arrows go to the nearest kind in that direction, Enter opens it.
function kindKey(key) {
  const { x, y, length } = kindGraph;
  if (key === "Enter") {
    if (graph.kind >= 0) openKind(graphKinds[graph.kind]);
    return graph.kind >= 0;
  }
  const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let [next, nearest] = [graph.kind < 0 ? 0 : graph.kind, Infinity];
  for (let kind = 0; kind < length && graph.kind >= 0; kind += 1) {
    const [dx, dy] = [x[kind] - x[graph.kind], y[kind] - y[graph.kind]];
    const along = dx * right + dy * down;
    const distance = along + 2 * Math.abs(dx * down + dy * right);
    if (along > 0 && distance < nearest) [next, nearest] = [kind, distance];
  }
  graph.kind = next;
  announce(`${graphKinds[next].name}: ${counted(graphKinds[next].count, "operation")}`);
  graphSurface.show(x[next], y[next], box.width, box.height);
  return true;
}

const graphSurface = new Surface(byID("graph"), {
  draw: drawGraph,
  bounds: () => graph.model.bounds,
  limits: () => {
    const { bounds } = graph.model;
    const fit = Math.min((graphSurface.width || 600) / bounds.width, (graphSurface.height || 400) / bounds.height);
    return { x: [Math.min(fit * 0.8, 0.5), 3], y: [0, 3] };
  },
  // The selected operation with what it depends on and what depends on it.
  selection: () => {
    if (graph.mode === "kind") return graph.model.bounds;
    if (state.selected < 0) return null;
    return boundsOf([state.selected, ...predecessorsOf(state.selected), ...successorsOf(state.selected)]);
  },
  zoomsHeight: true,
  onPick: ({ x, y }) => {
    const reach = 3 / graphSurface.view.scaleX;
    const found = boxAt(graph.model, graphSurface.toWorldX(x), graphSurface.toWorldY(y), reach);
    if (graph.mode === "operation") select(found, "graph");
    else if (found >= 0) openKind(graphKinds[found]);
  },
  onHover: (point) => hoverGraph(graphSurface, point),
  onKey: graphKey,
});

function boundsOf(members) {
  const { x, y } = graph.model;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const index of members) {
    [left, top] = [Math.min(left, x[index]), Math.min(top, y[index])];
    [right, bottom] = [Math.max(right, x[index] + box.width), Math.max(bottom, y[index] + box.height)];
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

// The operations of a kind one by one: the longest is selected, and as large as its text needs.
function openKind({ kind }) {
  searchForAll("kind", source.kinds[kind]);
  let longest = -1;
  for (let index = 0; index < count; index += 1) {
    if (operations.kind[index] === kind && (longest < 0 || operations.total[index] > operations.total[longest])) longest = index;
  }
  setGraphMode("operation");
  if (longest < 0) return;
  select(longest, "graph");
  graphSurface.enlarge(boundsOf([longest]), 1);
}

// Below this scale, names have less than 10 pixels and cannot be read.
const legibleScale = 10 / graphFontSize;
// The smallest at which a deadlock is shown whole.
const circleScale = 7 / graphFontSize;

const fittingScale = ({ bounds }) => Math.min(graphSurface.width / bounds.width, graphSurface.height / bounds.height);

// Shows all operations if their names can then be read; otherwise all kinds, or the operation to look at first.
function openGraph() {
  if (source.graph.circleMembers.length > 0) {
    setGraphMode("operation");
    return;
  }
  const areKindsLegible = kindGraph.length > 1 && fittingScale(kindGraph) >= legibleScale;
  setGraphMode(areKindsLegible && fittingScale(operationGraph) < legibleScale ? "kind" : "operation");
}

// The whole graph, or as much of it around what is of interest as can be read: a deadlock, first.
function showLegibly() {
  graphSurface.fit();
  graphSurface.refit = showLegibly;
  if (count === 0 || !graphSurface.width || graphSurface.view.scaleX >= legibleScale) return;
  if (graph.mode === "operation" && source.graph.circleMembers.length > 0) {
    if (graphSurface.view.scaleX >= circleScale) return;
    graphSurface.enlarge(boundsOf(source.graph.circleMembers), legibleScale);
    graphSurface.isFitted = true;
    if (graphSurface.view.scaleX >= circleScale) return;
  }
  const chosen = state.selected < 0 ? firstOfInterest() : state.selected;
  const shown = graph.mode === "operation" ? chosen : graphKinds.findIndex(({ kind }) => kind === operations.kind[chosen]);
  graphSurface.enlarge(boundsOf([Math.max(shown, 0)]), legibleScale);
  graphSurface.fill();
  graphSurface.isFitted = true;
}

function setGraphMode(mode) {
  graph.mode = mode;
  graphSurface.earlierViews = [];
  graph.model = mode === "kind" ? kindGraph : operationGraph;
  for (const button of document.querySelectorAll("[data-graph]")) {
    button.setAttribute("aria-pressed", String(button.dataset.graph === mode));
  }
  byID("graph-note").textContent = mode === "kind" ? counted(kindGraph.length, "kind") : "";
  showLegibly();
  showLegend();
}

for (const button of document.querySelectorAll("[data-graph]")) {
  button.addEventListener("click", () => setGraphMode(button.dataset.graph));
}
whenSelected.push((index, origin) => {
  if (index >= 0 && origin !== "start" && graph.mode === "operation") graphSurface.show(graph.model.x[index], graph.model.y[index], box.width, box.height);
  else graphSurface.redraw();
});
