// The table of pairs: of any number of rows, only those in sight are in the page.

const MARGIN = 8; // rows above and below what is in sight, so that scrolling shows no gap
const COLUMNS = [
  ["id", "example", null],
  ["system", "system", null],
  ["dataset", "data set", null],
  ["score", "score", "score"],
  ["before", "tokens in", null],
  ["after", "tokens out", "tokens"],
  ["latency", "latency (s)", "latency"],
  ["status", "status", null],
];

class Grid {
  /** Show rows in *root*; *open* is called with a row, *order* with the name of an order. */
  constructor(root, open, order) {
    this.root = root;
    this.lines = root.querySelector(".lines");
    this.heads = root.querySelector(".heads > .line");
    this.open = open;
    this.order = order;
    this.rows = [];
    this.active = 0;
    this.height = 0;
    this.waiting = false;
    root.addEventListener("scroll", () => this.soon(), { passive: true });
    root.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resized()).observe(root);
  }

  show(rows, sort) {
    this.rows = rows;
    this.active = 0;
    this.root.scrollTop = 0;
    this.root.setAttribute("aria-rowcount", rows.length + 1);
    this.heads.replaceChildren(...COLUMNS.map(([name, title, key]) => this.head(name, title, key, sort)));
    this.resized();
  }

  head(name, title, key, sort) {
    const up = sort === key, down = sort === `-${key}`;
    const direction = key && (up ? "ascending" : down ? "descending" : "none");
    const next = up ? `-${key}` : down ? "" : key;
    const content = key
      ? make("button", { type: "button", click: () => this.order(next) }, title + (up ? " ▲" : down ? " ▼" : ""))
      : title;
    return make("div", { role: "columnheader", class: name, "aria-sort": direction }, content);
  }

  soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** Take the height of a row from the style sheet, which knows small screens. */
  resized() {
    const probe = make("div", { class: "line" });
    this.lines.append(probe);
    this.height = probe.offsetHeight || 1;
    probe.remove();
    this.lines.style.height = `${this.rows.length * this.height}px`;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.root.scrollTop / this.height) - MARGIN);
    const sight = Math.ceil(this.root.clientHeight / this.height) + 2 * MARGIN;
    const shown = this.rows.slice(first, first + sight);
    this.lines.replaceChildren(...shown.map((row, at) => this.line(row, first + at)));
    const active = this.rows.length ? `row-${this.active}` : null;
    if (active && document.getElementById(active)) this.root.setAttribute("aria-activedescendant", active);
    else this.root.removeAttribute("aria-activedescendant");
  }

  line(row, at) {
    const attributes = {
      role: "row", id: `row-${at}`, class: `line ${row.status}`, "aria-rowindex": at + 2,
      "aria-selected": String(at === this.active), click: (event) => this.click(event, at),
    };
    const line = make("div", attributes, ...cells(row, this.address(row)));
    line.style.transform = `translateY(${at * this.height}px)`;
    return line;
  }

  address(row) {
    return toHash({ ...readState(), of: DATA.datasets[row.dataset], example: row.id, open: true });
  }

  click(event, at) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser opens the link elsewhere
    event.preventDefault();
    this.active = at;
    this.draw();
    this.open(this.rows[at]);
  }

  key(event) {
    if (event.target !== this.root || !this.rows.length) return;
    const page = Math.max(1, Math.floor(this.root.clientHeight / this.height) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key === "Enter") this.open(this.rows[this.active]);
    else if (event.key in steps) this.move(steps[event.key]);
    else return;
    event.preventDefault();
  }

  /** Make another row the active one and bring it into sight, below the heads that stay where they are. */
  move(step) {
    this.active = Math.min(Math.max(this.active + step, 0), this.rows.length - 1);
    const top = this.active * this.height;
    const sight = this.root.clientHeight - this.heads.offsetHeight - this.height;
    if (this.root.scrollTop > top) this.root.scrollTop = top;
    if (this.root.scrollTop < top - sight) this.root.scrollTop = top - sight;
    this.draw();
  }
}

function cells(row, address) {
  const system = [sign(row.system), named(DATA.systems[row.system])];
  const contents = {
    id: [make("a", { href: address, tabindex: "-1" }, named(row.id)), row.repeat ? ` · repeat ${row.repeat + 1}` : ""],
    system,
    dataset: [named(DATA.datasets[row.dataset])],
    score: [row.scoreText || "–"],
    before: [count(row.before)],
    after: [count(row.after)],
    latency: [row.latencyText],
    status: [...(row.flip ? [make("span", { class: "flip" }, row.flip)] : []), statusOf(row)],
  };
  return COLUMNS.map(([name]) => make("div", { role: "gridcell", class: name }, ...contents[name]));
}

function statusOf(row) {
  const said = row.error === null ? became(row) : `error: ${oneLine(row.error.trim().split("\n")[0])}`;
  return make("span", { class: `state ${row.status}`, title: row.error === null ? null : oneLine(row.error) }, said);
}
