// Marks what a search finds besides operations: functions in the code panel, and lines of texts and lists. The heading or the
// tab of each panel has their number.

// Where the number is shown, by what can be marked there.
const markedLines = {
  answer: "#answer li",
  "details-title": "#story tbody tr, #story .own-findings li",
  "tab-findings": "#findings > .finding, #findings > ul > li",
  "tab-delays": "#delays-table .sums .operation",
  "tab-critical": "#critical-table .sums .operation",
  "tab-whatif": "#whatif-table .choice",
};

function showFound(id, number) {
  if (number > 0) byID(id).dataset.found = grouped(number);
  else delete byID(id).dataset.found;
}

// Words in two cells are not words beside each other, and a time is not a name.
const isFoundIn = (line) => (line.cells ? [...line.cells].filter((cell) => !cell.classList.contains("number")) : [line])
  .some(({ textContent }) => search.contains(textContent));

function markLines() {
  for (const [id, selector] of Object.entries(markedLines)) {
    let number = 0;
    for (const line of document.querySelectorAll(selector)) {
      const isMarked = search.contains !== null && isFoundIn(line);
      line.classList.toggle("marked", isMarked);
      if (isMarked) number += 1;
    }
    showFound(id, number);
  }
}

// Boxes of functions, and which part of the time is in them.
function markFunctions() {
  const boxes = (flamePane.graph?.boxes ?? []).filter(({ isFunction, name }) => isFunction && search.contains?.(name));
  const share = flamePane.graph?.mark(boxes.length === 0 ? null : new Set(boxes));
  showFound("tab-code", boxes.length);
  byID("flame-found").textContent = boxes.length === 0 ? "" : `${counted(boxes.length, "box", "boxes")} found, ${(share * 100).toFixed(1)} % of the time`;
}

whenSelected.push(markLines);
whenFlameDrawn.push(markFunctions);
whenSearched.push(markLines, markFunctions);
