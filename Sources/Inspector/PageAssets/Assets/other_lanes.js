// Of a page of two runs, by queue: below the lanes of each queue those of the queue of that name in the other run.

// Of the height of a row, in its middle.
const otherLaneShare = 0.66;

class OtherLanes {
  constructor(rows) {
    Object.assign(this, { rows, queues: queuesOf(otherRun.source), firstOf: new Map(), byKey: new Map() });
    for (const section of otherRun.source.lanes) {
      const key = OtherLanes.key(this.queues, section.queue - 1);
      if (!this.byKey.has(key)) this.byKey.set(key, []);
      this.byKey.get(key).push(section);
    }
  }

  // Queues of the same name, and those without one, correspond in their order.
  static key({ named, name }, queue) { return queue < 0 ? -1 : named(queue)?.isNameless ? 0 : name(queue); }

  has(queue) { return (this.byKey.get(OtherLanes.key(shownQueues, queue)) ?? []).length > 0; }

  // Below the lanes of a queue of the run that is shown.
  addBelow(queue) {
    const section = this.byKey.get(OtherLanes.key(shownQueues, queue))?.shift();
    if (section) this.add(section, `${titleOfQueue(this.queues, section.queue - 1)} · ${otherRun.name}`);
  }

  // What only the other run has.
  addRest() {
    for (const section of [...this.byKey.values()].flat()) {
      this.add(section, `${titleOfQueue(this.queues, section.queue - 1)} · only in ${otherRun.name}`);
    }
  }

  add(section, title) {
    this.rows.push({ title });
    this.firstOf.set(section.queue - 1, this.rows.length);
    addLanes(this.rows, section, { isOther: true });
  }

  // The row of each operation of the other run, and the operations of each row in order of time.
  placed(length) {
    const { source: run, lifetimes } = otherRun;
    const rowOf = new Int32Array(run.count).fill(-1);
    placeInLanes(rowOf, run, places(run.operations.queue, run.count), this.firstOf);
    const byRow = grouping(length, run.count, (other) => rowOf[other]);
    this.rows.forEach(({ isOther, isWaiting }, row) => {
      const key = isWaiting ? lifetimes.enqueued : lifetimes.start;
      if (isOther) byRow.of(row).sort((a, b) => key[a] - key[b] || a - b);
    });
    return { rowOf, byRow, described: this.queues.described };
  }
}

// The times of the other run where the time axis has them.
const othersTimes = otherRun && Object.fromEntries(["enqueued", "start", "end"].map((name) => (
  [name, otherRun.lifetimes[name].map((time) => time + otherRun.shift)])));

// During a search: what does not match is pale, and below what does.
function drawOtherLane(context, surface, row, y, height) {
  const { rows, others } = timeline.lanes;
  const members = others.byRow.of(row);
  if (!rows[row].isWaiting) drawSuspensions(context, surface, others.described.get(rows[row].queue), y, height, otherRun.shift);
  const run = { enqueued: othersTimes.enqueued, nameOf: otherRun.nameOf, described: others.described, shift: otherRun.shift };
  for (const isFound of otherRun.isMatch ? [false, true] : [true]) {
    const shown = otherRun.isMatch && isFound ? members.filter((other) => otherRun.isMatch[otherRun.rowOfOther[other]] === 1) : members;
    context.globalAlpha = isFound ? 1 : paleness;
    if (!rows[row].isWaiting) drawOtherBars(context, surface, shown, y + (height * (1 - otherLaneShare)) / 2, height * otherLaneShare);
    else if (shown.length > 0) drawNeverStarted(context, surface, shown, { ...rows[row], end: rows[row].end + otherRun.shift }, y, height, run);
  }
}

function drawOtherBars(context, surface, members, y, height) {
  const { start, end } = othersTimes;
  const right = surface.toWorldX(surface.width);
  let last = -1;
  for (let at = partition(members, (other) => end[other] < surface.view.x); at < members.length && start[members[at]] <= right; at += 1) {
    const other = members[at];
    const [x1, x2] = [Math.max(-2, surface.toScreenX(start[other])), Math.min(surface.width + 2, surface.toScreenX(end[other]))];
    // Bars within the same pixel are drawn once.
    if (x2 - x1 < 1 && Math.floor(x1) === last) continue;
    last = Math.floor(x1);
    context.fillStyle = state.colors.mutedText;
    context.fillRect(x1, y, Math.max(1, x2 - x1 - (x2 - x1 >= 3 ? 1 : 0)), height);
    const from = Math.max(x1, 0);
    const room = Math.min(x2, namesEnd(surface)) - from - 8;
    if (height < 9 || room <= 22) continue;
    const sign = endingSigns[otherRun.ending[other]];
    context.fillStyle = state.colors.background;
    context.fillText(fitText(context, `${sign ? `${sign} ` : ""}${otherRun.nameOf(other)}`, room), from + 4, y + height / 2);
  }
}

// The bar in the other run of what is selected.
function outlineOther(context, surface) {
  const other = state.selected < 0 ? -1 : otherRun.same(state.selected);
  const row = other < 0 ? -1 : timeline.lanes.others.rowOf[other];
  if (row < 0) return;
  const { enqueued, start, end } = othersTimes;
  const isWaiting = timeline.lanes.rows[row].isWaiting;
  const x1 = Math.max(-4, surface.toScreenX((isWaiting ? enqueued : start)[other]));
  const x2 = Math.min(surface.width + 4, surface.toScreenX(end[other]));
  context.strokeStyle = state.colors.text;
  context.lineWidth = 1.5;
  context.setLineDash([4, 2]);
  context.strokeRect(x1 - 1, surface.toScreenY(row), Math.max(3, x2 - x1) + 2, Math.max(3, surface.view.scaleY - 1));
  context.setLineDash([]);
}

// The operation of the other run whose bar is above that of the same operation, in a row of its own; -1 for none.
function otherAbove({ x, y }, row) {
  const other = otherRun.same(timeline.lanes.byRow.of(row)[0]);
  if (other < 0 || timelineSurface.toWorldY(y) - row > otherShare) return -1;
  const { enqueued, end } = othersTimes;
  const [time, reach] = [timelineSurface.toWorldX(x), pickReach / timelineSurface.view.scaleX];
  return time >= enqueued[other] + otherRun.lifetimes.dependency[other] - reach && time <= end[other] + reach ? other : -1;
}

// The operation of the other run at a place of the timeline; -1 for none.
function otherAtTime({ x, y }) {
  const { rows, others } = timeline.lanes;
  const row = Math.floor(timelineSurface.toWorldY(y));
  if (y < axisHeight || !rows[row]) return -1;
  if (rows[row].other !== undefined) return rows[row].other;
  if (timeline.lanes.isByOperation && rows[row].title === undefined) return otherAbove({ x, y }, row);
  if (!rows[row].isOther) return -1;
  const { enqueued, start, end } = othersTimes;
  const [members, time, reach] = [others.byRow.of(row), timelineSurface.toWorldX(x), pickReach / timelineSurface.view.scaleX];
  if (rows[row].isWaiting) return members[Math.max(0, partition(members, (other) => enqueued[other] <= time + reach) - 1)] ?? -1;
  const at = partition(members, (other) => end[other] < time - reach);
  return at < members.length && start[members[at]] <= time + reach ? members[at] : -1;
}

// Selects the same operation of the run that is shown. What that run or the page does not have is shown in the other run.
function pickOther(other) {
  const own = otherRun.shownAs(other);
  if (own < 0) showOtherRun(other);
  else select(own, "timeline");
}
