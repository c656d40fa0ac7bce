// What each character is to a word, its folded case, and NFC: of one version of Unicode, whichever the browser knows.
// `terms/characters.py` has the same tables, `terms/definition.py` the same steps.

const OTHER = 0, SPACE = 1, LETTER = 2, NUMBER = 3, MARK = 4, IGNORED = 5, UNSPACED = 6, CONTROL = 7;
const N_POINTS = 0x110000;
const FIRST_MARK = 0x300; // below it every text is in NFC already
const LONGEST_MARK_RUN = 30; // longer runs are put in order piece by piece, since that takes quadratic time
const MOST_ARGUMENTS = 4096; // of a call
// Hangul syllables are composed by arithmetic: first consonants L, vowels V, last consonants T
const SYLLABLES = 0xAC00, L = 0x1100, V = 0x1161, T = 0x11A7, N_L = 19, N_V = 21, N_T = 28, N_SYLLABLES = N_L * N_V * N_T;

class Characters {
  constructor(payload) {
    const array = (name) => payload.array(`characters.${name}`);
    this.classes = new Uint8Array(N_POINTS);
    this.combining = new Uint8Array(N_POINTS); // canonical combining classes
    this.parts = new Map(); // a character -> the one or two that it is made of
    this.joined = new Map(); // first * N_POINTS + second -> the character that NFC makes of them
    this.folds = new Map(); // a character -> the one to three that it becomes without case
    this.changing = new Uint8Array(N_POINTS); // 1: a text that has it may not be in NFC
    this.changing.fill(1, V, V + N_V).fill(1, T + 1, T + N_T);
    this.readClasses(array("class_sizes"), array("class_kinds"));
    this.readCombining(array("combining_gaps"), array("combining_sizes"), array("combining_classes"));
    this.readParts(array("part_gaps"), array("part_firsts"), array("part_seconds"), array("part_joins"));
    this.readFolds(array("fold_gaps"), array("fold_sizes"), array("fold_points"));
  }

  readClasses(sizes, kinds) {
    let at = 0;
    sizes.forEach((size, i) => { this.classes.fill(kinds[i], at, at + size); at += size; });
  }

  readCombining(gaps, sizes, classes) {
    let at = 0;
    gaps.forEach((gap, i) => {
      const start = at + gap;
      at = start + sizes[i];
      this.combining.fill(classes[i], start, at);
      this.changing.fill(1, start, at);
    });
  }

  readParts(gaps, firsts, seconds, joins) {
    let point = 0;
    gaps.forEach((gap, i) => {
      point += gap;
      this.parts.set(point, seconds[i] ? [firsts[i], seconds[i]] : [firsts[i]]);
      if (joins[i]) {
        this.joined.set(firsts[i] * N_POINTS + seconds[i], point);
        this.changing[seconds[i]] = 1;
      } else this.changing[point] = 1;
    });
  }

  readFolds(gaps, sizes, points) {
    let point = 0, at = 0;
    gaps.forEach((gap, i) => {
      point += gap;
      this.folds.set(point, points.slice(at, at + sizes[i]));
      at += sizes[i];
    });
  }

  // Adds the character, without case, to `out`.
  fold(point, out) {
    const folded = this.folds.get(point);
    if (folded === undefined) out.push(point);
    else out.push(...folded);
  }

  // NFC of a list of code points.
  normalise(points) {
    if (!points.some((point) => point >= FIRST_MARK && this.changing[point])) return points;
    const out = [];
    let start = 0;
    const compose = (end) => { for (const point of this.compose(points.slice(start, end))) out.push(point); start = end; };
    for (let at = 0; at < points.length; at++) {
      if (!this.combining[points[at]]) continue;
      const run = at;
      while (at < points.length && this.combining[points[at]]) at++;
      if (at - run > LONGEST_MARK_RUN) for (let end = run + LONGEST_MARK_RUN; end < at; end += LONGEST_MARK_RUN) compose(end);
    }
    compose(points.length);
    return out;
  }

  compose(points) {
    const apart = [];
    for (const point of points) this.decompose(point, apart);
    this.sortMarks(apart);
    const out = [];
    let starter = -1, before = -1; // where the last character of class 0 stands in `out`, and the class of what follows it
    for (const point of apart) {
      const kind = this.combining[point];
      const joined = starter >= 0 && before < kind ? this.join(out[starter], point) : undefined;
      if (joined !== undefined) { out[starter] = joined; continue; }
      if (kind === 0) { starter = out.length; before = -1; } else before = kind;
      out.push(point);
    }
    return out;
  }

  decompose(point, out) {
    const syllable = point - SYLLABLES, parts = this.parts.get(point);
    if (syllable >= 0 && syllable < N_SYLLABLES) {
      out.push(L + Math.floor(syllable / (N_V * N_T)), V + Math.floor(syllable / N_T) % N_V);
      if (syllable % N_T) out.push(T + syllable % N_T);
    } else if (parts === undefined) out.push(point);
    else for (const part of parts) this.decompose(part, out);
  }

  // Marks in the order of their combining classes; those of one class stay as they stand.
  sortMarks(points) {
    for (let at = 0; at < points.length; at++) {
      const start = at;
      while (at < points.length && this.combining[points[at]]) at++;
      if (at - start < 2) continue;
      const run = points.slice(start, at).sort((a, b) => this.combining[a] - this.combining[b]);
      run.forEach((point, i) => { points[start + i] = point; });
    }
  }

  // The character that two become, or undefined.
  join(first, second) {
    const l = first - L, v = second - V, t = second - T, syllable = first - SYLLABLES;
    if (l >= 0 && l < N_L && v >= 0 && v < N_V) return SYLLABLES + (l * N_V + v) * N_T;
    if (syllable >= 0 && syllable < N_SYLLABLES && syllable % N_T === 0 && t > 0 && t < N_T) return first + t;
    return this.joined.get(first * N_POINTS + second);
  }
}

function pointsOf(text) {
  const points = [];
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at);
    points.push(point);
    if (point > 0xFFFF) at++; // two places of the text
  }
  return points;
}

function textOf(points) {
  if (points.length <= MOST_ARGUMENTS) return String.fromCodePoint(...points);
  let text = "";
  for (let at = 0; at < points.length; at += MOST_ARGUMENTS) text += String.fromCodePoint(...points.slice(at, at + MOST_ARGUMENTS));
  return text;
}
