// One filter for all panels: by name, kind, queue, executor, outcome, length, identifier or regular expression. What
// matches stays as it is in graph and timeline, the rest is pale; the table shows only what matches.

// contains: whether a text has the names that are searched for; null without names.
const search = { field: byID("search"), matches: [], isMatch: null, contains: null, kinds: new Set(), at: -1 };

// Several terms with the same word before the colon: one of them must hold. With a minus, none may.
// Words that belong together are in quotation marks: after a colon, exactly these. Regular expressions between slashes.
const term = /(?:(-?)\b(kind|queue|executor|outcome|change|with|is):)?(?:"([^"]*)"?|\/((?:\\.|[^/\\])+)\/(?=\s|$)|(\S+))/g;
const lengthTerm = /^([<>])(\d+(?:\.\d+)?)(ns|us|µs|ms|s|min)?$/;
const unitSizes = { ns: 1, us: 1e3, "µs": 1e3, ms: 1e6, s: 1e9, min: 60e9 };

// Lists of texts in lower case, by the list: computed once, not at each letter that is typed.
const loweredLists = new Map();

function lowered(texts) {
  if (!loweredLists.has(texts)) loweredLists.set(texts, texts.map((text) => text.toLowerCase()));
  return loweredLists.get(texts);
}

// Whether each text of a list passes, computed once for all operations that share it.
function passing(texts, test) {
  const inLowerCase = lowered(texts);
  const passes = Uint8Array.from(texts, (text, at) => (test(inLowerCase[at], text) ? 1 : 0));
  return (at) => passes[at] === 1;
}

// The first is that of operations without a queue.
const queueNames = Array.from(
  { length: operations.queue.reduce((most, queue) => Math.max(most, queue), -1) + 2 }, (_, at) => queueName(at - 1));

// Which operations ran on executors whose names pass.
function ranOn(test) {
  const passes = new Uint8Array(count);
  if (!tasks) return passes;
  const isExecutor = passing(source.tasks.executors, test);
  tasks.stayExecutors.forEach((executor, stay) => { if (isExecutor(executor - 1)) passes[bars.operation[count + stay]] = 1; });
  return passes;
}

// The parts of the lifetimes of operations, of their executions, and of tasks: the time of an operation by its index.
const partTimes = [
  ...parts.map((part) => ({ label: phrases.parts[part], of: (index) => (isTask(index) ? 0 : operations[part][index]) })),
  ...executionParts.map((part) => ({ label: executions.labels[part], of: (index) => executions.sums[part][index] })),
  ...(tasks?.parts.map(({ label }, part) => ({ label, of: (index) => (isTask(index) ? tasks.sums[part][index - tasks.first] : 0) })) ?? []),
];
// Whether a tenth of its lifetime or more was that part.
const isNoteworthy = (part, index) => part.of(index) * 10 >= operations.total[index] && part.of(index) > 0;

// What stands before a colon: a function of an operation.
const keys = {
  kind: (test) => {
    const isKind = passing(source.kinds, test);
    return (index) => isKind(operations.kind[index]);
  },
  queue: (test) => {
    const isQueue = passing(queueNames, test);
    return (index) => !isTask(index) && isQueue(operations.queue[index] + 1);
  },
  executor: (test) => {
    const onExecutor = ranOn(test);
    return (index) => onExecutor[index] === 1;
  },
  outcome: (test) => {
    const isOutcome = passing(source.endings, test);
    return (index) => isOutcome(operations.ending[index]);
  },
  // Between two runs.
  change: (test) => {
    const isChange = otherRun ? passing(comparison.changes, test) : () => false;
    return (index) => otherRun && otherRun.rowOf[index] >= 0 && isChange(otherRun.change[otherRun.rowOf[index]]);
  },
  with: (test) => {
    const wanted = partTimes.filter(({ label }) => test(label.toLowerCase(), label));
    return (index) => wanted.some((part) => isNoteworthy(part, index));
  },
  is: (test) => {
    const [isCritical, isBlocking, isInCircle] = ["critical", "blocking", "circle"].map((word) => test(word, word));
    return (index) => (isCritical && has(index, flag.critical)) || (isBlocking && waitsOf.has(index)) || (isInCircle && circles.members.has(index));
  },
};

// What is searched: operations, by their index.
const searchedOperations = {
  keys, identifier, length: (index) => operations.total[index],
  byName: (test) => {
    const [isName, isKind, onExecutor] = [passing(source.names, test), passing(source.kinds, test), ranOn(test)];
    return (index) => isName(operations.name[index]) || isKind(operations.kind[index]) || onExecutor[index] === 1;
  },
};
// Of two runs, what only the other one has, by its row; it has only some of the keys.
const searchedRows = otherRun && (() => {
  const holds = (textOf) => (test) => (row) => test(textOf(row).toLowerCase(), textOf(row));
  const [isNamed, isOfKind] = [comparedName, comparedKind].map(holds);
  return {
    keys: { ...Object.fromEntries(Object.keys(keys).map((key) => [key, () => () => false])), kind: isOfKind, change: holds(changeOf) },
    identifier: () => "", length: (row) => Math.max(...otherRun.took.map((took) => took[row])),
    byName: (test) => (row) => isNamed(test)(row) || isOfKind(test)(row),
  };
})();

