// Two runs: the one that is not shown, and which of its operations is the same as one of the run that is shown. Null on
// the page of a single run.

const otherRun = comparison && (() => {
  const other = dataOf(isBefore ? "trace" : "trace-before");
  const { rows, starts: firsts, length } = comparison;
  const column = (name) => numbers(rows[name], rows.count, Float64Array);
  const sides = ["Before", "After"];
  const [own, others] = isBefore ? [rows.before, rows.after] : [rows.after, rows.before];
  const ownOf = places(own, rows.count);
  const otherOf = places(others, rows.count);
  const rowOf = new Int32Array(count).fill(-1);
  ownOf.forEach((index, row) => { if (index >= 0) rowOf[index] = row; });
  const rowOfOther = new Int32Array(other.count).fill(-1);
  otherOf.forEach((index, row) => { if (index >= 0) rowOfOther[index] = row; });
  const [ownStart, otherStart] = isBefore ? firsts : [...firsts].reverse();
  const [name, kind, flags, ending] = ["name", "kind", "flags", "ending"].map((column) => columnOf(other, column, Int32Array));
  return {
    name: isBefore ? "the later run" : "the earlier run", shownName: isBefore ? "the earlier run" : "the later run", lifetimes: lifetimesOf(other), flags, ending, source: other, rowOf, rowOfOther, ownOf, otherOf, count: rows.count,
    change: column("change"), difference: column("difference"), isTimed: column("isTimed"),
    took: sides.map((side) => column(`took${side}`)), executed: sides.map((side) => column(`executed${side}`)),
    // Both runs begin at the left.
    shift: ownStart - otherStart, start: ownStart, length,
    nameOf: (index) => other.names[name[index]],
    kindOf: (index) => other.kinds[kind[index]],
    // The operation that is the same as one of the run that is shown; -1 for none, -2 for one that the page leaves out.
    same: (index) => (rowOf[index] < 0 ? -1 : otherOf[rowOf[index]]),
    shownAs: (index) => (rowOfOther[index] < 0 ? -1 : ownOf[rowOfOther[index]]),
    // Which rows match a search; null without one.
    isMatch: null,
  };
})();

// The name and the kind of the operation of a row, in whichever run has it.
const comparedName = (row) => (otherRun.ownOf[row] < 0 ? otherRun.nameOf(otherRun.otherOf[row]) : plainName(otherRun.ownOf[row]));
const comparedKind = (row) => (otherRun.ownOf[row] < 0 ? otherRun.kindOf(otherRun.otherOf[row]) : kindName(otherRun.ownOf[row]));
const changeOf = (row) => comparison.changes[otherRun.change[row]];

// `+12.0 ms`, as ChangeText; nothing for no difference.
const signed = (difference) => (difference === 0 ? "" : `${difference > 0 ? "+" : ""}${duration(difference)}`);

// What became of the operation of a row, in one line: `▲ took longer: 100 ms → 400 ms (+300 ms)`, as TraceComparison.sentence.
function comparedText(row) {
  const change = changeOf(row);
  const [own, other] = [otherRun.ownOf[row], otherRun.otherOf[row]];
  if (otherRun.isTimed[row] === 1) {
    const [before, after] = otherRun.took.map((took) => (took[row] === 0 ? "–" : duration(took[row])));
    const difference = signed(otherRun.difference[row]);
    return `${change}: ${before} → ${after}${difference === "" ? "" : ` (${difference})`}`;
  }
  if (own < 0 || other < 0) return change;
  const endings = [endingOf(own), otherRun.source.endings[otherRun.ending[other]]];
  const [before, after] = isBefore ? endings : endings.reverse();
  return before === after ? change : `${change}: ${before} → ${after}`;
}

// What became of an operation: each part of its lifetime that it has in either run, before, after, and the difference.
function comparedParts(index) {
  const other = otherRun.same(index);
  if (other < 0) return [];
  const inOrder = (own, others) => (isBefore ? [own, others] : [others, own]);
  const [first, second] = inOrder(endingOf(index), otherRun.source.endings[otherRun.ending[other]]);
  const row = (label, own, others) => {
    const [before, after] = inOrder(own, others);
    const difference = otherRun.isTimed[otherRun.rowOf[index]] === 1 ? signed(after - before) : "";
    return [label, before === 0 ? "–" : duration(before), after === 0 ? "–" : duration(after), difference];
  };
  return [
    ...(first === second ? [] : [["ending", first, second, ""]]),
    ...parts.filter((part) => operations[part][index] > 0 || otherRun.lifetimes[part][other] > 0)
      .map((part) => row(phrases.parts[part], operations[part][index], otherRun.lifetimes[part][other])),
    row("lifetime", operations.total[index], otherRun.lifetimes.total[other]),
  ];
}

// Shows the other run at the same place: the same panel and time, and an operation of it; negative for none.
function showOtherRun(other = state.selected < 0 ? -1 : otherRun.same(state.selected)) {
  const fields = new URLSearchParams(viewFragment().slice(1));
  fields.set("run", isBefore ? "after" : "before");
  fields.delete("graph");
  const move = (name, length, moved) => {
    const numbers = numbersOf(fields.get(name) ?? "", length);
    if (numbers) fields.set(name, moved(numbers).join());
  };
  move("range", 2, (times) => times.map((time) => time - otherRun.shift));
  move("timeline", 3, ([x, ...rest]) => [x - otherRun.shift, ...rest]);
  if (other < 0) fields.delete("select");
  else fields.set("select", linkIn(otherRun.source, other));
  history.replaceState(null, "", `#${fields}`);
  location.reload();
}

// An operation of the other run, as an address names it.
function linkIn(run, index) {
  const column = (name) => columnOf(run, name)[index];
  return linkText(run.processNames && column("process"), identifierText(column("idHigh"), column("idLow")));
}
