// The legend below the pictures: what colours and lines mean that are drawn now. Each entry filters: a click searches
// for what it stands for, another one for everything again. Of parts of lifetimes: where they took a tenth or more.

const hasTime = (times) => times.some((time) => time > 0);

// label, look: the class of its sample, term: what a click searches for; isDrawn() if it is not always.
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
  if (criticalPath.length > 0) entries.push({ label: "critical path", look: "critical-line", term: "is:critical", meaning: meaningOf("critical path") });
  return entries.map((entry) => ({ ...entry, button: legendButton(entry) }));
})();

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
  for (const { button, term: text, isDrawn } of legendEntries) {
    const isPressed = areSearched(termsOf(text), found);
    button.setAttribute("aria-pressed", String(isPressed));
    button.hidden = !isPressed && isDrawn !== undefined && !isDrawn() && button !== document.activeElement;
  }
}

byID("legend").append(...legendEntries.map(({ button }) => button));
byID("legend").hidden = legendEntries.length === 0;
whenSelected.push(showLegend);
whenSearched.push(showLegend);
