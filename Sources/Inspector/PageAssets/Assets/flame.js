// A flame graph of boxes: which one is selected, which one is enlarged, and which a search found. Used by the
// page, and by the script inside a picture of its own.

const narrowestBox = 0.3;
const boxGap = 0.6;

// What fits into a box: no letter of the font is wider than this on average.
function fittingName(name, width) {
  const room = Math.floor((width - 6) / 6.8);
  if (name.length <= room) return name;
  return room < 6 ? "" : `${name.slice(0, room - 1)}…`;
}

class FlameGraph {
  // boxes: { group, rect, text, name, level, at, length }, each before those below it. onSelect gets the
  // selected box, or null.
  constructor(boxes, onSelect) {
    this.boxes = boxes;
    this.onSelect = onSelect;
    this.selected = null;
    this.enlarged = null;
    const path = [];
    for (const box of boxes) {
      path.length = box.level;
      box.parent = path[box.level - 1] ?? null;
      box.children = [];
      box.parent?.children.push(box);
      path[box.level] = box;
    }
  }

  // Puts the boxes into the interval, in pixels. All below the enlarged box fills it.
  arrange(left, width) {
    this.left = left;
    this.width = width;
    const whole = this.enlarged ?? this.boxes[0];
    if (!whole) return;
    const above = new Set();
    for (let box = whole.parent; box; box = box.parent) above.add(box);
    for (const box of this.boxes) {
      const isAbove = above.has(box);
      const from = isAbove ? whole.at : box.at;
      const length = isAbove ? whole.length : box.length;
      const pixels = (length / whole.length) * width;
      const isShown = from >= whole.at && from + length <= whole.at + whole.length
        && pixels >= narrowestBox && (isAbove || box.level >= whole.level);
      box.isShown = isShown;
      box.group.setAttribute("display", isShown ? "inline" : "none");
      if (!isShown) continue;
      const x = left + ((from - whole.at) / whole.length) * width;
      box.rect.setAttribute("x", x);
      box.rect.setAttribute("width", pixels > 3 * boxGap ? pixels - boxGap : pixels);
      box.text.setAttribute("x", x + 3);
      box.text.textContent = fittingName(box.name, pixels);
      box.group.classList.toggle("above", isAbove);
    }
  }

  enlarge(box) {
    this.enlarged = box && box.parent ? box : null;
    this.arrange(this.left, this.width);
  }

  select(box) {
    this.selected?.group.classList.remove("selected");
    this.selected = box;
    box?.group.classList.add("selected");
    this.onSelect(box);
  }

  // The part of all time that is in functions whose name contains the text; null without a text.
  search(text) {
    const wanted = text.toLowerCase();
    return this.mark(wanted === "" ? null : new Set(this.boxes.filter(({ name }) => name.toLowerCase().includes(wanted))));
  }

  // Marks these boxes, and makes the others pale; null marks nothing. Returns the part of all time that is in them, or null.
  mark(wanted) {
    let found = 0;
    let end = -1;
    for (const box of this.boxes) {
      const isFound = wanted !== null && wanted.has(box);
      box.group.classList.toggle("found", isFound);
      box.group.classList.toggle("other", wanted !== null && !isFound);
      // What is below a box that was found is part of it.
      if (isFound && box.at >= end) {
        found += box.length;
        end = box.at + box.length;
      }
    }
    return wanted === null || !this.boxes[0] ? null : found / this.boxes[0].length;
  }

  // Whether the key means something here.
  takeKey(key) {
    const { selected } = this;
    const shown = (boxes) => boxes.filter((box) => box.isShown);
    if (key === "Enter" && selected) this.enlarge(selected);
    else if (key === "Escape" && this.enlarged) this.enlarge(null);
    else if (!key.startsWith("Arrow")) return false;
    else if (!selected) this.select(this.enlarged ?? this.boxes[0] ?? null);
    else if (key === "ArrowUp") this.select(selected.parent ?? selected);
    else if (key === "ArrowDown") this.select(shown(selected.children)[0] ?? selected);
    else {
      const beside = shown(selected.parent?.children ?? [selected]);
      const at = beside.indexOf(selected) + (key === "ArrowRight" ? 1 : -1);
      this.select(beside[Math.min(Math.max(at, 0), beside.length - 1)] ?? selected);
    }
    return true;
  }
}
