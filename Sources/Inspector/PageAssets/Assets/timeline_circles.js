// Circles of waits in the timeline: an outline around the bar of each member, and an arrow from it to what it waits for.
// The arrows are where the bars end, or at the border of the picture if they go on behind it; names keep out of there.

// As those of the SVG; and the length of their heads.
const circleLayout = { ...source.graph.circleLayout, head: 6 };

const circleEnd = [...circles.members].reduce((latest, index) => Math.max(latest, operations.end[index]), -Infinity);

// When a member had been added, or had begun to execute or to block; a task, to await for the last time.
function memberBegun(index) {
  if (isTask(index)) {
    let begun = operations.enqueued[index];
    visitStretches(index, (part, start) => { begun = start; });
    return begun;
  }
  return Math.max(...(waitsOf.get(index) ?? []).map(({ start }) => start), has(index, flag.started) ? operations.start[index] : operations.enqueued[index]);
}

// When the last of them had: at the latest when a run began to stand still.
const circleBegun = Math.min(standstill ?? Infinity, [...circles.members].reduce((latest, index) => Math.max(latest, memberBegun(index)), -Infinity));

// Where the arrows are, in pixels. Null without arrows.
function circleRoom(surface) {
  if (circles.hops.length === 0 || surface.toScreenX(circleBegun) > surface.width) return null;
  const { levels, levelWidth, firstLevel, gap } = circleLayout;
  const right = Math.min(surface.width, surface.toScreenX(circleEnd)) - gap;
  const left = right - firstLevel - levelWidth * Math.min(levels, circles.hops.length);
  return right < 0 ? null : { left, right };
}

const namesEnd = (surface) => circleRoom(surface)?.left ?? surface.width;

// The bar of a member, in pixels: by executor, that of the last stay of a task. Null if it is in no row.
function memberBar(surface, index) {
  const bar = barsOf(index).at(-1) ?? -1;
  const row = bar < 0 ? -1 : timeline.lanes.rowOf[bar];
  if (row < 0) return null;
  return { x1: surface.toScreenX(circleBars().times.start[bar]), x2: surface.toScreenX(bars.end[bar]), y: surface.toScreenY(row) };
}

function outlineMember(context, surface, index, from, to, y) {
  timeline.circles.outlined.add(index);
  const [x1, x2] = [Math.max(-4, from), Math.min(surface.width + 4, to)];
  // Within the outline of the selected operation.
  context.strokeRect(x1 + 1, y + 2, Math.max(1, x2 - x1 - 2), Math.max(1, surface.view.scaleY - 4));
}

// What never started is outlined before the name of its row is written. One outline is enough for what begins within the same pixel.
function outlineWaitingMembers(context, surface, members, y) {
  Object.assign(context, { strokeStyle: state.colors.blocked, lineWidth: 2 });
  let last = -1;
  for (const index of members) {
    const from = surface.toScreenX(operations.enqueued[index]);
    const pixel = Math.max(0, Math.round(from));
    if (from > surface.width) break;
    if (pixel === last || !circles.members.has(index)) continue;
    outlineMember(context, surface, index, from, surface.toScreenX(bars.end[index]), y);
    last = pixel;
  }
}

// When the bars begin, also of what never started; and the bars of members in a row where bars are drawn, in the order of
// time. Found once for an arrangement of the rows.
function circleBars() {
  const { lanes } = timeline;
  lanes.circleBars ??= (() => {
    const [isLast, start, found] = [new Uint8Array(bars.count), bars.start.slice(), new Map()];
    for (const index of circles.members) {
      const bar = barsOf(index).at(-1) ?? -1;
      if (bar < 0) continue;
      if (!has(index, flag.started) && !isTask(index)) start[bar] = operations.enqueued[index];
      isLast[bar] = lanes.rows[lanes.rowOf[bar]]?.isWaiting ? 0 : 1;
    }
    return {
      times: { start, end: bars.end },
      ofRow: (row) => {
        if (!found.has(row)) found.set(row, lanes.byRow.of(row).filter((bar) => isLast[bar] === 1));
        return found.get(row);
      },
    };
  })();
  return lanes.circleBars;
}

function drawCircles(context, surface, first, last) {
  const room = circleRoom(surface);
  if (room === null) return;
  const { times, ofRow } = circleBars();
  Object.assign(context, { strokeStyle: state.colors.blocked, lineWidth: 2 });
  for (let row = first; row <= last; row += 1) {
    const y = surface.toScreenY(row);
    visitBars(surface, ofRow(row), times, (bar, x1, x2) => outlineMember(context, surface, bars.operation[bar], x1, x2, y));
  }
  drawHops(context, surface, room, timeline.circles);
}

// Where an arrow begins or ends. Away from a bar above its middle, so that two arrows of one bar lie apart; below a bar that
// ends earlier, because a name may be beside it.
function hopEnd(surface, { right, left }, index, offset) {
  const bar = memberBar(surface, index);
  if (bar === null || bar.x1 > right) return null;
  const height = surface.view.scaleY;
  return bar.x2 >= left ? { x: right, y: bar.y + height * (0.5 + offset) } : { x: Math.max(0, bar.x2 + circleLayout.gap), y: bar.y + height - 1 };
}

function drawHops(context, surface, room, drawn) {
  const { levels, levelWidth, firstLevel, head } = circleLayout;
  // Those within the row of what never started are one arrow.
  const arrows = new Map();
  for (const { waiting, blocker } of circles.hops) {
    const [from, to] = [hopEnd(surface, room, waiting, -0.15), hopEnd(surface, room, blocker, 0.15)];
    if (!from || !to || Math.max(from.y, to.y) < axisHeight || Math.min(from.y, to.y) > surface.height) continue;
    const place = `${from.x} ${from.y} ${to.x} ${to.y}`;
    if (!arrows.has(place)) arrows.set(place, { waiting, blocker, from, to });
  }
  const lines = [...arrows.values()];
  drawn.omitted = Math.max(0, lines.length - mostOfCircles);
  // The shorter ones are nearer to the bars, so that they cross fewer others.
  const extent = ({ from, to }) => [Math.min(from.y, to.y), Math.max(from.y, to.y)];
  const length = (line) => extent(line)[1] - extent(line)[0];
  const taken = [];
  Object.assign(context, { strokeStyle: state.colors.blocked, fillStyle: state.colors.blocked, lineWidth: 1.5 });
  for (const line of lines.slice(0, mostOfCircles).sort((a, b) => length(a) - length(b))) {
    const [top, bottom] = extent(line);
    const free = taken.findIndex((others) => others.every(([first, last]) => last < top || first > bottom));
    const level = Math.min(levels - 1, free < 0 ? taken.length : free);
    (taken[level] ??= []).push([top, bottom]);
    const { from, to, waiting, blocker } = line;
    const x = room.right - firstLevel - levelWidth * level;
    const back = to.x > x ? -head : head;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(x, from.y);
    context.lineTo(x, to.y);
    context.lineTo(to.x + back, to.y);
    context.stroke();
    context.beginPath();
    context.moveTo(to.x, to.y);
    context.lineTo(to.x + back, to.y - head / 2);
    context.lineTo(to.x + back, to.y + head / 2);
    context.fill();
    drawn.arrows.push([waiting, blocker]);
  }
}
