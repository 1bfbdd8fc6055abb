// Draws the timeline: what executed when, lane by lane. Bars within the same pixel are drawn once.

const axisHeight = 26;
const timeline = { mode: "queue", lanes: lanesByQueue(), rowHeight: 22 };
// When the first operations up to that number were added, and when the last one ended.
function spanOf(number) {
  let [first, last] = [Infinity, -Infinity];
  for (let index = 0; index < number; index += 1) {
    if (!has(index, flag.enqueued)) continue;
    first = Math.min(first, operations.enqueued[index]);
    last = Math.max(last, operations.end[index]);
  }
  return [first, last];
}

const timeSpan = (() => {
  const [first, last] = spanOf(count);
  return first > last ? { first: 0, length: 1 } : { first, length: Math.max(last - first, 1) };
})();

// What the timeline can show: of two runs, the time of the longer one.
const axisSpan = otherRun ? { first: otherRun.start, length: otherRun.length } : timeSpan;

// Since when nothing happened in a run that stood still: null for others.
const standstill = source.stillSince ?? null;

// Says for how long nothing happened, above the rows.
function drawStandstill(context, surface) {
  if (standstill === null) return;
  const { end } = source;
  const left = Math.max(0, surface.toScreenX(standstill));
  const right = Math.min(surface.width, surface.toScreenX(end));
  if (right <= left || end <= standstill) return;
  const { colors } = state;
  context.fillStyle = colors.fills[3];
  context.fillRect(left, axisHeight - 4, right - left, 4);
  context.font = "11px system-ui, sans-serif";
  const text = `nothing happened for ${duration(end - standstill)}`;
  const width = context.measureText(text).width;
  context.fillStyle = colors.background;
  context.fillRect(right - width - 10, 2, width + 8, axisHeight - 7);
  context.fillStyle = colors.borders[3];
  context.fillText(text, right - width - 6, axisHeight / 2 - 2);
}

// 1, 2 or 5 times a power of ten, so that marks are at least 84 pixels apart.
function tickStep(scale) {
  const least = 84 / scale;
  const power = 10 ** Math.floor(Math.log10(least));
  return Math.max(1, [1, 2, 5, 10].find((step) => step * power >= least) * power);
}

function drawAxis(context, surface) {
  const { colors } = state;
  const step = tickStep(surface.view.scaleX);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.fillStyle = colors.background;
  context.fillRect(0, 0, surface.width, axisHeight);
  for (let time = Math.ceil(surface.view.x / step) * step; time < surface.toWorldX(surface.width); time += step) {
    const x = Math.round(surface.toScreenX(time)) + 0.5;
    context.fillStyle = colors.grid;
    context.fillRect(x, axisHeight, 1, surface.height);
    context.fillStyle = colors.mutedText;
    // Labels need enough decimals to differ between neighbouring marks.
    const label = tickLabel(time, step);
    if (x + 3 + context.measureText(label).width <= surface.width) context.fillText(label, x + 3, axisHeight / 2);
  }
  context.fillStyle = colors.grid;
  context.fillRect(0, axisHeight - 1, surface.width, 1);
}

function tickLabel(time, step) {
  const [unit, size] = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]].find(([, scale]) => Math.abs(time) >= scale) ?? ["ns", 1];
  const decimals = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
  return time === 0 ? "0" : `${(time / size).toFixed(Math.min(decimals, 6))} ${unit}`;
}

function drawBar(context, surface, bar, x1, x2, y, height) {
  const { colors } = state;
  const index = bars.operation[bar];
  const ending = operations.ending[index];
  const width = Math.max(1, x2 - x1);
  context.fillStyle = fillOf(index);
  context.fillRect(x1, y, width, height);
  // In a smaller bar, the border would hide the fill.
  if (width >= 3 && height >= 5) {
    context.strokeStyle = ending === 0 ? colors.border : colors.borders[ending];
    context.lineWidth = 1;
    context.strokeRect(x1 + 0.5, y + 0.5, width - 1, height - 1);
  }
  // What is left for the name between what is drawn at the top and at the bottom.
  const top = isTask(index) ? 0 : drawBlocking(context, surface, index, x1, x2, y, height);
  const line = Math.min(3, height);
  let bottom = height;
  if (bars.isCritical[bar] === 1) {
    bottom -= line;
    context.fillStyle = colors.critical;
    context.fillRect(x1, y + bottom, width, line);
  }
  const strip = Math.max(4, Math.round(height * 0.25));
  const font = timelineFontSize(surface.view.scaleY);
  const hasStrip = executions && has(index, flag.started) && !isTask(index) && (height < leastNamedBar ? height >= 8 : bottom - top - strip >= font - 1);
  if (hasStrip) {
    bottom -= strip;
    drawExecutionParts(context, surface, index, x1, x2, y + bottom, strip);
  }
  const from = Math.max(x1, 0);
  const room = Math.min(x2, surface.width) - from - 8;
  if (height < leastNamedBar) return;
  const middle = y + (top + bottom) / 2 + 0.5;
  const sign = endingSigns[ending] ? `${endingSigns[ending]} ` : "";
  context.fillStyle = colors.text;
  if (!timeline.lanes.isByOperation) {
    if (room > 22) context.fillText(fitText(context, sign + plainName(index), room), from + 4, middle);
    return;
  }
  // The bar is alone in its row, so a name that does not fit inside is drawn beside it.
  const name = sign + plainName(index);
  if (context.measureText(name).width <= room) context.fillText(name, from + 4, middle);
  else drawBeside(context, surface, name, x1, x2, y, height);
}

