// What the timeline draws of the selected operation: an outline, its waits, and what ended them.

function drawSelection(context, surface) {
  const { selected } = state;
  const row = selected < 0 ? -1 : timeline.lanes.rowOf[selected];
  if (row < 0) return;
  const { colors } = state;
  const height = surface.view.scaleY;
  const y = surface.toScreenY(row);
  drawWakes(context, surface, selected);
  if (isTask(selected)) {
    context.strokeStyle = colors.text;
    context.lineWidth = 2;
    outlineBars(context, surface, barsOf(selected), bars, timeline.lanes.rowOf);
    return;
  }
  // In the gap above the row, because other operations share the lane, and have names there.
  if (!timeline.lanes.isByOperation) drawWaits(context, surface, selected, y - 1, Math.max(2, rowGap(height)));
  const isWaiting = !has(selected, flag.started);
  const x1 = Math.max(-4, surface.toScreenX(isWaiting ? operations.enqueued[selected] : operations.start[selected]));
  const x2 = Math.min(surface.width + 4, surface.toScreenX(operations.end[selected]));
  context.strokeStyle = colors.text;
  context.lineWidth = 2;
  context.strokeRect(x1 - 1, y, Math.max(3, x2 - x1) + 2, Math.max(3, height - 1));
  const last = operations.lastDependency[selected];
  if (last < 0 || timeline.lanes.rowOf[last] < 0) return;
  const fromX = surface.toScreenX(operations.end[last]);
  const fromY = surface.toScreenY(timeline.lanes.rowOf[last]) + height / 2;
  const toX = surface.toScreenX(operations.enqueued[selected] + operations.dependency[selected]);
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.bezierCurveTo(fromX + 18, fromY, toX - 18, y + height / 2, toX, y + height / 2);
  context.stroke();
}

// The bars of an operation or task that are in the rows of the timeline, in order of time.
const stayBars = tasks && staysByTask(source, bars);
const barsOf = (index) => (isTask(index) && !timeline.lanes.isByOperation ? stayBars.of(index) : [index]);

// The bars of an operation or task of either run, in the order of time. Within a pixel of a row, the first narrow one is enough.
function outlineBars(context, surface, members, { start, end }, rowOf) {
  const [left, right] = [surface.toWorldX(-2), surface.toWorldX(surface.width + 2)];
  const lastPixel = new Map();
  for (let at = partition(members, (bar) => end[bar] < left); at < members.length && start[members[at]] <= right; at += 1) {
    const bar = members[at];
    const row = rowOf[bar];
    const x1 = Math.max(-4, surface.toScreenX(start[bar]));
    const x2 = Math.min(surface.width + 4, surface.toScreenX(end[bar]));
    if (row < 0 || (x2 - x1 < 1 && lastPixel.get(row) === Math.floor(x1))) continue;
    lastPixel.set(row, Math.floor(x1));
    context.strokeRect(x1 - 1, surface.toScreenY(row), Math.max(3, x2 - x1) + 2, Math.max(3, surface.view.scaleY - 1));
  }
}

// From what ended each wait of the selected task to the run that followed.
function drawWakes(context, surface, index) {
  const height = surface.view.scaleY;
  context.strokeStyle = state.colors.text;
  context.lineWidth = 1.5;
  let drawn = 0;
  for (let at = waits.first[index]; at < waits.first[index + 1] && drawn < mostWakes; at += 1) {
    const [other, moment] = [waits.operation[at], waits.moment[at]];
    if (!isTask(index) && !isTask(other)) continue;
    const [wakers, woken] = [barsOf(other), barsOf(index)];
    const from = wakers[partition(wakers, (bar) => bars.start[bar] <= moment) - 1];
    const to = woken[partition(woken, (bar) => bars.end[bar] < moment)];
    if (from === undefined || to === undefined || timeline.lanes.rowOf[from] < 0 || timeline.lanes.rowOf[to] < 0) continue;
    const x1 = surface.toScreenX(moment);
    const x2 = surface.toScreenX(Math.max(moment, bars.start[to]));
    if (x2 < 0 || x1 > surface.width) continue;
    const [y1, y2] = [from, to].map((bar) => surface.toScreenY(timeline.lanes.rowOf[bar]) + height / 2);
    context.beginPath();
    context.moveTo(x1, y1);
    context.bezierCurveTo(x1 + 12, y1, x2 - 12, y2, x2, y2);
    context.lineTo(x2 - 5, y2 - 3);
    context.moveTo(x2, y2);
    context.lineTo(x2 - 5, y2 + 3);
    context.stroke();
    drawn += 1;
  }
}
