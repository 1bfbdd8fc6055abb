// What a page of two runs has besides: what changed, operation by operation and kind by kind, and the difference of the code.

function showComparedTables() {
  for (const name of ["compared", "compared-kinds"]) byID(`tab-${name}`).hidden = false;
  const side = (title, values) => timeColumn(title, (row) => values[row]);
  const change = (title, difference) => ({
    title, isNumber: true, isTime: true, width: "minmax(6.5em, 1fr)", value: difference, cell: (row) => signed(difference(row)) || "–",
  });
  const { took: [tookBefore, tookAfter], executed: [executedBefore, executedAfter] } = otherRun;
  const timed = (value) => (row) => (otherRun.isTimed[row] === 1 ? value(row) : 0);
  const executed = timed((row) => executedAfter[row] - executedBefore[row]);
  byID("compared-table").append(element("p", { class: "note" }, "What grew or is new first. Waits for dependencies are not counted."));
  otherRun.table = new VirtualTable(byID("compared-table"), {
    label: "Operations of both runs", rows: Int32Array.from({ length: otherRun.count }, (_, row) => row), sortedBy: 0,
    onPick: (row) => (otherRun.ownOf[row] < 0 ? showOtherRun(otherRun.otherOf[row]) : select(otherRun.ownOf[row], "table")),
    columns: [
      { title: "change", width: "minmax(12em, 1fr)", texts: comparison.changes, value: (row) => row, csv: changeOf, cell: changeOf },
      { title: "operation", width: "minmax(12em, 3fr)", texts: [...source.names, ...otherRun.source.names], value: comparedName, cell: comparedName },
      { title: "kind", width: "minmax(8em, 2fr)", texts: [...source.kinds, ...otherRun.source.kinds], value: comparedKind, cell: comparedKind },
      side("before", tookBefore), side("after", tookAfter), change("difference", (row) => otherRun.difference[row]),
      change("executed", executed), change("waited", timed((row) => tookAfter[row] - tookBefore[row] - executed(row))),
    ],
  });
  const { kinds } = comparison;
  const number = (title, key) => countColumn(title, (row) => kinds[row][key]);
  const times = (word) => [
    ...["Before", "After"].map((side) => ({ ...timeColumn(`${word} ${side.toLowerCase()}`, (row) => kinds[row][`${word}${side}`]), meaning: meaningOf(word) })),
    change(`${word}, difference`, (row) => (kinds[row].isComparable ? kinds[row][`${word}After`] - kinds[row][`${word}Before`] : 0)),
  ];
  new VirtualTable(byID("compared-kinds-table"), {
    label: "Kinds of both runs, means", rows: kinds.map((_, row) => row), sortedBy: 0, onPick: (row) => searchForAll("kind", kinds[row].name),
    columns: [
      { title: "change", width: "minmax(12em, 1fr)", texts: kinds.map(({ change: text }) => text), value: (row) => row, csv: (row) => kinds[row].change, cell: (row) => kinds[row].change },
      { title: "kind", width: "minmax(9em, 2fr)", texts: kinds.map(({ name }) => name), value: (row) => kinds[row].name, cell: (row) => kinds[row].name },
      number("before", "countBefore"), number("after", "countAfter"), ...times("executed"), ...times("waited"),
    ],
  });
  whenSelected.push((index, origin) => otherRun.table.activate(index < 0 ? -1 : otherRun.rowOf[index], origin !== "start"));
  if (comparison.flames) {
    byID("tab-compared-code").hidden = false;
    byID("compared-code").append(element("img", { src: comparison.flames, alt: "Flame graph of the code of both runs: what takes longer in the later run is red" }));
  }
}

function showRuns() {
  byID("runs").hidden = false;
  byID("help-runs").hidden = false;
  for (const button of document.querySelectorAll("[data-run]")) {
    const isShown = (button.dataset.run === "before") === isBefore;
    button.setAttribute("aria-pressed", String(isShown));
    button.addEventListener("click", () => { if (!isShown) showOtherRun(); });
  }
}

// What became of an operation, in its story.
function comparedStory(index) {
  if (!otherRun || otherRun.rowOf[index] < 0) return [];
  const row = otherRun.rowOf[index];
  if (otherRun.same(index) < 0) {
    const why = otherRun.same(index) === -1 ? "has no such operation" : "has it, but this page does not";
    return [element("p", { class: "compared" }, `${changeOf(row)}: ${otherRun.name} ${why}.`)];
  }
  const link = element("button", { type: "button", class: "operation", onclick: () => showOtherRun(otherRun.same(index)) }, `show it in ${otherRun.name}`);
  // The lifetime, which has those waits, may have changed the other way.
  const left = [comparison.slower, comparison.faster].includes(otherRun.change[row]) ? ", waits for dependencies left out" : "";
  return [smallTable([`${changeOf(row)}${left} — `, link], [worded(""), numeric("before"), numeric("after"), numeric("difference")], comparedParts(index))];
}

if (otherRun) {
  showRuns();
  showComparedTables();
}
