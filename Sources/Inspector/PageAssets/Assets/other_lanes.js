// Of a page of two runs, by queue: below the lanes of each queue and executor those of the same name in the other run.

// Of the height of a row, in its middle.
const otherLaneShare = 0.66;

// Sections of the other run. Those of the same key correspond in their order to those of the run that is shown.
class Counterparts {
  constructor(sections, keyOf) {
    this.byKey = new Map();
    for (const section of sections) {
      const key = keyOf(section);
      if (!this.byKey.has(key)) this.byKey.set(key, []);
      this.byKey.get(key).push(section);
    }
  }

  // Undefined after the last one of that key.
  take(key) { return this.byKey.get(key)?.shift(); }

  // What only the other run has.
  get rest() { return [...this.byKey.values()].flat(); }
}

// Queues of the same name, and those without one, correspond.
const keyOfQueue = ({ named, name }, queue) => (queue < 0 ? -1 : named(queue)?.isNameless ? 0 : name(queue));

// Those of the same kind and name correspond, and the sections of further executors.
const keyOfExecutor = ({ keys }) => (keys.length === 1 ? keys[0] : null);

// Whether a run has the executors of a section, be it among further ones.
const isIn = (tasks, { keys }) => keys.length > 1 || (tasks?.sections ?? []).some((section) => section.keys.includes(keys[0]));

class OtherLanes {
  constructor(rows) {
    const queueTable = queuesOf(otherRun.source);
    Object.assign(this, {
      rows, queueTable, firstOf: new Map(), rowOfLane: [],
      queues: new Counterparts(otherRun.source.lanes, ({ queue }) => keyOfQueue(queueTable, queue - 1)),
      executors: new Counterparts(executorsOf(othersTasks), keyOfExecutor),
    });
  }

  // where: the run, or that only this one has the section.
  addQueue(section, where) {
    this.rows.push({ title: `${titleOfQueue(this.queueTable, section.queue - 1)} · ${where}` });
    this.firstOf.set(section.queue - 1, this.rows.length);
    addLanes(this.rows, section, { isOther: true });
  }

  addExecutor(section, where) {
    this.rows.push({ title: `${section.title} · ${where}` });
    addExecutor(this.rows, section, this.rowOfLane, { isOther: true });
  }

  // The row of each bar of the other run, and the bars of each row in order of time.
  placed() {
    const { source: run } = otherRun;
    const rowOf = new Int32Array(othersBars.count).fill(-1);
    placeInLanes(rowOf, run, places(run.operations.queue, run.count), this.firstOf);
    placeStays(rowOf, run, othersTasks, othersBars, this.rowOfLane);
    const byRow = barsByRow(this.rows, rowOf, run, othersBars, othersTimes);
    return { rowOf, byRow, described: this.queueTable.described, found: null };
  }
}

// The times of the other run where the time axis has them.
const othersTimes = otherRun && Object.fromEntries(["enqueued", "start", "end"].map((name) => (
  [name, otherRun.lifetimes[name].map((time) => time + otherRun.shift)])));
const othersTasks = otherRun && tasksOf(otherRun.source);
const othersBars = otherRun && barsOfRun(otherRun.source, othersTasks, { ...othersTimes, flags: otherRun.flags });
const othersStays = othersTasks && staysByTask(otherRun.source, othersBars);

const isTaskOfOther = (other) => othersTasks !== undefined && other >= othersTasks.first;
const isFoundInOther = (other) => otherRun.isMatch[otherRun.rowOfOther[other]] === 1;

// The bars of a row that match the search: collected once for each search, because a row can have very many.
function foundInRow(row) {
  const { others } = timeline.lanes;
  if (others.found?.isMatch !== otherRun.isMatch) others.found = { isMatch: otherRun.isMatch, ofRow: new Map() };
  const { ofRow } = others.found;
  if (!ofRow.has(row)) ofRow.set(row, others.byRow.of(row).filter((bar) => isFoundInOther(othersBars.operation[bar])));
  return ofRow.get(row);
}

// During a search: what does not match is pale, and below what does.
function drawOtherLane(context, surface, row, y, height) {
  const { rows, others } = timeline.lanes;
  if (!rows[row].isWaiting) drawSuspensions(context, surface, others.described.get(rows[row].queue), y, height, otherRun.shift);
  const run = { enqueued: othersTimes.enqueued, nameOf: otherRun.nameOf, described: others.described, shift: otherRun.shift };
  for (const isFound of otherRun.isMatch ? [false, true] : [true]) {
    const shown = otherRun.isMatch && isFound ? foundInRow(row) : others.byRow.of(row);
    context.globalAlpha = isFound ? 1 : paleness;
    if (!rows[row].isWaiting) drawOtherBars(context, surface, shown, y + (height * (1 - otherLaneShare)) / 2, height * otherLaneShare);
    else if (shown.length > 0) drawNeverStarted(context, surface, shown, { ...rows[row], end: rows[row].end + otherRun.shift }, y, height, run);
  }
}

function drawOtherBars(context, surface, members, y, height) {
  visitBars(surface, members, othersBars, (bar, start, end) => {
    const [x1, x2] = [Math.max(-2, start), Math.min(surface.width + 2, end)];
    context.fillStyle = state.colors.mutedText;
    context.fillRect(x1, y, Math.max(1, x2 - x1 - (x2 - x1 >= 3 ? 1 : 0)), height);
    const from = Math.max(x1, 0);
    const room = Math.min(x2, namesEnd(surface)) - from - 8;
    if (height < 9 || room <= 22) return;
    const other = othersBars.operation[bar];
    const sign = endingSigns[otherRun.ending[other]];
    context.fillStyle = state.colors.background;
    context.fillText(fitText(context, `${sign ? `${sign} ` : ""}${otherRun.nameOf(other)}`, room), from + 4, y + height / 2);
  });
}

// The bars in the other run of what is selected.
function outlineOther(context, surface) {
  const other = state.selected < 0 ? -1 : otherRun.same(state.selected);
  if (other < 0) return;
  const { rowOf } = timeline.lanes.others;
  const isWaiting = timeline.lanes.rows[rowOf[other]]?.isWaiting;
  context.strokeStyle = state.colors.text;
  context.lineWidth = 1.5;
  context.setLineDash([4, 2]);
  outlineBars(context, surface, barsOfOther(other), isWaiting ? { ...othersBars, start: othersTimes.enqueued } : othersBars, rowOf);
  context.setLineDash([]);
}

const barsOfOther = (other) => (isTaskOfOther(other) ? othersStays.of(other) : [other]);

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
  const { operation, start, end } = othersBars;
  const [members, time, reach] = [others.byRow.of(row), timelineSurface.toWorldX(x), pickReach / timelineSurface.view.scaleX];
  if (rows[row].isWaiting) return members[Math.max(0, partition(members, (other) => othersTimes.enqueued[other] <= time + reach) - 1)] ?? -1;
  const at = partition(members, (bar) => end[bar] < time - reach);
  return at < members.length && start[members[at]] <= time + reach ? operation[members[at]] : -1;
}

// Selects the same operation of the run that is shown. What that run or the page does not have is shown in the other run.
function pickOther(other) {
  const own = otherRun.shownAs(other);
  if (own < 0) showOtherRun(other);
  else select(own, "timeline");
}
