// What Snowball's stemmers are made of: a word with a cursor, moved and changed forwards or backwards. The stemmer of the
// model's language is written behind this by `stemmers.py`. Words are lists of characters, so that one beyond the first
// 65,536 counts as one.

class BaseStemmer {
  stemWord(word) {
    this.current = [...word];
    this.cursor = this.limit_backward = this.bra = 0;
    this.limit = this.ket = this.current.length;
    this._stem();
    return this.current.join("");
  }

  // -- one character that is, or is not, in a group; `_b`: backwards; `go_`: up to the first that is

  in_grouping(group) { return this.cursor < this.limit && group.has(this.current[this.cursor]) && this.move(1); }
  out_grouping(group) { return this.cursor < this.limit && !group.has(this.current[this.cursor]) && this.move(1); }
  in_grouping_b(group) { return this.cursor > this.limit_backward && group.has(this.current[this.cursor - 1]) && this.move(-1); }
  out_grouping_b(group) { return this.cursor > this.limit_backward && !group.has(this.current[this.cursor - 1]) && this.move(-1); }

  go_in_grouping(group) { while (this.in_grouping(group)); return this.cursor < this.limit; }
  go_out_grouping(group) { while (this.out_grouping(group)); return this.cursor < this.limit; }
  go_in_grouping_b(group) { while (this.in_grouping_b(group)); return this.cursor > this.limit_backward; }
  go_out_grouping_b(group) { while (this.out_grouping_b(group)); return this.cursor > this.limit_backward; }

  move(steps) {
    this.cursor += steps;
    return true;
  }

  // -- a text at the cursor

  eq_s(text) {
    const characters = [...text], end = this.cursor + characters.length;
    return end <= this.limit && characters.every((c, i) => c === this.current[this.cursor + i]) && this.move(characters.length);
  }

  eq_s_b(text) {
    const characters = [...text], start = this.cursor - characters.length;
    return start >= this.limit_backward && characters.every((c, i) => c === this.current[start + i]) && this.move(-characters.length);
  }

  // The result of the longest entry that stands at the cursor and whose condition holds, with the cursor moved behind it; 0
  // if there is none.
  find_among(entries) { return this.find(entries, 1, this.limit - this.cursor); }
  find_among_b(entries) { return this.find(entries, -1, this.cursor - this.limit_backward); }

  find(entries, direction, most) {
    const from = this.cursor;
    for (let size = Math.min(most, entries.longest); size >= 0; size--) {
      const text = this.current.slice(Math.min(from, from + direction * size), Math.max(from, from + direction * size)).join("");
      const entry = entries.get(text);
      if (entry === undefined) continue;
      this.cursor = from + direction * size;
      if (entry.condition === null) return entry.result;
      if (this[entry.condition]()) {
        this.cursor = from + direction * size;
        return entry.result;
      }
    }
    return 0;
  }

  // -- changes

  replace_s(start, end, text) {
    const characters = [...text], longer = characters.length - (end - start);
    this.current.splice(start, end - start, ...characters);
    this.limit += longer;
    if (this.cursor >= end) this.cursor += longer;
    else if (this.cursor > start) this.cursor = start;
    return longer;
  }

  slice_from(text) {
    this.replace_s(this.bra, this.ket, text);
    this.ket = this.bra + [...text].length;
  }

  slice_del() { this.slice_from(""); }

  insert(start, end, text) {
    const longer = this.replace_s(start, end, text);
    if (start <= this.bra) this.bra += longer;
    if (start <= this.ket) this.ket += longer;
  }

  slice_to() { return this.current.slice(this.bra, this.ket).join(""); }
  assign_to() { return this.current.slice(0, this.limit).join(""); }
}

// The entries that `find_among` looks for: text, result, and the name of the method that must hold.
function among(rows) {
  const entries = new Map(rows.map(([text, result, condition = null]) => [text, { result, condition }]));
  entries.longest = Math.max(...rows.map(([text]) => [...text].length));
  return entries;
}
