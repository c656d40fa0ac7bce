"""Files that the page reads, as Python reads them: CSV, JSON Lines, encodings; and the tables that it gives back."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import rubricate as rb

pytestmark = pytest.mark.xdist_group("browser")

TABLES = {
    "plain.csv": "id,text\na,corn\nb,wheat\n",
    "no_line_end.csv": "id,text\na,corn",
    "cr_lf.csv": "id,text\r\na,corn\r\nb,wheat\r\n",
    "quotes.csv": 'id,text\na,"corn, and ""rye"""\nb,"two\nlines"\n',
    "semicolons.csv": 'id;text\na;"corn; wheat"\nb;rye, barley\n',
    "tabs.tsv": "id\ttext\tx|y\na\tcorn\t,\n",
    "quotes_inside.csv": 'id,text\na,say "corn"\n',
    "empty.csv": "id,text\n\na,corn\n\n,rye\nb,\n",
    "cells.csv": "id,text\na,corn,x\nb\nc,rye\n",
    "empty_rows.csv": "text,note\n,\nrye,\n",
    "open_quote.csv": 'id,text\na,"corn\nb,rye\nc,oats\n',
    "quote_goes_on.csv": 'id,text\na,"corn"x\nb,rye\n',
    "nul.csv": "id,text\na,\x00corn\n=1,@rye\n",
    "usual_names.csv": "Subject , BODY,uid\nnews,corn,7\n",
    "unnamed.csv": 'text,labels\ncorn,grain\n"rye\nwheat,grain\n',
    "lines.jsonl": '{"id": 7, "text": "corn"}\n\n{"text": "rye"}\n{"text": null}\nnothing\n[1]\n{"text": ["a"]}\n{"text": 3}\n',
    "half.jsonl": '{"id": "a", "text": "corn \\ud800"}\n{"id": "b", "text": "corn \\ud83d\\ude00"}\n',
    "fields.jsonl": '{"title": "news", "body": "corn"}\n{"body": "rye"}\n{"title": "last"}\n',
}
READ = """([name, content]) => {
  const { columns, rows } = readRows(name, content), names = textColumns(columns, null), out = [];
  for (const row of rows) {
    try {
      const texts = textsOf(row, names);
      out.push([idOf(row, idColumn(columns), out.length + 1), texts]);
    } catch { continue; }
  }
  return out;
}"""


@pytest.mark.parametrize("name", TABLES)
def test_rows_ids_and_texts_are_those_that_python_reads(scorer: Any, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(TABLES[name], "utf-8", newline="")
    documents = rb.read(path, keep_going=True).documents()
    expected = [[document.id, list(document.fields.values())] for document in documents]
    assert scorer.evaluate(READ, [name, TABLES[name]]) == expected


@pytest.mark.parametrize(
    ("content", "name", "problem"),
    [
        ("", "none.csv", "the file is empty"),
        ("a,a\n1,2\n", "twice.csv", "two columns are called"),
        ('"a,b\n1,2\n', "quote.csv", "the header cannot be read"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_in_a_sentence(
    scorer: Any, content: str, name: str, problem: str
) -> None:
    told = scorer.evaluate(
        "([name, content]) => { try { readRows(name, content); } catch (e) { return e.message; } }", [name, content]
    )
    assert problem in told


@pytest.mark.parametrize(
    ("encoding", "named"),
    [("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("utf-16", "UTF-16"), ("cp1252", "not UTF-8, taken for Windows-1252")],
)
def test_encodings_are_recognised_or_told(scorer: Any, encoding: str, named: str) -> None:
    decoded = scorer.evaluate("(bytes) => decodeBytes(Uint8Array.from(bytes))", list("Zölle – naïve".encode(encoding)))
    assert decoded == {"text": "Zölle – naïve", "encoding": named}


def test_a_megabyte_in_one_cell_and_quotes_that_never_close(scorer: Any) -> None:
    content = "id,text\n" + 'a,"corn\n' * 5000 + 'b,"' + "long \n" * 200_000 + '"\n'
    rows = scorer.evaluate(
        "(text) => csvRows(text).rows.map((row) => row.problem ?? row.cells.get('text').length)", content
    )
    assert len(rows) == 5001
    assert rows[-1] == 1_200_000
    assert set(rows[:-1]) == {"a quote in this line is not closed properly"}


def test_cells_that_spreadsheets_take_for_formulas_are_defused_in_csv_alone(scorer: Any) -> None:
    written = scorer.evaluate(
        """() => {
          const prediction = { probabilities: [0.25, 0.5000005], decisions: [0, 1] };
          const cells = new Map([["text", '@a,"b"']]);
          const answers = [{ id: "=1+1", row: { cells }, prediction }, { id: "x", row: {}, problem: "no text" }];
          return [csvTable(["p", "q"], ["text"], answers), jsonLines(["p", "q"], answers)];
        }"""
    )
    table = list(csv.reader(io.StringIO(written[0].removeprefix("\ufeff"), newline="")))
    assert table[0] == ["row", "text", "predicted_labels", "predicted_probabilities", "problem"]
    assert table[1:] == [["'=1+1", '\'@a,"b"', "q", "0.5", ""], ["x", "", "", "", "no text"]]
    lines = [json.loads(line) for line in written[1].splitlines()]
    assert lines[0] == {"id": "=1+1", "labels": ["q"], "probabilities": {"q": 0.5, "p": 0.25}}
    assert lines[1] == {"id": "x", "problem": "no text"}
