// The legend below the pictures: what colours and lines mean that are drawn now. Each entry but those of edges filters: a
// click searches for what it stands for, another one for everything again. Of parts of lifetimes: where they took a tenth or more.

const hasTime = (times) => times.some((time) => time > 0);

// The sorts of edges that the graph draws: [sort, words, isDrawn()]. Edges that are out of sight count, too: the panel would
// otherwise change its size while it is moved.
const edgeSorts = (() => {
  const words = phrases.edges;
  let [hasPlain, hasLast] = [false, false];
  for (let edge = 0; edge < edges.count && !(hasPlain && hasLast); edge += 1) {
    if (operations.lastDependency[edges.to[edge]] === edges.from[edge]) hasLast = true;
    else hasPlain = true;
  }
  const areDrawn = (mode) => graph.mode === mode;
  const areAllDrawn = () => areDrawn("operation") && !graph.isReduced;
  const { waits, circle, byKind } = source.graph;
  const sorts = [
    ["dependency", hasPlain, areAllDrawn], ["lastDependency", hasLast, areAllDrawn],
    ["added", operations.parent.some((parent) => parent >= 0), areAllDrawn],
    ["unfinished", waits.from.some((from, at) => from !== waits.to[at]), () => areDrawn("operation")],
    ["circle", circle.length > 0, () => areDrawn("operation")],
    ["wake", tasks !== undefined, () => areDrawn("operation") && wakersOf(state.selected).size > 0],
    ["ofKinds", byKind.from.some((from, at) => from !== byKind.to[at]), () => areDrawn("kind")],
  ];
  const wordsOf = (sort) => (sort === "lastDependency" && !hasPlain ? words.dependency : words[sort]);
  return sorts.filter(([, isFound]) => isFound).map(([sort, , isDrawn]) => [sort, `${/\bB\b/.test(wordsOf(sort)) ? "A → B: " : ""}${wordsOf(sort)}`, isDrawn]);
})();

// label, look: the class of its sample, or line: that of an edge; term: what a click searches for; isDrawn() if it is not
// always.
const legendEntries = (() => {
  const entries = [];
  const used = new Set(operations.kind);
  // What did not succeed has the colour of its outcome.
  const succeeded = new Set(operations.kind.filter((_, index) => operations.ending[index] === 0));
  const coloured = [...used].filter((kind) => source.kindColors[kind] > 0).sort((a, b) => source.kindColors[a] - source.kindColors[b]);
  for (const kind of coloured) {
    const name = source.kinds[kind];
    entries.push({ label: shortName(name), look: `kind-${source.kindColors[kind]}`, term: termFor("kind", name), meaning: `of the kind ${name}`, isDrawn: () => graph.mode === "kind" || succeeded.has(kind) });
  }
  if (coloured.length > 0 && coloured.length < used.size) {
    const others = coloured.map((kind) => `-${termFor("kind", source.kinds[kind])}`).join(" ");
    entries.push({ label: counted(used.size - coloured.length, "other kind"), look: "kind-0", term: others, meaning: "of the kinds with less execution than the ones before" });
  }
  const endings = new Set(operations.ending);
  source.endings.forEach((label, ending) => {
    if (ending > 0 && endings.has(ending)) entries.push({ label: `${endingSigns[ending]} ${label}`.trim(), look: `badge ending-${ending}`, term: termFor("outcome", label), meaning: meaningOf(label) });
  });
  const part = (label, look, isDrawn) => {
    if (entries.some((entry) => entry.label === label)) return;
    const times = partTimes.filter((one) => one.label === label);
    const isFound = operations.ending.some((_, index) => times.some((one) => isNoteworthy(one, index)));
    const where = isFound ? "where it took a tenth of the lifetime or more" : "but it nowhere took a tenth of a lifetime";
    entries.push({ label, look, term: termFor("with", label), meaning: `${meaningOf(label)}; ${where}`, isDrawn, isEmpty: !isFound });
  };
  const areWaitsDrawn = () => timeline.mode === "operation" || (state.selected >= 0 && !isTask(state.selected));
  const firstTask = tasks?.first ?? count;
  for (const name of parts) {
    if (name !== "execution" && hasTime(operations[name].subarray(0, firstTask))) part(phrases.parts[name], name, areWaitsDrawn);
  }
  for (const name of executionParts) if (hasTime(executions.sums[name])) part(executions.labels[name], name);
  tasks?.parts.forEach(({ key, label }, number) => {
    if (hasTime(tasks.sums[number])) part(label, key, () => graph.mode === "operation" || (number !== tasks.running && timeline.mode === "operation"));
  });
  // Of two runs.
  if (otherRun) {
    const onlyHere = comparison.changes[isBefore ? comparison.gone : comparison.new];
    entries.push({ label: otherRun.name, look: "other-run", term: `-${termFor("change", onlyHere)}`, meaning: `thin and grey: what ${otherRun.name} has` });
  }
  comparison?.changes.forEach((label, change) => {
    const isFound = otherRun.ownOf.some((index, row) => index >= 0 && otherRun.change[row] === change);
    if (isFound) entries.push({ label, look: change === comparison.same ? undefined : `change-${change}`, term: termFor("change", label), meaning: "in the later run; waits for dependencies not counted" });
  });
  const suspended = source.queueTable.filter(({ suspensions }) => suspensions);
  if (suspended.length > 0) {
    const queues = suspended.map(({ name }) => termFor("queue", name)).join(" ");
    entries.push({ label: "queue suspended", look: "suspension", term: queues, meaning: "the queue started nothing", isDrawn: () => timeline.mode === "queue" });
  }
  if (waitsOf.size > 0) entries.push({ label: "blocks its thread", look: "blocking", term: "is:blocking", meaning: "until other operations finished" });
  if (circles.members.size > 0) entries.push({ label: "circle of waits", look: "circle", term: "is:circle", meaning: meaningOf("circle of waits") });
  for (const [line, label, isDrawn] of edgeSorts) entries.push({ label, line, isDrawn });
  if (criticalPath.length > 0) entries.push({ label: "critical path", look: "critical-line", term: "is:critical", meaning: meaningOf("critical path") });
  return entries.map((entry) => ({ ...entry, item: entry.line ? legendLine(entry) : legendButton(entry) }));
})();

