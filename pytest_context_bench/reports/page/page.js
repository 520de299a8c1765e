// Ties the parts together: whatever changes what is shown changes the address, and goes through `go`.

const FILTERS = ["search", "system", "dataset", "show", "sort"];
const form = document.getElementById("filters");
const dialog = document.getElementById("example");

if (form !== null) {
  let address = null, filters = null, shown = [];
  const grid = new Grid(document.getElementById("grid"), open, (sort) => go({ ...readState(), sort }));

  fill(form.elements.system, DATA.systems);
  fill(form.elements.dataset, DATA.datasets);
  form.elements.sort.replaceChildren(...Object.entries(ORDERS).map(([name, [said]]) => make("option", { value: name }, said)));
  document.getElementById("browser").hidden = false;

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => go({ ...readState(), ...Object.fromEntries(new FormData(form)) }, { quietly: true }));
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  for (const moved of ["hashchange", "popstate"]) window.addEventListener(moved, render);
  render();

  /** Show *state*; the way back leads past what was done *quietly*. */
  function go(state, { quietly = false } = {}) {
    history[quietly ? "replaceState" : "pushState"](null, "", toHash(state));
    render();
  }

  function open(row) {
    go({ ...readState(), of: DATA.datasets[row.dataset], example: row.id, open: true });
  }

  function close() {
    go({ ...readState(), open: false });
  }

  /** Open the next example, or with -1 the one before, of the rows that are shown. */
  function step(by) {
    const state = readState();
    const is = (row) => row.id === state.example && DATA.datasets[row.dataset] === state.of;
    let at = shown.findIndex(is);
    while (at >= 0 && at < shown.length && is(shown[at])) at += by;
    const row = shown[at];
    if (row) go({ ...state, of: DATA.datasets[row.dataset], example: row.id }, { quietly: true });
  }

  function render() {
    if (location.hash === address) return;
    address = location.hash;
    const state = readState();
    renderRows(state);
    if (state.open) showExample(dialog, state, close, step);
    if (state.open && !dialog.open) dialog.showModal();
    if (!state.open && dialog.open) dialog.close();
  }

  function renderRows(state) {
    const now = toHash({ ...state, open: false });
    if (now === filters) return;
    filters = now;
    for (const name of FILTERS) {
      if (form.elements[name].value !== state[name]) form.elements[name].value = state[name];
    }
    shown = found(state);
    grid.show(shown, state.sort);
    document.getElementById("count").textContent = `${count(shown.length)} of ${count(ROWS.length)} pairs`;
  }
}

function fill(select, names) {
  for (const name of names) select.append(make("option", { value: name }, oneLine(name) || "(no name)"));
  select.parentElement.hidden = names.length < 2;
}
