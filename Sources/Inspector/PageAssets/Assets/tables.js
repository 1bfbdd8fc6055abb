// The tables of a run: operations, kinds, queues, the chain that delayed the run, the critical path, and the run with
// other numbers of slots.

// Negative for none.
const limitOfQueue = (row) => source.queueTable[row].limit ?? -1;

// Of a task, what its lifetime has besides waits for executors and actors, and what is not known.
const awaitingOf = (index) => (isTask(index)
  ? parts.reduce((rest, part) => rest - operations[part][index], operations.total[index]) : 0);

// Of the waits before a start, those that occurred: the others need no column.
const waitsThatOccurred = (times) => phrases.waitingParts.filter((part) => times(part).some((time) => time > 0));

// What cells may show of operations: names, and an identifier where several share one.
const operationTexts = source.names.concat(
  operations.flags.some((flags) => (flags & flag.sharesName) !== 0) ? source.names.map((name) => `${name} ${identifier(count - 1)}`) : []);

const operationTable = new VirtualTable(byID("operations-table"), {
  label: "Operations",
  rows: Int32Array.from({ length: count }, (_, index) => index),
  sortedBy: 3,
  onPick: (index) => select(index, "table"),
  picksAtOnce: true,
  columns: [
    { title: "operation", width: "minmax(12em, 3fr)", texts: operationTexts, value: plainName, csv: nameOf, cell: (index) => `${endingSigns[operations.ending[index]] ? `${endingSigns[operations.ending[index]]} ` : ""}${nameOf(index)}` },
    { title: "kind", width: "minmax(8em, 2fr)", texts: source.kinds, value: kindName, cell: kindName },
    { title: "ending", width: "minmax(8.5em, 1fr)", value: endingOf, cell: endingOf },
    timeColumn("lifetime", (index) => operations.total[index]),
    timeColumn("execution", (index) => operations.execution[index]),
    ...(executions ? executionParts.slice(0, 3).map((part) => timeColumn(executions.labels[part], (index) => executions.sums[part][index], executions.labels[part].length > 10 ? "minmax(11em, 1fr)" : undefined)) : []),
    ...waitsThatOccurred((part) => operations[part]).map((part) => timeColumn(part, (index) => operations[part][index], executions && part.length > 9 ? "minmax(7.5em, 1fr)" : undefined)),
    ...(tasks ? [timeColumn("awaiting", (index) => awaitingOf(index))] : []),
    timeColumn("slack", (index) => Math.max(0, operations.slack[index] - 1)),
    { title: "added at", isNumber: true, isTime: true, width: "minmax(5.5em, 1fr)", value: (index) => operations.enqueued[index], cell: (index) => duration(operations.enqueued[index]) },
  ],
});
whenSelected.push((index, origin) => operationTable.activate(index, origin !== "start"));

function groupTable(container, label, rows, first, onPick) {
  const meanWidth = "minmax(12.5em, 1fr)";
  const number = (title, value) => countColumn(title, (row) => value(rows[row]));
  return new VirtualTable(byID(container), {
    label, rows: rows.map((_, at) => at), sortedBy: 4 + first.length - 1, onPick: (row) => onPick(rows[row]),
    columns: [
      ...first,
      number("count", (row) => row.count), number("failed", (row) => row.failed),
      number("unfinished", (row) => row.unfinished),
      { title: "executing", isNumber: true, isTime: true, width: "minmax(5.5em, 1fr)", value: (row) => rows[row].total, cell: (row) => rows[row].executing }, timeColumn("median", (row) => rows[row].median),
      timeColumn("95 %", (row) => rows[row].p95), timeColumn("longest", (row) => rows[row].max),
      ...waitsThatOccurred((part) => rows.map((row) => row[part])).map((part) => timeColumn(`${part}, mean`, (row) => rows[row][part], meanWidth)),
    ],
  });
}

groupTable("kinds-table", "Kinds", source.kindTable, [{
  title: "kind", width: "minmax(9em, 2fr)", texts: source.kindTable.map(({ name }) => name), value: (row) => source.kindTable[row].name, cell: (row) => source.kindTable[row].name,
}], (kind) => searchForAll("kind", source.kinds[kind.kind]));

groupTable("queues-table", "Queues", source.queueTable, [{
  title: "queue", width: "minmax(9em, 2fr)", texts: source.queueTable.map(({ name }) => name), value: (row) => source.queueTable[row].name, cell: (row) => source.queueTable[row].name,
}, {
  title: "limit", isNumber: true, width: "minmax(4em, 1fr)", value: limitOfQueue,
  csv: (row) => (limitOfQueue(row) < 0 ? "" : limitOfQueue(row)),
  cell: (row) => (limitOfQueue(row) < 0 ? "none" : grouped(limitOfQueue(row))),
}, {
  title: "used", isNumber: true, width: "minmax(4em, 1fr)", value: (row) => source.queueTable[row].usedPermille ?? -1,
  csv: (row) => (source.queueTable[row].usedPermille === undefined ? "" : source.queueTable[row].usedPermille / 1000),
  cell: (row) => (source.queueTable[row].usedPercent === undefined ? "–" : `${source.queueTable[row].usedPercent} %`),
}, ...(source.queueTable.some(({ boundBy }) => boundBy) ? [{
  title: "bound by", width: "minmax(6em, 1fr)", texts: source.queueTable.map(({ boundBy }) => boundBy ?? ""), value: (row) => source.queueTable[row].boundBy ?? "", cell: (row) => source.queueTable[row].boundBy ?? "–",
}] : [])], (queue) => searchForAll("queue", queue.name));