// conditions: a function of what is searched for each term; all must hold. texts: a function of a text for each name.
// Throws if an expression is invalid.
function conditionsOf(text, { keys, identifier, length: lengthOf, byName } = searchedOperations) {
  const conditions = [];
  const texts = [];
  const phrase = [];
  const anyOf = {};
  for (const [whole, minus, key, quoted, expression, word] of text.matchAll(term)) {
    const wanted = (quoted ?? word ?? "").toLowerCase();
    const pattern = expression === undefined ? null : new RegExp(expression, "i");
    const test = pattern ? (_, text) => pattern.test(text) : quoted === undefined ? (text) => text.includes(wanted)
      : key ? (_, text) => text === quoted : (text) => text === wanted;
    const length = key === undefined && word?.match(lengthTerm);
    if (key) {
      const holds = keys[key](test);
      if (minus) conditions.push((index) => !holds(index));
      else (anyOf[key] ??= []).push(holds);
    } else if (length) {
      const limit = Number(length[2]) * unitSizes[length[3] ?? "ms"];
      conditions.push(length[1] === ">" ? (index) => lengthOf(index) > limit : (index) => lengthOf(index) < limit);
    } else if (pattern || quoted !== undefined) {
      conditions.push(byName(test));
      if (pattern || wanted !== "") texts.push(pattern ? (text) => pattern.test(text) : (text) => text.toLowerCase().includes(wanted));
    } else {
      phrase.push(whole);
    }
  }
  for (const some of Object.values(anyOf)) conditions.push(some.length === 1 ? some[0] : (index) => some.some((holds) => holds(index)));
  if (phrase.length > 0) {
    const wanted = phrase.join(" ").toLowerCase();
    const isNamed = byName((text) => text.includes(wanted));
    texts.push((text) => text.toLowerCase().includes(wanted));
    conditions.push(wanted.startsWith("0x") ? (index) => identifier(index) === wanted || isNamed(index) : isNamed);
  }
  return { conditions, texts };
}

function runSearch() {
  let [conditions, texts] = [[], []];
  try {
    ({ conditions, texts } = conditionsOf(search.field.value));
  } catch {
    byID("matches").textContent = "not a regular expression";
    showLegend();
    return;
  }
  search.at = -1;
  search.matches = [];
  search.isMatch = null;
  search.contains = texts.length === 0 ? null : (text) => texts.every((holds) => holds(text));
  search.kinds.clear();
  if (conditions.length > 0) {
    search.isMatch = new Uint8Array(count);
    for (let index = 0; index < count; index += 1) {
      if (!conditions.every((holds) => holds(index))) continue;
      search.isMatch[index] = 1;
      search.matches.push(index);
      search.kinds.add(operations.kind[index]);
    }
  }
  operationTable.filter(search.isMatch && ((index) => search.isMatch[index] === 1));
  if (otherRun) {
    const ofOther = conditionsOf(search.field.value, searchedRows).conditions;
    otherRun.isMatch = search.isMatch && otherRun.ownOf.map((own, row) => (
      (own >= 0 ? search.isMatch[own] === 1 : ofOther.every((holds) => holds(row))) ? 1 : 0));
    otherRun.table.filter(search.isMatch && ((row) => otherRun.isMatch[row] === 1));
  }
  graphSurface.redraw();
  timelineSurface.redraw();
  for (const listener of whenSearched) listener();
  const isElsewhere = document.querySelector("[data-found]") !== null;
  byID("matches").textContent = search.isMatch === null ? "" : search.matches.length > 0 ? `${grouped(search.matches.length)} of ${grouped(count)}`
    : otherRun?.table.rows.length > 0 ? `${grouped(otherRun.table.rows.length)} in ${otherRun.name}` : isElsewhere ? "no operation" : "no match";
  // The code of what matches is of interest, too, and so is what was found in a text.
  const isOfInterest = shownTab().dataset.found !== undefined || (!byID("flame-pane").hidden && flamePane.scope === "run");
  if (search.isMatch && !isOfInterest) showTab(tabs[0]);
  showNoMatch();
}

// Above a table that a search leaves empty.
function showNoMatch() {
  const table = shownTable();
  byID("no-match").hidden = !table?.isShown || table.rows.length > 0;
}
whenTabShown.push(showNoMatch);

function goToMatch(step) {
  if (search.matches.length === 0) return;
  search.at = (search.at + step + search.matches.length) % search.matches.length;
  select(search.matches[search.at], "search");
  byID("matches").textContent = `${grouped(search.at + 1)} of ${grouped(search.matches.length)}`;
}

function searchFor(text) {
  search.field.value = text;
  runSearch();
}

// The term for all of that kind, queue or executor, and no others whose names contain it.
const termFor = (key, name) => (name.includes('"') ? `${key}:/^${name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("/", "\\x2f")}$/` : `${key}:"${name}"`);

const searchForAll = (key, name) => searchFor(termFor(key, name));

search.field.addEventListener("input", runSearch);
search.field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  goToMatch(event.shiftKey ? -1 : 1);
});
