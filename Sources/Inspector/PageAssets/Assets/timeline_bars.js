// What is drawn of an operation in its row of the timeline: its bar, the parts of its lifetime, its name.

const timelineFontSize = (rowHeight) => Math.min(12, Math.max(10, rowHeight * 0.5));
// In a lower bar, a name would touch its border.
const leastNamedBar = 11;

const rowGap = (height) => (height >= 8 ? 2 : height >= 4 ? 1 : 0);

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
  const room = Math.min(x2, namesEnd(surface)) - from - 8;
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
  const x = x2 + 4 + width < namesEnd(surface) ? Math.max(4, x2 + 4) : Math.max(4, x1 - 4 - width);
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
  if (enqueued === shownRun.enqueued) outlineWaitingMembers(context, surface, members, y);
  if (height < leastNamedBar) return;
  const told = (what) => `${endingSigns[ending] || "…"} ${what} ${isOpen ? "never started" : "ended without a start"}`;
  const named = (number) => {
    const more = members.length - number;
    return told(`${[...members.subarray(0, number)].map(naming).join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`);
  };
  const right = namesEnd(surface);
  const fits = (text) => context.measureText(text).width < right - 16;
  const most = Math.min(mostNeverStarted, members.length);
  const text = Array.from({ length: most }, (_, fewer) => named(most - fewer)).find(fits) ?? told(counted(members.length, "operation"));
  const left = Math.min(from + 8, right - context.measureText(text).width - 8);
  writeOnBackground(context, text, Math.max(left, 6), y + 2, height - 4);
}
