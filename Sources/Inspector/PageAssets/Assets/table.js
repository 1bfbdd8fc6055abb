// A table of any length. Only visible rows have elements. Headings sort it, and keys move the active row.

const tableRowHeight = 26;
// In em: of a character in a wide font, also a bold one, and of a column of names in a small and in a large window.
const characterWidth = 0.62;
const boldWidth = 0.68;
const leastForNames = 18;
const mostForNames = 60;

// Rows on paper.
const mostPrinted = 300;

const longest = (texts) => texts.reduce((most, text) => Math.max(most, text.length), 0);

// On a small screen, what the rows are sorted by is beside their names: the rest is out of sight.
function arranged(columns, sortedBy) {
  if (!isOneColumn.matches || sortedBy < 2) return { columns, sortedBy };
  const [name, ...others] = columns;
  return { columns: [name, columns[sortedBy], ...others.filter((column) => column !== columns[sortedBy])], sortedBy: 1 };
}

class VirtualTable {
  static all = [];

  // columns: { title, meaning: for those that the glossary has under another word, isNumber, width, value(row) to sort by, cell(row) to show, texts: what cells may show }. Rows are
  // numbers.
  constructor(container, { label, columns: given, rows, sortedBy: chosen, onPick, picksAtOnce = false }) {
    const { columns, sortedBy } = arranged(given, chosen);
    Object.assign(this, { columns, csvColumns: given, all: rows, rows, onPick, picksAtOnce, active: -1, sortedBy, isDescending: true });
    this.headings = columns.map((column, at) => element("div", {
      role: "columnheader", class: column.isNumber ? "number" : "", "aria-sort": "none",
    }, element("button", { type: "button", title: column.meaning ?? meaningOf(column.title), onclick: () => this.sort(at) }, column.title)));
    this.head = element("div", { role: "row", class: "head" }, ...this.headings);
    this.body = element("div", { class: "rows", role: "rowgroup" });
    this.spacer = element("div", { class: "spacer", role: "presentation" }, this.body);
    this.scroller = element("div", {
      class: "scroller", role: "grid", tabindex: "0", "aria-label": label, "aria-rowcount": rows.length + 1,
    }, element("div", { role: "rowgroup", class: "headgroup" }, this.head), this.spacer);
    container.append(this.scroller);
    // A column has room for its heading with an arrow, and for its names unless they are very long.
    const room = (length) => length * characterWidth + 2.2;
    const roomOfHeading = (length) => length * boldWidth + 3;
    const whole = columns.map(({ title, width, texts = [] }) => Math.max(roomOfHeading(title.length), parseFloat(width.replace("minmax(", "")), room(longest(texts))));
    const least = columns.map(({ width, texts }, at) => (texts ? Math.min(whole[at], Math.max(parseFloat(width.replace("minmax(", "")), leastForNames)) : whole[at]));
    // The rest of the window goes to columns by what their longest text needs.
    const shares = columns.map(({ width }, at) => `minmax(${least[at]}em, ${width.includes("fr") ? `${Math.min(whole[at], mostForNames)}fr` : `${least[at]}em`})`);
    this.scroller.style.setProperty("--columns", shares.join(" "));
    // Paper is as wide as it is.
    this.scroller.style.setProperty("--printed-columns", columns.map(({ texts }) => `minmax(0, ${texts ? 2 : 1}fr)`).join(" "));
    this.scroller.style.setProperty("--least", `${sum(least)}em`);
    this.scroller.addEventListener("scroll", () => this.render());
    this.scroller.addEventListener("keydown", (event) => this.keyDown(event));
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("[data-row]");
      if (row) this.onPick(Number(row.dataset.row));
    });
    new ResizeObserver(() => this.render()).observe(this.scroller);
    this.sort(sortedBy, true);
    VirtualTable.all.push(this);
  }

  // Sorting by the same column again reverses the order.
  sort(at, isFirst = false) {
    this.isDescending = isFirst || at !== this.sortedBy ? this.columns[at].isNumber : !this.isDescending;
    this.sortedBy = at;
    this.headings.forEach((heading, other) => heading.setAttribute(
      "aria-sort", other !== at ? "none" : this.isDescending ? "descending" : "ascending"));
    this.arrange();
  }

  filter(isShown) {
    this.isShown = isShown;
    this.arrange();
  }

  arrange() {
    const { value } = this.columns[this.sortedBy];
    const sign = this.isDescending ? -1 : 1;
    const rows = this.isShown ? this.all.filter(this.isShown) : this.all.slice();
    // Each value is looked up only once, because most of the time is spent on comparisons.
    const keys = new (this.columns[this.sortedBy].isNumber ? Float64Array : Array)(this.all.length);
    for (const row of rows) keys[row] = value(row);
    this.rows = rows.sort((a, b) => (keys[a] < keys[b] ? -sign : keys[a] > keys[b] ? sign : a - b));
    this.scroller.setAttribute("aria-rowcount", this.rows.length + 1);
    this.spacer.style.height = `${this.rows.length * tableRowHeight}px`;
    this.scroller.scrollTop = 0;
    this.render();
  }

  // Paper has rows from the first one on, whatever is in sight.
  print(isPrinted) {
    this.isPrinted = isPrinted;
    this.render();
  }

  render() {
    const first = this.isPrinted ? 0 : Math.max(0, Math.floor(this.scroller.scrollTop / tableRowHeight) - 4);
    const room = this.isPrinted ? mostPrinted : Math.ceil((this.scroller.clientHeight || 300) / tableRowHeight) + 8;
    const shown = [...this.rows.slice(first, first + room)];
    this.body.style.transform = `translateY(${first * tableRowHeight}px)`;
    this.body.replaceChildren(...shown.map((row, at) => element(
      "div", {
        role: "row", "data-row": row, "aria-rowindex": first + at + 2, "aria-selected": String(row === this.active),
        class: row === this.active ? "active" : "",
      }, ...this.columns.map((column) => {
        const text = column.cell(row);
        // A name can be cut where there is little room.
        return element("div", { role: "gridcell", class: column.isNumber ? "number" : "", title: column.isNumber ? undefined : text }, text);
      }))));
    const left = this.rows.length - shown.length;
    if (this.isPrinted && left > 0) this.body.append(element("p", { class: "quiet" }, `… ${grouped(left)} more: save them as CSV.`));
  }

  // Marks a row and, if `scrolls` is set, scrolls until it is visible.
  activate(row, scrolls) {
    this.active = row;
    const at = this.rows.indexOf(row);
    if (at >= 0 && scrolls) {
      const top = at * tableRowHeight;
      const { scrollTop, clientHeight } = this.scroller;
      const head = this.head.offsetHeight;
      if (top < scrollTop || top + tableRowHeight > scrollTop + clientHeight - head) {
        this.scroller.scrollTop = Math.max(0, top - clientHeight / 2 + head);
      }
    }
    this.render();
  }

  keyDown(event) {
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / tableRowHeight) - 2);
    if (event.key === "Enter" && this.active >= 0) {
      event.preventDefault();
      this.onPick(this.active);
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || this.rows.length === 0) return;
    event.preventDefault();
    const at = this.rows.indexOf(this.active);
    const next = at < 0 ? 0 : Math.min(Math.max(at + step, 0), this.rows.length - 1);
    this.picksAtOnce ? this.onPick(this.rows[next]) : this.activate(this.rows[next], true);
  }
}

const countColumn = (title, value) => ({
  title, isNumber: true, width: "minmax(4.5em, 1fr)", value, cell: (row) => grouped(value(row)),
});

const timeColumn = (title, value, width = "minmax(5.5em, 1fr)") => ({
  title, isNumber: true, isTime: true, width, value, cell: (row) => (value(row) === 0 ? "–" : duration(value(row))),
});
