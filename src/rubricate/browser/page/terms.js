// Text to terms: the steps of `terms/definition.py`, one character after the other.

const FIELD_BREAK = "\0", NUMBER_TERM = "NUM";

class Recipe {
  constructor(settings, characters, stemmer) {
    Object.assign(this, settings); // tokens, lowercase, numbers, pairs, min_length, fields, prefix_fields
    this.characters = characters;
    this.stemmer = stemmer;
    this.stopWords = new Set(settings.stop);
    this.stems = new Map();
  }

  // The terms of a document, in order. texts: of its fields; of a recipe that prefixes them, of each field of `fields`.
  terms(texts) {
    if (!this.prefix_fields) return this.termsOf(texts.join(FIELD_BREAK));
    return texts.flatMap((text, i) => this.termsOf(text).map((term) => `${this.fields[i]}:${term}`));
  }

  termsOf(text) {
    const out = [];
    let previous = ""; // the neighbour on the left, "" where there is none
    for (const { token, joined, single } of this.tokensOf(this.characters.normalise(pointsOf(text)))) {
      if (!joined) previous = "";
      const term = token === "" ? null : this.derive(token);
      if (term === null) { previous = ""; continue; }
      out.push(term);
      if (this.pairs && previous && single) out.push(`${previous} ${term}`);
      previous = single ? term : "";
    }
    return out;
  }

  // A token after stop list and stemmer; null if it is left out. A stemmer may eat a whole token, which then stays as it is.
  derive(token) {
    if (this.stopWords.has(token)) return null;
    if (!this.stemmer) return token;
    if (!this.stems.has(token)) {
      if (this.stems.size > 50000) this.stems.clear();
      this.stems.set(token, this.stemmer.stemWord(token) || token);
    }
    return this.stems.get(token);
  }

  // token; joined: only white space since the last one?; single: may it be part of a bigram? "" is a token that is left out.
  *tokensOf(text) {
    const n = text.length, kinds = new Uint8Array(n);
    for (let i = 0; i < n; i++) kinds[i] = this.kindOf(this.characters.classes[text[i]]);
    let at = 0, joined = false, inRun = false; // inRun: the character at `at` was the right half of a pair already
    while (at < n) {
      const kind = kinds[at];
      if (kind === UNSPACED) {
        const [first, end] = cluster(text, kinds, at);
        if (end < n && kinds[end] === UNSPACED) {
          yield { token: first + cluster(text, kinds, end)[0], joined, single: false };
          inRun = true;
        } else {
          if (!inRun) yield { token: first, joined, single: false };
          inRun = false;
        }
        at = end;
        joined = true;
      } else if (kind === LETTER || kind === NUMBER) {
        const { token, numeric, end } = this.word(text, kinds, at);
        if (numeric && this.numbers !== "keep") yield { token: this.numbers === "NUM" ? NUMBER_TERM : "", joined, single: true };
        else yield { token, joined, single: true };
        at = end;
        joined = true;
        inRun = false;
      } else { // a mark or an ignored character outside a word says nothing
        joined = joined && (kind === SPACE || kind === IGNORED);
        inRun = inRun && kind === IGNORED;
        at++;
      }
    }
  }

  // The word that begins at `start`, "" if it is too short; whether it is a number; and where it ends.
  word(text, kinds, start) {
    const points = [];
    let at = start, numeric = true;
    for (; at < text.length && this.continues(text, kinds, start, at, numeric); at++) {
      if (kinds[at] === LETTER) numeric = false;
      if (kinds[at] === IGNORED) continue;
      if (this.lowercase) this.characters.fold(text[at], points);
      else points.push(text[at]);
    }
    return { token: points.length >= this.min_length ? textOf(points) : "", numeric, end: at };
  }

  // Does the word that began at `start` go on at `at`? numeric: no letter has come yet.
  continues(text, kinds, start, at, numeric) {
    const kind = kinds[at];
    if (kind === MARK || kind === IGNORED) return true;
    if (kind === OTHER) { // the comma and the point of 1,250.75
      const isMark = text[at] === 0x2C || text[at] === 0x2E;
      return this.numbers === "NUM" && isMark && numeric && kinds[at - 1] === NUMBER && kinds[at + 1] === NUMBER;
    }
    return this.tokens === "letters" ? kind === kinds[start] : kind === LETTER || kind === NUMBER;
  }

  // The class of a character as the recipe sees it.
  kindOf(kind) {
    if (this.tokens === "whitespace") return kind === SPACE || kind === CONTROL || kind === IGNORED ? kind : LETTER;
    return this.tokens === "letters" && this.numbers === "drop" && kind === NUMBER ? OTHER : kind;
  }
}

// A character of a script without spaces, with its marks; and where it ends.
function cluster(text, kinds, at) {
  let end = at + 1;
  while (end < text.length && (kinds[end] === MARK || kinds[end] === IGNORED)) end++;
  return [textOf(text.slice(at, end).filter((_, i) => kinds[at + i] !== IGNORED)), end];
}
