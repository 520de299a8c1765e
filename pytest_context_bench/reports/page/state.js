// What the page shows is said by its address, so that a link shows the same to somebody else.

const FIELDS = ["search", "system", "dataset", "show", "sort", "of", "example"];

const KINDS = ["", "below", "error", "flipped"];

/** The orders of pairs: the words for each, and what it compares. A value that is missing goes last. */
const ORDERS = {
  "": ["as in the run", null],
  "score": ["lowest score first", (row) => row.score],
  "-score": ["highest score first", (row) => row.score],
  "latency": ["fastest first", (row) => row.latency],
  "-latency": ["slowest first", (row) => row.latency],
  "tokens": ["fewest tokens first", (row) => row.after],
  "-tokens": ["most tokens first", (row) => row.after],
};

function readState() {
  const given = new URLSearchParams(location.hash.slice(1));
  const state = Object.fromEntries(FIELDS.map((name) => [name, given.get(name) ?? ""]));
  state.open = given.has("example");
  if (!Object.hasOwn(ORDERS, state.sort)) state.sort = "";
  if (!KINDS.includes(state.show)) state.show = "";
  return state;
}

function toHash(state) {
  const said = FIELDS.filter((name) => state[name] !== "" || (name === "example" && state.open));
  const shown = said.filter((name) => state.open || (name !== "of" && name !== "example"));
  return "#" + new URLSearchParams(shown.map((name) => [name, state[name]]));
}

/** Return the rows that a state shows, in its order. */
function found(state) {
  const words = oneLine(state.search.trim()).toLowerCase();
  const rows = ROWS.filter(
    (row) =>
      (state.system === "" || DATA.systems[row.system] === state.system) &&
      (state.dataset === "" || DATA.datasets[row.dataset] === state.dataset) &&
      (state.show === "" || (state.show === "flipped" ? row.flip !== "" : row.status === state.show)) &&
      (words === "" || sought(row).includes(words)),
  );
  const value = ORDERS[state.sort][1];
  return value === null ? rows : rows.sort(comparing(value, state.sort.startsWith("-") ? -1 : 1));
}

function comparing(value, direction) {
  return (one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return (a === null) - (b === null) || one.index - other.index;
    return direction * (a - b) || one.index - other.index;
  };
}