// A table of tasks by function or executor, if there are tasks.
for (const { grouping, rows } of source.tasks?.tables ?? []) {
  const container = byID(`${grouping}-of-tasks-table`);
  byID(container.getAttribute("aria-labelledby")).hidden = false;
  const number = (title, value) => countColumn(title, (row) => value(rows[row]));
  new VirtualTable(container, {
    label: `Tasks by ${grouping}`, rows: rows.map((_, at) => at), sortedBy: 5, onPick: (row) => searchForAll(grouping === "executor" ? "executor" : "kind", rows[row].name),
    columns: [
      { title: grouping, width: "minmax(9em, 2fr)", texts: rows.map(({ name }) => name), value: (row) => rows[row].name, cell: (row) => rows[row].name },
      number("count", (row) => row.count), number("runs", (row) => row.runs), number("failed", (row) => row.failed),
      number("unfinished", (row) => row.unfinished),
      { title: "alive", isNumber: true, isTime: true, width: "minmax(5.5em, 1fr)", value: (row) => rows[row].total, cell: (row) => rows[row].alive },
      timeColumn("median", (row) => rows[row].median), timeColumn("longest", (row) => rows[row].max),
      ...tasks.parts.filter(({ key }) => rows.some((row) => row[key] > 0))
        .map(({ key, label }) => timeColumn(`${label}, mean`, (row) => rows[row][key], "minmax(12.5em, 1fr)")),
    ],
  });
}

const mostSums = 6;

// How much of a chain each kind took, the largest first: a click searches for it.
function sumsByKind(members, timeOf) {
  const sums = new Map();
  members.forEach((index, at) => {
    const kind = index < 0 ? -1 : operations.kind[index];
    const before = sums.get(kind) ?? { time: 0, number: 0 };
    sums.set(kind, { time: before.time + timeOf(at), number: before.number + 1 });
  });
  const whole = sum([...sums.values()].map(({ time }) => time));
  if (whole === 0 || sums.size < 2) return "";
  const sorted = [...sums].sort((one, other) => other[1].time - one[1].time);
  const rest = sum(sorted.slice(mostSums).map(([, { time }]) => time));
  const share = (time) => `${duration(time)}, ${Math.round((time / whole) * 100)} %`;
  const item = ([kind, { time, number }]) => element("li", {}, kind < 0 ? "not in this page" : element("button", { type: "button", class: "operation", onclick: () => searchForAll("kind", source.kinds[kind]) },
    element("span", { class: `swatch kind-${source.kindColors[kind]}`, "aria-hidden": "true" }), `${number > 1 ? `${grouped(number)} × ` : ""}${shortName(source.kinds[kind])}`), ` ${share(time)}`);
  return element("ul", { class: "sums", "aria-label": "By kind" }, ...sorted.slice(0, mostSums).map(item),
    rest > 0 ? element("li", { class: "quiet" }, `${counted(sorted.length - mostSums, "other kind")} ${share(rest)}`) : "");
}

// A table of the steps of a chain: the position of each, and how much time it took.
function chainRows(container, label, members, timeOf, note) {
  byID(container).append(element("p", { class: "note" }, note), sumsByKind(members, timeOf));
  return new VirtualTable(byID(container), {
    label, rows: Int32Array.from(members, (_, at) => at), sortedBy: 0, onPick: (at) => select(members[at], "table"),
    columns: [
      { title: "step", width: "4em", isNumber: false, value: (at) => at, csv: (at) => at + 1, cell: (at) => grouped(at + 1) },
      { title: "operation", width: "minmax(12em, 3fr)", texts: operationTexts, value: (at) => (members[at] < 0 ? "" : plainName(members[at])), cell: (at) => (members[at] < 0 ? "not in this page" : nameOf(members[at])) },
      { title: "kind", width: "minmax(8em, 2fr)", texts: source.kinds, value: (at) => (members[at] < 0 ? "" : kindName(members[at])), cell: (at) => (members[at] < 0 ? "" : kindName(members[at])) },
      timeColumn("took", timeOf), timeColumn("execution", (at) => (members[at] < 0 ? 0 : operations.execution[members[at]])),
      { title: "added at", isNumber: true, isTime: true, width: "minmax(5.5em, 1fr)", value: (at) => operations.enqueued[members[at]] ?? 0, cell: (at) => duration(operations.enqueued[members[at]] ?? 0) },
    ],
  });
}

chainRows("delays-table", "What delayed the run, step by step", delaying.operations, (at) => delaying.times[at],
  source.delayedBy ?? source.withoutDelays);
chainRows("critical-table", "Critical path", criticalPath, (at) => (criticalPath[at] < 0 ? 0 : operations.own[criticalPath[at]]),
  standstill !== null ? "The run stood still before it ended. Its longest chain would only say how long somebody waited before ending it."
    : `${source.criticalPathParts ? `Executions: ${source.criticalPathParts}. ` : ""}The longest chain through dependencies and nesting; more slots cannot make it shorter. “Took” is the time in which an operation itself executed, without its children.`);

const shownTable = () => VirtualTable.all.find(({ scroller }) => !scroller.closest("[role=tabpanel]").hidden);

// Called when another tab is shown.
const whenTabShown = [];
const tabs = [...document.querySelectorAll("[role=tab]:not([hidden])")];
const shownTab = () => tabs.find((tab) => tab.getAttribute("aria-selected") === "true");

function showTab(chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    byID(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
  // The others are texts and pictures.
  byID("table-save").disabled = shownTable() === undefined;
  for (const listener of whenTabShown) listener();
  noteView();
}
tabs.forEach((tab, at) => {
  tab.addEventListener("click", () => showTab(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = tabs[(at + step + tabs.length) % tabs.length];
    showTab(next);
    next.focus();
  });
});