// A name right of what is between x1 and x2, or left of it: on the background, because a wait may be there.
function drawBeside(context, surface, text, x1, x2, y, height, color = state.colors.text) {
  const name = fitText(context, text, surface.width / 2);
  const { width } = context.measureText(name);
  const x = x2 + 4 + width < surface.width ? Math.max(4, x2 + 4) : Math.max(4, x1 - 4 - width);
  writeOnBackground(context, name, x, y, height, color);
}

function writeOnBackground(context, text, x, y, height, color = state.colors.text) {
  context.fillStyle = state.colors.background;
  const { width, fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = context.measureText(text);
  const room = Math.min(height, above + below + 1);
  context.fillRect(x - 2, y + (height - room) / 2, width + 4, room);
  context.fillStyle = color;
  context.fillText(text, x, y + height / 2 + 0.5);
}

// While a queue was suspended, nothing started in its rows.
function drawSuspensions(context, surface, { suspensions: times = [] } = {}, y, height, shift = 0) {
  context.fillStyle = hatch(context, state.colors.parts[parts.indexOf("suspended")]);
  for (let at = 0; at < times.length; at += 2) {
    const [x1, x2] = [Math.max(0, surface.toScreenX(times[at] + shift)), Math.min(surface.width, surface.toScreenX(times[at + 1] + shift))];
    if (x2 >= x1) context.fillRect(x1, y, Math.max(1, x2 - x1), height);
  }
}

// While an operation blocked its thread until others finished: a strip at the top of the bar. Returns how much of the
// height it takes.
function drawBlocking(context, surface, index, x1, x2, y, height) {
  const strip = Math.max(3, Math.round(height * 0.25));
  let taken = 0;
  for (const wait of waitsOf.get(index) ?? []) {
    const [from, to] = [Math.max(x1, surface.toScreenX(wait.start)), Math.min(x2, surface.toScreenX(wait.end))];
    if (to - from < 1) continue;
    taken = strip;
    for (const style of [state.colors.background, hatch(context, state.colors.blocked)]) {
      context.fillStyle = style;
      context.fillRect(from, y, to - from, strip);
    }
  }
  return taken;
}

// Draws the waits before the start, in the colours that the tables use.
function drawWaits(context, surface, index, y, height) {
  let time = operations.enqueued[index];
  for (const [at, part] of parts.entries()) {
    if (part === "execution") continue;
    const x1 = surface.toScreenX(time);
    time += operations[part][index];
    const x2 = Math.min(surface.toScreenX(time), surface.width);
    if (x2 - x1 <= 0 || x2 < 0) continue;
    context.fillStyle = state.colors.parts[at];
    context.fillRect(Math.max(x1, 0), y, Math.max(x2 - Math.max(x1, 0), 1), height);
  }
}

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
  const right = surface.toWorldX(surface.width);
  let at = partition(members, (member) => bars.end[member] < surface.view.x);
  while (at < members.length && bars.start[members[at]] <= right) {
    const bar = members[at];
    const x1 = surface.toScreenX(bars.start[bar]);
    const x2 = surface.toScreenX(bars.end[bar]);
    drawInRow(context, surface, bar, x1, x2, y, height);
    at += 1;
    if (x2 - x1 < 1 && at < members.length) {
      // Bars that start within this pixel are already drawn by it.
      const next = surface.toWorldX(Math.floor(x1) + 1);
      if (bars.start[members[at]] < next) at += partition(members.subarray(at), (member) => bars.start[member] < next);
    }
  }
}

const timelineFontSize = (rowHeight) => Math.min(12, Math.max(10, rowHeight * 0.5));
// In a lower bar, a name would touch its border.
const leastNamedBar = 11;

const rowGap = (height) => (height >= 8 ? 2 : height >= 4 ? 1 : 0);

// A bar from x1 to x2, and its waits if the row is its own. y and height are those of the row.
function drawInRow(context, surface, bar, x1, x2, y, height) {
  if (otherRun && timeline.lanes.isByOperation) {
    drawInRest(context, surface, bar, x1, x2, y + height * otherShare, height * (1 - otherShare));
  } else {
    drawInRest(context, surface, bar, x1, x2, y, height);
  }
}

