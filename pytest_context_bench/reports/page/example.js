// One example across systems, side by side.

/** Fill *dialog* with an example; *close* and *step* (by 1 or -1 among the rows shown) are what its buttons do. */
function showExample(dialog, state, close, step) {
  const rows = rowsOf(state.of, state.example);
  const pressed = dialog.contains(document.activeElement) ? document.activeElement.className : "close";
  dialog.replaceChildren(
    make(
      "header", {},
      make("h2", { id: "example-name" }, named(state.example)),
      make("p", { class: "said" }, named(state.of)),
      make(
        "p", { class: "buttons" },
        make("button", { type: "button", class: "previous", click: () => step(-1), title: "The example before" }, "← previous"),
        make("button", { type: "button", class: "next", click: () => step(1), title: "The example after" }, "next →"),
        make("button", { type: "button", class: "close", click: close, autofocus: true }, "close"),
      ),
    ),
    ...(rows.length ? [given(rows), make("div", { class: "cards" }, ...rows.map(card))] : [missing()]),
  );
  dialog.scrollTop = 0;
  dialog.querySelector(`button.${pressed || "close"}`)?.focus();
}

function missing() {
  return make("p", { class: "empty" }, "This report has no such example.");
}

/** Return what all systems were given: the question, the answer, the context. */
function given(rows) {
  const first = (name) => rows.map((row) => kept(row, name)).find((text) => text !== null) ?? null;
  const [question, answer, context] = ["question", "answer", "context"].map(first);
  const none = rows.every((row) => row.texts === null);
  return make(
    "section", { class: "given" },
    block("question", question),
    block("answer", answer),
    context === null ? null : make("details", {}, make("summary", {}, `context (${count(context.length)} characters)`), prose(context)),
    none ? make("p", { class: "said" }, "Texts were not kept: --context-bench-keep-texts keeps them.") : null,
  );
}

function card(row) {
  const scores = Object.entries(row.scores).map(([name, value]) => fact(oneLine(name), value));
  return make(
    "article", { class: `card ${row.status}` },
    make("h3", {}, sign(row.system), named(DATA.systems[row.system]), row.repeat ? ` · repeat ${row.repeat + 1}` : ""),
    make("p", {}, row.flip ? make("span", { class: "flip" }, `${row.flip}, before: ${row.was}`) : null, make("span", { class: `state ${row.status}` }, became(row))),
    make(
      "dl", {},
      ...scores,
      fact("tokens", `${count(row.before)} → ${count(row.after)}`),
      fact("latency", `${row.latencyText} s`),
    ),
    block("error", row.error),
    block("response", kept(row, "response")),
    change(row),
    Object.keys(row.metadata).length
      ? make("details", {}, make("summary", {}, "metadata"), prose(JSON.stringify(row.metadata, null, 1)))
      : null,
  );
}

function fact(name, value) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, value));
}

function block(name, text) {
  return text === null ? null : make("div", { class: "block" }, make("h4", {}, name), prose(text));
}

function prose(text) {
  return make("pre", { dir: "auto", tabindex: "0" }, inLines(text));
}

/** Return the context after the system, with what was cut and what is new. */
function change(row) {
  const [before, after] = [kept(row, "context"), kept(row, "processed")];
  if (after === null) return null;
  if (before === null) return block("context after", after);
  if (before === after) return make("p", { class: "said" }, "The context is unchanged.");
  const tags = { same: "span", cut: "del", new: "ins" };
  const marked = diff(before, after).map(([kind, text]) => make(tags[kind], {}, inLines(text)));
  return make(
    "div", { class: "block" },
    make("h4", {}, "context: ", make("del", {}, "cut"), " and ", make("ins", {}, "new")),
    make("pre", { dir: "auto", tabindex: "0", class: "diff" }, ...marked),
  );
}
