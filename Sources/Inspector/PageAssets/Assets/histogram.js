// How long the executions of a kind took, with the selected one marked.

const histogramBins = 24;
const leastForHistogram = 5;
// From this ratio of the longest to the shortest, equal steps would leave most bins empty.
const wideRange = 20;

const executionsOfKind = new Map();

// The lengths of the executions of a kind on this page, in ascending order.
function sortedExecutions(kind) {
  if (!executionsOfKind.has(kind)) {
    const lengths = [];
    for (let index = 0; index < count; index += 1) if (operations.kind[index] === kind && has(index, flag.started)) lengths.push(operations.execution[index]);
    executionsOfKind.set(kind, Float64Array.from(lengths).sort());
  }
  return executionsOfKind.get(kind);
}

function histogram(index) {
  const lengths = sortedExecutions(operations.kind[index]);
  if (lengths.length < leastForHistogram || !has(index, flag.started)) return "";
  const own = operations.execution[index];
  const [shortest, longest] = [lengths[0], lengths[lengths.length - 1]];
  const isWide = longest > wideRange * Math.max(shortest, 1);
  const scale = isWide ? (time) => Math.log(Math.max(time, 1)) : (time) => time;
  const [from, to] = [scale(shortest), scale(longest)];
  const binOf = (time) => (to > from ? Math.min(histogramBins - 1, Math.floor(((scale(time) - from) / (to - from)) * histogramBins)) : 0);
  const bins = new Float64Array(histogramBins);
  for (const time of lengths) bins[binOf(time)] += 1;
  const most = bins.reduce((larger, number) => Math.max(larger, number), 1);
  const marked = binOf(own);
  const height = 36;
  const picture = svgElement("svg", { class: "histogram", viewBox: `0 0 ${histogramBins * 10} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  bins.forEach((number, bin) => {
    if (number === 0) return;
    const size = Math.max(1.5, (number / most) * height);
    picture.append(svgElement("rect", { x: bin * 10 + 1, y: height - size, width: 8, height: size, class: bin === marked ? "own" : "" }));
  });
  const below = partition(lengths, (time) => time < own);
  const median = lengths[Math.ceil(lengths.length / 2) - 1];
  const what = isTask(index) ? "running times" : "executions";
  const rank = below === 0 ? "None of them was shorter." : `It was longer than ${grouped(below)} of them.`;
  // Differences that are not printed would be drawn as if they mattered.
  if (duration(shortest) === duration(longest)) return element("p", { class: "of-kind" }, `All ${grouped(lengths.length)} ${what} of ${kindName(index)} took ${duration(median)}.`);
  return element("figure", { class: "of-kind" },
    element("figcaption", {}, `The ${grouped(lengths.length)} ${what} of ${kindName(index)}: ${duration(shortest)} to ${duration(longest)}${isWide ? " (by powers)" : ""}, median ${duration(median)}. ${rank}`), picture);
}
