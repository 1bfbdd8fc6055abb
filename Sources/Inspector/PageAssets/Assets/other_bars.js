// Of a page of two runs: draws what the other run's operations did into the rows of the timeline.

// Of the height of a row, above the bar of the run that is shown.
const otherShare = 0.3;

// The bar of the other run: its wait after its dependencies, a line, and its execution. Returns where both are.
function drawOther(context, surface, other, y, height) {
  const { enqueued, dependency, start, end } = otherRun.lifetimes;
  const [x0, x1, x2] = [enqueued[other] + dependency[other], start[other], end[other]]
    .map((time) => Math.min(Math.max(surface.toScreenX(time + otherRun.shift), -2), surface.width + 2));
  const begins = (otherRun.flags[other] & flag.started) !== 0 ? x1 : x2;
  context.fillStyle = state.colors.mutedText;
  context.fillRect(x0, y + height / 2 - 0.5, begins - x0, 1);
  context.fillRect(begins, y, Math.max(1, x2 - begins), height);
  return [x0, x2];
}

// An operation that only the other run has.
function drawNamedOther(context, surface, other, y, height) {
  const [begin, end] = drawOther(context, surface, other, y + height * otherShare, height * otherShare);
  if (height >= leastNamedBar) drawBeside(context, surface, otherRun.nameOf(other), begin, end, y + 1, height - 2, state.colors.mutedText);
}
