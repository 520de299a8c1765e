// Words and elements. Whatever comes from a run is put into the page as text, never as markup.

// What no eye sees, or what turns text around: control characters, lone surrogates, marks of direction.
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const KNOWN = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(sign) {
  const code = sign.charCodeAt(0);
  const digits = code < 256 ? 2 : 4;
  return KNOWN[sign] ?? (code < 256 ? "\\x" : "\\u") + code.toString(16).padStart(digits, "0");
}

/** Return text in one line, with escapes for what could not be seen. */
function oneLine(text) {
  return text.replace(UNSEEN, escaped);
}

/** Return text with its own lines, and escapes for what could not be seen. */
function inLines(text) {
  return text.replace(/\r\n/g, "\n").replace(UNSEEN, (sign) => (sign === "\n" || sign === "\t" ? sign : escaped(sign)));
}

function count(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Return a new element; a child that is a string is text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Return a name that may be of any script and length. */
function named(text) {
  const line = oneLine(text) || "(no name)";
  return make("bdi", { class: "name", title: line }, line);
}

/** Return a copy of the mark that the key of the page shows for a system. */
function sign(system) {
  return document.querySelectorAll(".summary tr.system .sign")[system].cloneNode(true);
}