function drawInRest(context, surface, bar, x1, x2, y, height) {
  const gap = rowGap(height);
  if (timeline.lanes.isByOperation) {
    if (isTask(bars.operation[bar])) {
      drawTaskRow(context, surface, bar, y + gap / 2, height - gap);
      return;
    }
    drawWaits(context, surface, bar, y + height * 0.3, Math.max(1, height * 0.4));
  }
  drawBar(context, surface, bar, Math.max(x1, -2), Math.min(x2, surface.width + 2), y + gap / 2, height - gap);
}

function drawTaskRow(context, surface, index, y, height) {
  drawTaskStretches(context, surface, index, y, height);
  for (const bar of stayBars.of(index)) {
    if (bars.isCritical[bar] !== 1) continue;
    const [x1, x2] = [surface.toScreenX(bars.start[bar]), surface.toScreenX(bars.end[bar])];
    context.fillStyle = state.colors.critical;
    context.fillRect(Math.max(-2, x1), y + height - Math.min(3, height), Math.max(1, Math.min(x2, surface.width + 2) - Math.max(-2, x1)), Math.min(3, height));
  }
  if (height < leastNamedBar) return;
  drawBeside(context, surface, plainName(index), surface.toScreenX(bars.start[index]), Math.min(surface.width, surface.toScreenX(bars.end[index])), y, height);
}

// The run that is shown, as drawNeverStarted needs it of either run.
const shownRun = { enqueued: operations.enqueued, nameOf: plainName, described: queueOf, shift: 0 };
const mostNeverStarted = 3;

function drawNeverStarted(context, surface, members, { isOpen, end, queue }, y, height, { enqueued, nameOf: naming, described, shift } = shownRun) {
  const { colors } = state;
  const ending = isOpen ? 3 : 2;
  const from = Math.max(0, surface.toScreenX(enqueued[members[0]]));
  const to = Math.min(surface.width, surface.toScreenX(end));
  context.fillStyle = colors.fills[ending];
  context.fillRect(from, y + 1, Math.max(1, to - from), height - 2);
  drawSuspensions(context, surface, described.get(queue), y + 1, height - 2, shift);
  context.fillStyle = colors.borders[ending];
  let last = -1;
  for (const index of members) {
    const x = Math.floor(surface.toScreenX(enqueued[index]));
    if (x === last || x < 0) continue;
    if (x > surface.width) break;
    context.fillRect(x, y + 1, 1, height - 2);
    last = x;
  }
  if (height < leastNamedBar) return;
  const told = (what) => `${endingSigns[ending] || "…"} ${what} ${isOpen ? "never started" : "ended without a start"}`;
  const named = (number) => {
    const more = members.length - number;
    return told(`${[...members.subarray(0, number)].map(naming).join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`);
  };
  const fits = (text) => context.measureText(text).width < surface.width - 16;
  const most = Math.min(mostNeverStarted, members.length);
  const text = Array.from({ length: most }, (_, fewer) => named(most - fewer)).find(fits) ?? told(counted(members.length, "operation"));
  const left = Math.min(from + 8, surface.width - context.measureText(text).width - 8);
  writeOnBackground(context, text, Math.max(left, 6), y + 2, height - 4);
}

function drawSelection(context, surface) {
  const { selected } = state;
  const row = selected < 0 ? -1 : timeline.lanes.rowOf[selected];
  if (row < 0) return;
  const { colors } = state;
  const height = surface.view.scaleY;
  const y = surface.toScreenY(row);
  drawWakes(context, surface, selected);
  if (isTask(selected)) {
    outlineBars(context, surface, selected);
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
const stayBars = tasks && grouping(count, bars.count, (bar) => (bar < count ? -1 : bars.operation[bar]));
const barsOf = (index) => (isTask(index) && !timeline.lanes.isByOperation ? stayBars.of(index) : [index]);

function outlineBars(context, surface, index) {
  context.strokeStyle = state.colors.text;
  context.lineWidth = 2;
  for (const bar of barsOf(index)) {
    const row = timeline.lanes.rowOf[bar];
    const x1 = Math.max(-4, surface.toScreenX(bars.start[bar]));
    const x2 = Math.min(surface.width + 4, surface.toScreenX(bars.end[bar]));
    if (row < 0 || x2 < -2 || x1 > surface.width + 2) continue;
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
  drawSelection(context, surface);
  if (timeline.lanes.others) outlineOther(context, surface);
  context.restore();
  drawStandstill(context, surface);
  drawRange(context, surface);
  const shown = last + 1 - first < rows.length ? [`rows ${grouped(first + 1)} to ${grouped(last + 1)} of ${grouped(rows.length)}`] : [];
  if (otherRun) shown.push(`thin and grey: ${otherRun.name}`);
  byID("timeline-note").textContent = shown.join(" · ");
  drawOverview();
}
