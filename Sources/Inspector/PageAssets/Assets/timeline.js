// Draws the timeline: what executed when, lane by lane. Bars within the same pixel are drawn once.

const timeline = { mode: "queue", lanes: lanesByQueue(), rowHeight: 22, circles: null };

function drawRow(context, surface, row, y, height) {
  const { colors } = state;
  const described = timeline.lanes.rows[row];
  if (described.title !== undefined) {
    context.globalAlpha = 1;
    context.fillStyle = colors.panel;
    context.fillRect(0, y, surface.width, height);
    if (height >= 9) {
      context.fillStyle = colors.mutedText;
      context.fillText(fitText(context, described.title, surface.width - 16), 8, y + height / 2 + 1);
    }
    return;
  }
  context.globalAlpha = search.isMatch ? paleness : 1;
  if (described.other !== undefined) {
    drawNamedOther(context, surface, described.other, y, height);
    return;
  }
  if (described.isOther) {
    drawOtherLane(context, surface, row, y, height);
    return;
  }
  const members = timeline.lanes.byRow.of(row);
  if (described.queue !== undefined && !described.isWaiting) drawSuspensions(context, surface, queueOf.get(described.queue), y, height);
  if (described.isWaiting) {
    drawNeverStarted(context, surface, members, described, y, height);
    return;
  }
  if (otherRun && timeline.lanes.isByOperation && otherRun.same(members[0]) >= 0) {
    drawOther(context, surface, otherRun.same(members[0]), y + 1, height * otherShare - 2);
  }
  visitBars(surface, members, bars, (bar, x1, x2) => drawInRow(context, surface, bar, x1, x2, y, height));
}

// Calls `body` with the bars of a row of either run that are in sight, each with its place.
function visitBars(surface, members, { start, end }, body) {
  const right = surface.toWorldX(surface.width);
  let at = partition(members, (bar) => end[bar] < surface.view.x);
  while (at < members.length && start[members[at]] <= right) {
    const bar = members[at];
    const [x1, x2] = [surface.toScreenX(start[bar]), surface.toScreenX(end[bar])];
    body(bar, x1, x2);
    at += 1;
    // Bars that end within the same pixel are already drawn by it.
    if (x2 - x1 < 1) {
      const next = surface.toWorldX(Math.floor(x1) + 1);
      if (at < members.length && end[members[at]] < next) at += partition(members.subarray(at), (member) => end[member] < next);
    }
  }
}

// The bars that match, over the pale ones: among bars within the same pixel, one that matches is seen.
function drawMatches(context, surface, first, last, height) {
  const { rowOf, rows } = timeline.lanes;
  const gap = rowGap(height);
  const lastPixel = new Int32Array(rows.length).fill(-1);
  for (let row = first; row <= last; row += 1) {
    if (!rows[row].isWaiting) continue;
    const members = timeline.lanes.byRow.of(row).filter((index) => search.isMatch[index] === 1);
    if (members.length > 0) drawNeverStarted(context, surface, members, rows[row], surface.toScreenY(row), height);
  }
  for (let bar = 0; bar < bars.count; bar += 1) {
    const row = rowOf[bar];
    if (row < first || row > last || search.isMatch[bars.operation[bar]] === 0 || (bar < count && rows[row].isOfTasks)) continue;
    if (rows[row].isWaiting) continue;
    const [x1, x2] = [surface.toScreenX(bars.start[bar]), surface.toScreenX(bars.end[bar])];
    if (x2 < 0 || x1 > surface.width || (x2 - x1 < 1 && lastPixel[row] === Math.floor(x1))) continue;
    lastPixel[row] = Math.floor(x1);
    const y = surface.toScreenY(row);
    if (x2 - x1 < 3) {
      context.fillStyle = strongFillOf(bars.operation[bar]);
      context.fillRect(x1, y + gap / 2, 2, height - gap);
    } else {
      drawInRow(context, surface, bar, x1, x2, y, height);
    }
  }
}

function drawTimeline(context, surface) {
  const { rows } = timeline.lanes;
  // What is drawn of circles of waits.
  timeline.circles = { outlined: new Set(), arrows: [], omitted: 0 };
  context.save();
  drawAxis(context, surface);
  context.beginPath();
  context.rect(0, axisHeight, surface.width, surface.height - axisHeight);
  context.clip();
  const height = surface.view.scaleY;
  context.font = `${timelineFontSize(height)}px system-ui, sans-serif`;
  const first = Math.max(0, Math.floor(surface.toWorldY(axisHeight)));
  const last = Math.min(rows.length - 1, Math.floor(surface.toWorldY(surface.height)));
  for (let row = first; row <= last; row += 1) drawRow(context, surface, row, surface.toScreenY(row), height);
  context.globalAlpha = 1;
  if (search.isMatch) drawMatches(context, surface, first, last, height);
  drawCircles(context, surface, first, last);
  drawSelection(context, surface);
  if (timeline.lanes.others) outlineOther(context, surface);
  context.restore();
  drawStandstill(context, surface);
  drawRange(context, surface);
  const shown = last + 1 - first < rows.length ? [`rows ${grouped(first + 1)} to ${grouped(last + 1)} of ${grouped(rows.length)}`] : [];
  if (otherRun) shown.push(`thin and grey: ${otherRun.name}`);
  shown.push(...omittedOfCircles(timeline.circles.omitted));
  byID("timeline-note").textContent = shown.join(" · ");
  drawOverview();
}