// A sample without a button: a search finds operations, not edges.
function legendLine({ label, line }) {
  const { color, width, dash } = edgeLooks[line];
  const sample = element("span", { class: "swatch line", "aria-hidden": "true" });
  sample.style.borderTop = `${width}px ${dash ? "dashed" : "solid"} var(--${color})`;
  return element("span", { class: "edge-sort" }, sample, label);
}

function legendButton({ label, look, term, meaning, isEmpty }) {
  return element("button", { type: "button", "aria-pressed": "false", disabled: isEmpty ?? false, title: `${meaning ?? label}; click to filter`, onclick: () => toggleTerms(term) },
    look ? element("span", { class: `swatch ${look}`, "aria-hidden": "true" }) : "", label);
}

// The terms of a search, as they stand there.
const termsOf = (text) => [...text.matchAll(term)].map(([whole]) => whole);
const areSearched = (wanted, found) => wanted.every((one) => found.includes(one));

function toggleTerms(text) {
  const [wanted, found] = [termsOf(text), termsOf(search.field.value)];
  const rest = found.filter((one) => !wanted.includes(one));
  if (areSearched(wanted, found)) {
    searchFor(rest.join(" "));
    return;
  }
  // A quotation mark that was not closed would go on into what is added.
  const closed = rest.map((one) => (/^[^"/]*"[^"]*$/.test(one) ? `${one}"` : one));
  searchFor([...closed, ...wanted].join(" "));
}

function showLegend() {
  const found = termsOf(search.field.value);
  for (const { item, term: text, isDrawn } of legendEntries) {
    const isPressed = text !== undefined && areSearched(termsOf(text), found);
    if (text !== undefined) item.setAttribute("aria-pressed", String(isPressed));
    item.hidden = !isPressed && isDrawn !== undefined && !isDrawn() && item !== document.activeElement;
  }
}

byID("legend").append(...legendEntries.map(({ item }) => item));
byID("legend").hidden = legendEntries.length === 0;
whenSelected.push(showLegend);
whenSearched.push(showLegend);
