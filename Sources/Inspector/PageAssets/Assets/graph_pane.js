// The pane of the graph: selecting, keys, and switching between operations and kinds.

function graphKey(key) {
  if (graph.mode === "kind" || count === 0) return false;
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

const graphSurface = new Surface(byID("graph"), {
  draw: drawGraph,
  bounds: () => graph.model.bounds,
  limits: () => {
    const { bounds } = graph.model;
    const fit = Math.min((graphSurface.width || 600) / bounds.width, (graphSurface.height || 400) / bounds.height);
    return { x: [Math.min(fit * 0.8, 0.5), 3], y: [0, 3] };
  },
  zoomsHeight: true,
  onPick: ({ x, y }) => {
    const reach = 3 / graphSurface.view.scaleX;
    const found = boxAt(graph.model, graphSurface.toWorldX(x), graphSurface.toWorldY(y), reach);
    if (graph.mode === "operation") select(found, "graph");
    else if (found >= 0) searchFor(graphKinds[found].name);
  },
  onHover: (point) => {
    const found = point === null || graph.mode === "kind" ? -1
      : boxAt(graph.model, graphSurface.toWorldX(point.x), graphSurface.toWorldY(point.y), 1 / graphSurface.view.scaleX);
    hover("graph", found);
  },
  onKey: graphKey,
});

// Describes what is under the pointer, in a line below the picture.
function hover(pane, index) {
  const text = index < 0 ? null : partsText(index);
  byID(`${pane}-hover`).textContent = index < 0 ? ""
    : `${nameOf(index)}, ${kindName(index)}: ${endingOf(index)}, ${duration(operations.execution[index])} of ${duration(operations.total[index])} ${isTask(index) ? "running" : "executing"}${text ? `: ${plain(text)}` : ""}`;
}

function setGraphMode(mode) {
  graph.mode = mode;
  graph.model = mode === "kind" ? kindGraph : operationGraph;
  for (const button of document.querySelectorAll("[data-graph]")) {
    button.setAttribute("aria-pressed", String(button.dataset.graph === mode));
  }
  byID("graph-note").textContent = mode === "kind" ? counted(kindGraph.length, "kind") : "";
  graphSurface.fit();
}

for (const button of document.querySelectorAll("[data-graph]")) {
  button.addEventListener("click", () => setGraphMode(button.dataset.graph));
}
whenSelected.push((index, origin) => {
  if (index >= 0 && origin !== "start" && graph.mode === "operation") graphSurface.show(graph.model.x[index], graph.model.y[index], box.width, box.height);
  else graphSurface.redraw();
});
