// The pairs, as the page holds them.

const DATA = JSON.parse(document.getElementById("data").textContent);
const STATUS = { error: "error", below: "below", pass: "passes" };

const ROWS = DATA.rows.map(
  (
    [system, dataset, id, repeat, score, scoreText, latency, latencyText, before, after, status, flip, was, error, scores, texts, metadata],
    index,
  ) => ({
    index, system, dataset, id, repeat, score, scoreText, latency, latencyText, before, after, status, flip, was, error, scores, texts, metadata,
    sought: null,
  }),
);

/** Return the word for what became of a row; without a threshold no score is judged. */
function became(row) {
  return STATUS[row.status] ?? (row.scoreText ? "" : "no score");
}

/** Return what a search looks through, in small letters. */
function sought(row) {
  row.sought ??= oneLine(`${row.id}\n${DATA.systems[row.system]}\n${row.error ?? ""}`).toLowerCase();
  return row.sought;
}

/** Return a text of a pair that was kept, or null. */
function kept(row, name) {
  const place = row.texts?.[["question", "answer", "context", "processed", "response"].indexOf(name)];
  return place === undefined || place === null ? null : DATA.texts[place];
}

/** Return the rows of one example, of all systems and repeats. */
function rowsOf(dataset, id) {
  return ROWS.filter((row) => row.id === id && DATA.datasets[row.dataset] === dataset);
}
