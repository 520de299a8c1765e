// What a system took out of a text and put into it, word by word.

const WORD = /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}_]+|./gsu;
const CELLS = 4_000_000; // the most work for parts in which no word is the only one of its kind
const DEEPEST = 40;

/** Return the parts of both texts in order: each is "same", "cut" or "new", and its text. */
function diff(before, after) {
  const a = before.match(WORD) ?? [], b = after.match(WORD) ?? [];
  const pairs = [];
  match(numbered(a, b), [0, a.length, 0, b.length], pairs, { cells: CELLS }, 0);
  return tidied(parts(a, b, pairs));
}

function numbered(a, b) {
  const places = new Map();
  return [a, b].map((words) =>
    Int32Array.from(words, (word) => {
      if (!places.has(word)) places.set(word, places.size);
      return places.get(word);
    }),
  );
}

/** Put the places of equal words into *pairs*: the ends, then words that occur once, then all if few. */
function match([a, b], [aLow, aHigh, bLow, bHigh], pairs, budget, depth) {
  while (aLow < aHigh && bLow < bHigh && a[aLow] === b[bLow]) pairs.push([aLow++, bLow++]);
  const tail = [];
  while (aLow < aHigh && bLow < bHigh && a[aHigh - 1] === b[bHigh - 1]) tail.push([--aHigh, --bHigh]);
  if (aLow < aHigh && bLow < bHigh) {
    const anchors = depth < DEEPEST ? rising(once(a, aLow, aHigh, b, bLow, bHigh)) : [];
    const size = (aHigh - aLow) * (bHigh - bLow);
    if (anchors.length) {
      let [fromA, fromB] = [aLow, bLow];
      for (const [atA, atB] of [...anchors, [aHigh, bHigh]]) {
        match([a, b], [fromA, atA, fromB, atB], pairs, budget, depth + 1);
        if (atA < aHigh) pairs.push([atA, atB]);
        [fromA, fromB] = [atA + 1, atB + 1];
      }
    } else if (size <= budget.cells) {
      budget.cells -= size;
      longest(a, aLow, aHigh, b, bLow, bHigh, pairs);
    }
  }
  for (const pair of tail.reverse()) pairs.push(pair);
}

/** Return the places of the words that occur exactly once in either part, by their order in the first. */
function once(a, aLow, aHigh, b, bLow, bHigh) {
  const [inA, inB] = [places(a, aLow, aHigh), places(b, bLow, bHigh)];
  const both = [];
  for (const [word, at] of inA) if (at >= 0 && inB.get(word) >= 0) both.push([at, inB.get(word)]);
  return both;
}

function places(words, low, high) {
  const found = new Map();
  for (let at = low; at < high; at++) found.set(words[at], found.has(words[at]) ? -1 : at);
  return found;
}

/** Return the longest series of pairs that rises on both sides (patience sorting). */
function rising(pairs) {
  const tops = [], previous = new Array(pairs.length);
  pairs.forEach(([, b], at) => {
    let low = 0, high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tops[middle]][1] < b) low = middle + 1;
      else high = middle;
    }
    previous[at] = low ? tops[low - 1] : -1;
    tops[low] = at;
  });
  const series = [];
  for (let at = tops.length ? tops[tops.length - 1] : -1; at >= 0; at = previous[at]) series.push(pairs[at]);
  return series.reverse();
}

/** Put the longest common series of words into *pairs*. */
function longest(a, aLow, aHigh, b, bLow, bHigh, pairs) {
  const wide = bHigh - bLow + 1, high = aHigh - aLow;
  const lengths = new Uint32Array((high + 1) * wide);
  for (let i = high - 1; i >= 0; i--) {
    for (let j = wide - 2; j >= 0; j--) {
      const at = i * wide + j;
      lengths[at] = a[aLow + i] === b[bLow + j]
        ? lengths[at + wide + 1] + 1
        : Math.max(lengths[at + wide], lengths[at + 1]);
    }
  }
  for (let i = 0, j = 0; i < high && j < wide - 1; ) {
    if (a[aLow + i] === b[bLow + j]) pairs.push([aLow + i++, bLow + j++]);
    else if (lengths[(i + 1) * wide + j] >= lengths[i * wide + j + 1]) i++;
    else j++;
  }
}

function parts(a, b, pairs) {
  const all = [];
  let [fromA, fromB] = [0, 0];
  for (const [atA, atB] of [...pairs, [a.length, b.length]]) {
    all.push(["cut", a.slice(fromA, atA).join("")], ["new", b.slice(fromB, atB).join("")]);
    if (atA < a.length) all.push(["same", a[atA]]);
    [fromA, fromB] = [atA + 1, atB + 1];
  }
  return merged(all);
}

/** Join neighbours of one kind; between two parts that are the same, what was cut stands first. */
function merged(all) {
  const joined = [];
  let change = { cut: "", new: "" };
  const settle = () => {
    for (const kind of ["cut", "new"]) if (change[kind]) joined.push([kind, change[kind]]);
    change = { cut: "", new: "" };
  };
  for (const [kind, text] of all) {
    if (!text) continue;
    if (kind !== "same") {
      change[kind] += text;
      continue;
    }
    settle();
    if (joined.at(-1)?.[0] === "same") joined.at(-1)[1] += text;
    else joined.push(["same", text]);
  }
  settle();
  return joined;
}

/** Take a mere space between two changes into both: one change is read more easily than two. */
function tidied(all) {
  const changed = (part) => part !== undefined && part[0] !== "same";
  return merged(
    all.flatMap(([kind, text], at) =>
      kind === "same" && /^\s+$/.test(text) && changed(all[at - 1]) && changed(all[at + 1])
        ? [["cut", text], ["new", text]]
        : [[kind, text]],
    ),
  );
}
