// The pane of the timeline: selecting, keys, switching between lanes and rows, and the overview above it.

// How far from a bar a click still means it, in pixels.
const pickReach = 3;

function operationAtTime(point) {
  const row = Math.floor(timelineSurface.toWorldY(point.y));
  if (point.y < axisHeight || row < 0 || row >= timeline.lanes.rows.length) return -1;
  const members = timeline.lanes.byRow.of(row);
  const time = timelineSurface.toWorldX(point.x);
  const reach = pickReach / timelineSurface.view.scaleX;
  if (timeline.lanes.isByOperation) return members[0] ?? -1;
  if (timeline.lanes.rows[row].isWaiting) {
    return members[Math.max(0, partition(members, (member) => operations.enqueued[member] <= time + reach) - 1)] ?? -1;
  }
  const at = partition(members, (member) => bars.end[member] < time - reach);
  return at < members.length && bars.start[members[at]] <= time + reach ? bars.operation[members[at]] : -1;
}

function timelineKey(key) {
  const { selected } = state;
  const { rows, rowOf, byRow } = timeline.lanes;
  if (count === 0 || key === "Enter") return false;
  if (selected < 0 || rowOf[selected] < 0) {
    select(firstOfInterest(), "timeline");
    return true;
  }
  const row = rowOf[selected];
  const members = byRow.of(row);
  let next;
  if (key === "ArrowLeft" || key === "ArrowRight") {
    next = timeline.lanes.isByOperation ? undefined : neighbour(members, selected, key === "ArrowLeft" ? -1 : 1);
  } else {
    const step = key === "ArrowUp" ? -1 : 1;
    let other = row + step;
    while (other >= 0 && other < rows.length && byRow.of(other).length === 0) other += step;
    if (other >= 0 && other < rows.length) {
      const near = byRow.of(other);
      next = bars.operation[near[Math.min(near.length - 1, partition(near, (bar) => bars.start[bar] < operations.start[selected]))]];
    }
  }
  if (next !== undefined) select(next, "timeline");
  return true;
}

// The operation or task of the next bar in a row that is another's.
function neighbour(members, selected, step) {
  let at = members.findIndex((bar) => bars.operation[bar] === selected);
  while (at >= 0 && at < members.length && bars.operation[members[at]] === selected) at += step;
  return bars.operation[members[at]];
}

const timelineSurface = new Surface(byID("timeline"), {
  draw: drawTimeline,
  bounds: () => {
    const margin = axisSpan.length * 0.01;
    const { scaleY } = timelineSurface.view;
    const top = -axisHeight / scaleY;
    return {
      x: axisSpan.first - margin, width: axisSpan.length + 2 * margin, y: top,
      height: Math.max(1, timeline.lanes.rows.length) - top + 4 / scaleY,
    };
  },
  limits: () => {
    const rows = Math.max(1, timeline.lanes.rows.length);
    const room = (timelineSurface.height || 400) - axisHeight;
    // Rows have room for names, unless the lanes would then fill four screens or more.
    const named = otherRun && timeline.lanes.isByOperation ? 22 : executions ? 20 : 15;
    const least = timeline.lanes.isByOperation || rows * named < room * 4 ? named : 4;
    const height = Math.min(32, Math.max(least, room / rows));
    const fit = (timelineSurface.width || 600) / (axisSpan.length * 1.02);
    return { x: [fit, Math.max(fit, 20)], y: [height, height] };
  },
  selection: () => {
    const { selected } = state;
    if (timeRange.isSet) return { x: timeRange.from, width: timeRange.to - timeRange.from };
    if (selected < 0 || !has(selected, flag.enqueued)) return null;
    return { x: operations.enqueued[selected], width: operations.end[selected] - operations.enqueued[selected] };
  },
  zoomsHeight: false,
  onRange: setRange,
  onPick: (point) => {
    const other = otherRun ? otherAtTime(point) : -1;
    if (other >= 0) pickOther(other);
    else select(operationAtTime(point), "timeline");
  },
  onHover: (point) => {
    const other = otherRun && point !== null ? otherAtTime(point) : -1;
    if (other >= 0) hoverOther(timelineSurface, point, other);
    else hover(timelineSurface, point, point === null ? -1 : operationAtTime(point));
  },
  onKey: timelineKey,
});

function setTimelineMode(mode) {
  timeline.mode = mode;
  timelineSurface.earlierViews = [];
  timeline.lanes = mode === "operation" ? lanesByOperation() : lanesByQueue();
  for (const button of document.querySelectorAll("[data-timeline]")) {
    button.setAttribute("aria-pressed", String(button.dataset.timeline === mode));
  }
  timelineSurface.fit();
  if (state.selected >= 0) showInTimeline(state.selected);
  showLegend();
}

// The whole run; of one that stood still for most of its time, the part before that.
function openTimeline() {
  timelineSurface.fit();
  if (standstill === null) return;
  const active = standstill - timeSpan.first;
  if (active > 0 && active < timeSpan.length / 4) timelineSurface.enlarge({ x: timeSpan.first, width: active });
}

function showInTimeline(index) {
  const row = timeline.lanes.rowOf[index];
  if (row < 0) {
    timelineSurface.redraw();
    return;
  }
  const from = has(index, flag.started) ? operations.start[index] : operations.enqueued[index];
  timelineSurface.show(from, row - (axisHeight + 4) / timelineSurface.view.scaleY, operations.end[index] - from, 1 + (axisHeight + 4) / timelineSurface.view.scaleY);
}

for (const button of document.querySelectorAll("[data-timeline]")) {
  button.addEventListener("click", () => setTimelineMode(button.dataset.timeline));
}
whenSelected.push((index, origin) => (index >= 0 && origin !== "start" ? showInTimeline(index) : timelineSurface.redraw()));
