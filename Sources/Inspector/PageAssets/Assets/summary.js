// The top of the page: why the run took so long, and its figures; and the panel of all findings.

function findingItem(finding) {
  const first = finding.operations.find((index) => index >= 0) ?? -1;
  const summary = element("span", { class: "summary" }, finding.summary);
  const choose = () => select(first, "finding");
  const evidence = element("ul", { class: "evidence" }, ...finding.evidence.map((text, at) => element(
    "li", {}, element("span", { class: "number" }, finding.times[at]), element("span", {}, text))));
  return element(
    "details", { class: `finding ${finding.severity}`, "data-finding": first },
    element("summary", { onclick: choose }, element("span", { class: `severity ${finding.severity}` }, finding.severity), summary,
      element("span", { class: "rule" }, finding.rule, finding.handle ? ` · ${finding.handle}` : "")),
    evidence, finding.cost === undefined ? "" : element("p", {}, `It cost ${duration(finding.cost)}.`),
    element("p", {}, element("strong", {}, "What to change: "), finding.advice),
    finding.operations.length === 0 ? "" : element("p", {}, "Operations: ", ...finding.operations.slice(0, 12).flatMap((index, at) => [
      at === 0 ? "" : ", ", operationLink(index)])));
}

// Shows a tab of the tables, whatever panel is alone.
function openTab(id) {
  uncover("tables");
  showTab(byID(id));
}

// Findings, rules that could not decide, and what is missing.
function showFindings() {
  const { findings, omitted, rules, undecided } = source.findings;
  const pane = byID("findings");
  if (findings.length === 0) pane.append(element("p", { class: "quiet" }, `No problems found (${counted(rules, "rule")} checked).`));
  else byID("tab-findings").textContent = `Findings (${grouped(findings.length + omitted)})`;
  pane.append(...findings.map(findingItem));
  if (omitted > 0) pane.append(element("p", { class: "quiet" }, `${grouped(omitted)} more like these are not in this page; opviz lint prints them.`));
  const notes = [...source.losses, ...(source.omission ? [`${source.omission[0].toUpperCase()}${source.omission.slice(1)}.`] : [])];
  if (source.tasks?.omission) notes.push(`${source.tasks.omission}.`);
  if (source.nameWidth < 200) notes.push(`Names are cut to ${source.nameWidth} columns.`);
  const lists = [[counted(undecided.length, "rule") + " could not decide", undecided], ["What is missing", notes]];
  for (const [title, texts] of lists) {
    if (texts.length > 0) pane.append(element("h3", {}, title), element("ul", { class: "quiet" }, ...texts.map((text) => element("li", {}, text))));
  }
  byID("losses").textContent = `${counted(notes.length, "note")} on what is missing`;
  byID("losses").hidden = notes.length === 0;
  byID("losses").addEventListener("click", () => {
    openTab("tab-findings");
    pane.lastElementChild.scrollIntoView({ block: "nearest" });
  });
}

// Opens a finding among all of them.
function showFinding(at) {
  openTab("tab-findings");
  const item = document.querySelectorAll("#findings > .finding")[at];
  item.open = true;
  item.scrollIntoView({ block: "nearest" });
  const first = Number(item.dataset.finding);
  if (first >= 0) select(first, "finding");
}

// As in `opviz why`, whose commands are tabs here.
const tabOfCommand = { lint: "tab-findings", "critical-path": "tab-delays", whatif: "tab-whatif" };

// A line that leads to what it says. Where it is cut, a tap opens it first.
function answerButton(summary, severity, show) {
  const text = element("span", { class: "summary" }, summary);
  const open = () => (text.scrollHeight > text.clientHeight + 1 ? text.classList.add("whole") : show());
  return element("li", {}, element("button", { type: "button", class: `cause ${severity ?? ""}`, onclick: open },
    severity ? element("span", { class: `severity ${severity}` }, severity) : "", text));
}

function answerLine({ summary, severity, rule, command }) {
  const finding = source.findings.findings.findIndex((other) => other.rule === rule && summary.startsWith(other.summary));
  return answerButton(summary, severity, () => (finding >= 0 ? showFinding(finding) : openTab(tabOfCommand[command])));
}

// Of two runs: what changed, the worst first, and then what is wrong with the run that is shown.
function showComparison({ names, sentences, worst, caution }) {
  byID("process").textContent = names.join(" → ");
  byID("origin").textContent = isBefore ? "the earlier run" : "the later run";
  const choose = (row) => {
    openTab("tab-compared");
    otherRun.table.onPick(row);
  };
  const errors = source.why.causes.filter(({ severity }) => severity === "error").slice(0, 1);
  byID("answer").append(...sentences.map((text, at) => element("li", {}, text, at + 1 < sentences.length ? "" : element("span", { class: "quiet" }, ` ${caution}`))),
    ...worst.slice(0, 2 - errors.length).map((text, row) => answerButton(text, undefined, () => choose(row))), ...errors.map(answerLine));
}

function showRun() {
  byID("process").textContent = source.process || "a trace";
  const date = new Date(source.wallClock);
  const when = source.wallClock > 0 && !Number.isNaN(date.getTime()) ? `, ${date.toLocaleString()}` : "";
  byID("origin").textContent = `${source.processes ?? (source.pid ? `pid ${source.pid}` : "unknown pid")}${source.host ? ` on ${source.host}` : ""}${when}`;
  const { causes, conclusion } = source.why;
  if (conclusion) byID("answer").append(element("li", { class: "quiet" }, `${conclusion[0].toUpperCase()}${conclusion.slice(1)}.`));
  byID("answer").append(...causes.map(answerLine));
}

function showSummary() {
  if (comparison) showComparison(comparison);
  else showRun();
  // A finding that explains it says the same.
  if (source.unfinished && !source.why.areOfStandstill) {
    byID("stuck").append(element("strong", {}, "Never finished: "), source.unfinished, ".");
    byID("stuck").hidden = false;
  }
  byID("figures").append(...(comparison ?? source).figures.map(({ label, value, note, meaning }) => element(
    "div", { class: "figure", title: meaning ?? meaningOf(label) }, element("dt", {}, label),
    element("dd", {}, element("span", { class: "value" }, value), note === undefined ? "" : element("span", { class: "note" }, note)))));
  showFindings();
}

// The operation to look at first: of two runs, the one that changed most; else that of the first finding, or the longest one
// of the critical path.
function firstOfInterest() {
  const changed = otherRun?.ownOf.find((index) => index >= 0);
  if (changed !== undefined) return changed;
  const found = source.findings.findings.flatMap((finding) => finding.operations)[0];
  if (found !== undefined) return found;
  return criticalPath.reduce((longest, index) => (
    index >= 0 && (longest < 0 || operations.own[index] > operations.own[longest]) ? index : longest), count > 0 ? criticalPath[0] ?? 0 : -1);
}
