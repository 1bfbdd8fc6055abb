// Searches by name, kind, executor or identifier: filters the table and counts the matches. Enter selects the next one.

const search = { field: byID("search"), matches: [], at: -1 };
const lowered = { names: null, kinds: null, executors: null };

function matchesOf(text) {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return null;
  lowered.names ??= source.names.map((name) => name.toLowerCase());
  lowered.kinds ??= source.kinds.map((kind) => kind.toLowerCase());
  const isName = lowered.names.map((name) => name.includes(wanted));
  const isKind = lowered.kinds.map((kind) => kind.includes(wanted));
  lowered.executors ??= source.tasks?.executors.map((name) => name.toLowerCase()) ?? [];
  const isExecutor = lowered.executors.map((name) => name.includes(wanted));
  const ranOn = new Uint8Array(count);
  if (isExecutor.includes(true)) {
    tasks.stayExecutors.forEach((executor, stay) => { if (isExecutor[executor - 1]) ranOn[bars.operation[count + stay]] = 1; });
  }
  const isIdentifier = wanted.startsWith("0x");
  const matches = [];
  for (let index = 0; index < count; index += 1) {
    if (isName[operations.name[index]] || isKind[operations.kind[index]] || ranOn[index] === 1
      || (isIdentifier && identifier(index) === wanted)) matches.push(index);
  }
  return matches;
}

function runSearch() {
  const matches = matchesOf(search.field.value);
  search.matches = matches ?? [];
  search.at = -1;
  if (matches === null) {
    operationTable.filter(null);
    byID("matches").textContent = "";
    return;
  }
  const isMatch = new Uint8Array(count);
  for (const index of matches) isMatch[index] = 1;
  operationTable.filter((index) => isMatch[index] === 1);
  showTab(tabs[0]);
  byID("matches").textContent = matches.length === 0 ? "no match" : counted(matches.length, "match", "matches");
}

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

search.field.addEventListener("input", runSearch);
search.field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  goToMatch(event.shiftKey ? -1 : 1);
});
