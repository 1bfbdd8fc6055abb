// The top of the page: what is stuck, the problems found, the figures, and what delayed the run.

const shownFindings = 4;

function findingItem(finding) {
  const first = finding.operations.find((index) => index >= 0) ?? -1;
  const summary = element("span", { class: "summary" }, finding.summary);
  const choose = () => select(first, "finding");
  const evidence = element("ul", { class: "evidence" }, ...finding.evidence.map((text, at) => element(
    "li", {}, element("span", { class: "number" }, finding.times[at]), element("span", {}, text))));
  return element(
    "details", { class: `finding ${finding.severity}`, "data-finding": first },
    element("summary", { onclick: choose }, element("span", { class: `severity ${finding.severity}` }, finding.severity), summary,
      element("span", { class: "rule" }, finding.rule)),
    evidence, finding.cost === undefined ? "" : element("p", {}, `It cost ${duration(finding.cost)}.`),
    element("p", {}, element("strong", {}, "What to change: "), finding.advice),
    finding.operations.length === 0 ? "" : element("p", {}, "Operations: ", ...finding.operations.slice(0, 12).flatMap((index, at) => [
      at === 0 ? "" : ", ", operationLink(index)])));
}

function showFindings() {
  const { findings, omitted, counts, rules, undecided } = source.findings;
  const pane = byID("findings");
  if (findings.length === 0) {
    pane.append(element("p", { class: "quiet" }, `No problems found (${counted(rules, "rule")} checked).`));
  } else {
    pane.append(element("h2", {}, `Findings: ${counts.join(", ")}`), ...findings.slice(0, shownFindings).map(findingItem));
    const rest = findings.slice(shownFindings);
    if (rest.length > 0) {
      const button = element("button", { type: "button", class: "more", onclick: () => button.replaceWith(...rest.map(findingItem)) },
        counted(rest.length, "more finding"));
      pane.append(button);
    }
    if (omitted > 0) pane.append(element("p", { class: "quiet" }, `${grouped(omitted)} more like these are not in this page; opviz lint prints them.`));
  }
  if (undecided.length > 0) {
    pane.append(element("details", { class: "quiet" }, element("summary", {}, `${counted(undecided.length, "rule")} could not decide`),
      element("ul", {}, ...undecided.map((text) => element("li", {}, text)))));
  }
}

function showSummary() {
  byID("process").textContent = source.process || "a trace";
  const date = new Date(source.wallClock);
  const when = source.wallClock > 0 && !Number.isNaN(date.getTime()) ? `, ${date.toLocaleString()}` : "";
  byID("origin").textContent = `${source.processes ?? (source.pid ? `pid ${source.pid}` : "unknown pid")}${source.host ? ` on ${source.host}` : ""}${when}`;
  if (source.unfinished) {
    byID("stuck").append(element("strong", {}, "Never finished: "), source.unfinished, ".");
    byID("stuck").hidden = false;
  }
  const notes = [...source.losses, ...(source.omission ? [`${source.omission[0].toUpperCase()}${source.omission.slice(1)}.`] : [])];
  if (source.tasks?.omission) notes.push(`${source.tasks.omission}.`);
  if (source.nameWidth < 200) notes.push(`Names are cut to ${source.nameWidth} columns.`);
  byID("losses").append(...notes.map((note) => element("li", {}, note)));
  byID("losses").hidden = notes.length === 0;
  byID("figures").append(...source.figures.map(({ label, value, note }) => element(
    "div", { class: "figure" }, element("dt", {}, label), element("dd", {}, element("span", { class: "value" }, value), element("span", { class: "note" }, note)))));
  if (source.delayedBy) byID("delayed").append(element("strong", {}, "Delayed by: "), source.delayedBy);
  showFindings();
}

// The operation to look at first: that of the first finding, or the longest one of the critical path.
function firstOfInterest() {
  const found = source.findings.findings.flatMap((finding) => finding.operations)[0];
  if (found !== undefined) return found;
  return criticalPath.reduce((longest, index) => (
    index >= 0 && (longest < 0 || operations.own[index] > operations.own[longest]) ? index : longest), count > 0 ? criticalPath[0] ?? 0 : -1);
}
