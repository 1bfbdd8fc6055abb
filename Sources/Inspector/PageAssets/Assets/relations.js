// Who had the slots while an operation waited for one, and what waited for an operation: SlotHolders and
// Waiters of Inspector. One pass over the operations each.

// Of the operation that was asked for last.
let knownHolders = { index: -1, holders: [] };

function slotHolders(index) {
  if (knownHolders.index !== index) knownHolders = { index, holders: findSlotHolders(index) };
  return knownHolders.holders;
}

function findSlotHolders(index) {
  const holders = [];
  if (operations.slot[index] <= 0 || !has(index, flag.ready) || isTask(index)) return holders;
  const [ready, end] = [readyTime(index), slotTakenTime(index)];
  const queue = operations.queue[index];
  for (let other = 0; other < count; other += 1) {
    if (other === index || operations.queue[other] !== queue || !has(other, flag.started)) continue;
    const time = Math.min(operations.end[other], end) - Math.max(operations.start[other], ready);
    if (time > 0) holders.push({ operation: other, time });
  }
  return holders.sort((a, b) => b.time - a.time || a.operation - b.operation);
}

const relationNames = Object.keys(phrases.relations);

// What is a relation of its own, of the reasons of tasks; every other one is that the task was awaited.
const relationOfTaskReason = { finisher: "finished", resumed: "resumed", actorHeld: "actorHeld" };

// Tasks that awaited it, that it resumed, or whose actor it had; and the operation that finished in it.
function tasksThatWaited(index) {
  if (!tasks) return [];
  const found = new Map();
  for (let other = 0; other < count; other += 1) {
    for (let at = waits.first[other]; at < waits.first[other + 1]; at += 1) {
      if (waits.operation[at] !== index || other === index) continue;
      const reason = reasons[waits.reason[at]];
      if (reason !== "finisher" && !isTask(other)) continue;
      const relation = relationOfTaskReason[reason] ?? "awaited";
      const waited = reason === "finisher" ? Math.max(0, operations.end[other] - Math.max(operations.start[other], operations.enqueued[index]))
        : waits.length[at];
      const key = `${relation} ${other}`;
      found.set(key, { operation: other, relation, waited: (found.get(key)?.waited ?? 0) + waited });
    }
  }
  return [...found.values()];
}

function followersOf(index) {
  const followers = [];
  if (!has(index, flag.enqueued)) return followers;
  const { end, enqueued } = operations;
  const add = (operation, relation, since) => {
    const waited = Math.max(0, end[index] - Math.max(enqueued[index], since));
    followers.push({ operation, relation, waited });
  };
  for (const successor of successorsOf(index)) {
    if (successor === index || !has(successor, flag.enqueued)) continue;
    const isLast = operations.lastDependency[successor] === index;
    add(successor, isLast ? "lastDependency" : "dependency", enqueued[successor]);
  }
  for (let other = 0; other < count; other += 1) {
    const reason = reasons[operations.reason[other]];
    if (other === index || (reason !== "slot" && reason !== "slotHeld") || operations.next[other] !== index) continue;
    add(other, reason, readyTime(other));
  }
  const parent = operations.parent[index];
  if (parent >= 0 && !isTask(parent) && has(parent, flag.started) && has(index, flag.waitedFor)) {
    let last = -Infinity;
    for (const child of children.of(parent)) if (end[child] <= end[parent]) last = Math.max(last, end[child]);
    if (last === end[index]) add(parent, "lastChild", operations.start[parent]);
  }
  for (const wait of source.blockingWaits) {
    if (wait.target === index && wait.operation !== undefined && wait.operation !== index) {
      add(wait.operation, "blockingWait", wait.start);
    }
  }
  followers.push(...tasksThatWaited(index));
  const rank = (follower) => (follower.relation === "dependency" ? 1 : 0);
  return followers.sort((a, b) => rank(a) - rank(b) || b.waited - a.waited || a.operation - b.operation
    || relationNames.indexOf(a.relation) - relationNames.indexOf(b.relation));
}
