"""One rule for labels in Python, commands and files: what becomes one label or is missing is told with the row."""

from __future__ import annotations

import unicodedata
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import sparse
from sklearn.model_selection import cross_val_score

import rubricate as rb
from rubricate.cli import rubricate as program
from rubricate.errors import InputError, InvalidSetting, LabelWarning
from rubricate.training.label_sets import read_labels
from rubricate.training.text_classifier import TextClassifier

NAN = float("nan")
NEW = ["wheat barley oats", "bank loan rate", "team coach league"]
TEXTS = ["wheat corn rye crop", "stock bank share fund", "goal match team ball"] * 20
CAFE = "caf\u00e9"


class Frame:
    """As much of a pandas DataFrame as y needs."""

    def __init__(self, columns: list[Any], values: Any) -> None:
        self.columns, self._values = columns, np.asarray(values)

    def to_numpy(self) -> Any:
        return self._values

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._values


class Column:
    """As much of a pandas Series as y needs: it is no sequence, and its rows are not numbered from 0."""

    def __init__(self, values: list[Any]) -> None:
        self._values = np.empty(len(values), dtype=object)
        self._values[:] = values

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Any:
        return iter(self._values)

    def __getitem__(self, key: Any) -> Any:
        raise KeyError(key)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._values


class NAType:
    """pandas.NA: comparing it gives itself, and it has no truth value."""

    def __eq__(self, other: object) -> Any:
        return self

    def __ne__(self, other: object) -> Any:
        return self

    def __hash__(self) -> int:
        return 1

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")

    def __repr__(self) -> str:
        return "<NA>"


def untidy(names: list[str]) -> list[str]:
    return [name if n % 2 else f" {name}" for n, name in enumerate(names)]


@pytest.mark.parametrize(
    ("other", "tidy"),
    [(" s", "s"), ("s\n", "s"), ("\u2003s", "s"), (unicodedata.normalize("NFD", CAFE), CAFE)],
)
def test_two_spellings_of_a_label_are_learned_as_one_and_told_with_the_row(other: str, tidy: str) -> None:
    y = [[tidy, other][n // 3 % 2] if n % 3 == 0 else ["m", "g"][n % 3 - 1] for n in range(60)]
    with pytest.warns(LabelWarning, match=r"10 times; first y\[3\]"):
        model = TextClassifier("multinomial").fit(TEXTS, y)
    assert model.classes_.tolist() == sorted([tidy, "m", "g"])
    assert sum(model.report_["data"]["repairs"].values()) == 10
    wanted = [tidy if n % 3 == 0 else ["m", "g"][n % 3 - 1] for n in range(60)]
    assert model.predict(TEXTS).tolist() == wanted
    with pytest.warns(LabelWarning):
        assert model.score(TEXTS, y) == 1.0
    with pytest.warns(LabelWarning):
        model.learn(NEW, [f" {label}" for label in wanted[:3]])
    with pytest.warns(LabelWarning):
        model.forget(NEW, [f"{label} " for label in wanted[:3]])
    again = TextClassifier("multinomial").fit(TEXTS, wanted)
    assert (again.decision_function(TEXTS) == model.decision_function(TEXTS)).all()


@pytest.mark.parametrize("nothing", [None, NAN, np.float64("nan"), np.datetime64("NaT"), NAType(), "", " \t"])
def test_a_missing_label_among_single_labels_is_an_error_that_names_the_row(nothing: Any) -> None:
    for last in (["a", "b"], [1, 2]):
        y = [*last * 8, nothing, last[0]]
        for form in (y, tuple(y), Column(y)):
            with pytest.raises(
                InputError, match=r"y\[16\]: the label is missing \(.*\); leave the row out, or give lists"
            ):
                TextClassifier("multinomial").fit(TEXTS[:18], form)


def test_missing_numbers_and_masked_ones_are_missing_labels() -> None:
    for y in (np.array([1, 2, NAN]), np.ma.array([1, 2, 3], mask=[0, 0, 1]), [1.0, 2.0, NAN]):
        with pytest.raises(InputError, match=r"y\[2\]: the label is missing"):
            read_labels(y)


def test_missing_labels_in_lists_are_left_out_and_told() -> None:
    y = [["g"], ["m", None], ["s", NAN, ""]] * 19 + [["g"], [], None]
    with pytest.warns(LabelWarning, match=r"missing label left out \(38 times; first y\[1\]: None\); empty label"):
        model = TextClassifier("multinomial").fit(TEXTS, y)
    assert model.classes_.tolist() == ["g", "m", "s"]
    assert model.report_["data"]["repairs"] == {"missing label left out": 38, "empty label left out": 19}


def test_lists_missing_rows_and_single_labels_may_stand_side_by_side() -> None:
    given = read_labels(Column([["a", "b"], "a", None, np.array(["b"], dtype=object), {"a"}, []]))
    assert (given.kind, given.sets) == ("lists", [["a", "b"], ["a"], [], ["b"], ["a"], []])


def test_numbers_among_strings_become_text_and_are_told_with_the_row() -> None:
    y = [["1", 1, 1.0][n // 3 % 3] if n % 3 == 0 else ["m", "g"][n % 3 - 1] for n in range(60)]
    with pytest.warns(LabelWarning, match=r"taken as text \(13 times; first y\[3\]: 1 is '1'\)"):
        model = TextClassifier("multinomial").fit(TEXTS, y)
    assert model.classes_.tolist() == ["1", "g", "m"]
    assert model.predict(TEXTS[:3]).tolist() == ["1", "m", "g"]


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        ([10, 9, 100], "i"),
        (np.array([10, 9, 100], dtype=np.int16), "i"),
        (np.array([10, 9, 100], dtype=object), "i"),
        (Column([10, 9, 100]), "i"),
        ([10.0, 9.0, 100.0], "f"),
        (np.array([10, 9, 100], dtype=np.float32), "f"),
    ],
)
def test_numbers_keep_their_type(y: Any, kind: str) -> None:
    given = read_labels(y)
    assert (given.classes.dtype.kind, given.classes.tolist(), given.names) == (kind, [9, 10, 100], ["0", "1", "2"])
    assert given.sets == [["1"], ["0"], ["2"]]


def test_truth_values_are_labels() -> None:
    for y in (np.array([True, False]), [True, False], [np.True_, np.False_], np.array([True, False], dtype=object)):
        assert read_labels(y).classes.tolist() == [False, True]
    model = TextClassifier("multinomial").fit(TEXTS, [n % 3 == 0 for n in range(60)])
    assert model.predict(TEXTS[:2]).tolist() == [True, False]


def test_lists_of_numbers_are_labels_that_keep_their_type() -> None:
    y: list[list[int]] = [[10], [9, 100], [2]] * 20
    model = TextClassifier("multinomial").fit(TEXTS, y)
    assert model.classes_.tolist() == [2, 9, 10, 100]
    assert model.predict(TEXTS[:3]) == [[10], [9, 100], [2]]
    assert model.explain(TEXTS[0])[0].label == "10"
    model.learn(NEW, y[:3])
    assert model.score([*TEXTS, *NEW], [*y, *y[:3]]) == 1.0


def test_a_label_is_known_by_its_text_when_documents_are_learned_later(tmp_path: Path) -> None:
    numbers = TextClassifier("multinomial").fit(TEXTS, [1, 2, 3] * 20)
    names = TextClassifier("multinomial").fit(TEXTS, ["1", "2", "3"] * 20)
    corpus = rb.Corpus.from_texts(NEW, ["1", "2", "3"])
    assert numbers.learn(corpus).score(corpus) == 1.0
    assert names.learn(NEW, [1, 2, 3.0]).score(NEW, [1, 2, 3]) == 1.0
    with pytest.raises(InvalidSetting, match=r"new labels \(4\)"):
        numbers.learn(["wheat"], ["4"])


def test_what_is_no_label_is_refused_with_its_row() -> None:
    for y, found in (
        ([1.5, 2.0], r"y\[0\]: found the number 1.5, which is not whole"),
        (np.array([1.0, np.inf]), r"y\[1\]: found the number inf"),
        (["a", b"b"], r"y\[1\]: found b'b'; a label is a string or a whole number"),
        (["a", "\ud800"], r"y\[1\]: the label .* holds half a surrogate pair"),
        ([["a"], [{}]], r"y\[1\]: found \{\}"),
        (np.array([[0, 1], [2, 0]]), r"y\[1, 0\]: found 2; a table of labels holds 0 and 1"),
        (sparse.csr_array([[0, 1.0], [NAN, 0]]), r"y\[1, 0\]: found nan"),
    ):
        with pytest.raises(InputError, match=found):
            read_labels(y)
    with pytest.raises(InvalidSetting, match="single string"):
        read_labels("abc")


def test_a_zero_that_is_stored_is_no_label() -> None:
    table = sparse.csr_array((np.array([1, 0]), (np.array([0, 1]), np.array([0, 1]))), shape=(2, 2))
    assert read_labels(table).sets == [["0"], []]


def test_labels_that_end_in_nul_stay_apart() -> None:
    assert read_labels(["s", "s\0"]).classes.tolist() == ["s", "s\0"]
    assert read_labels([["s"], ["s\0"]]).classes.tolist() == ["s", "s\0"]


def test_rows_of_0_and_1_are_a_table() -> None:
    assert read_labels([[0, 1], [1, 0]]).kind == "indicator"
    assert read_labels([[0, 1], [1]]).kind == "lists"


def test_tidy_labels_are_learned_without_a_word() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = TextClassifier("multinomial").fit(TEXTS, [["s", "s"], ["m"], []] * 20)
    assert model.report_["data"]["repairs"] == {"label given twice to one document": 20}


# counts, corpora and files


def test_counts_follow_the_rule_for_labels_and_tell_it() -> None:
    nfd = unicodedata.normalize("NFD", CAFE)
    with pytest.warns(LabelWarning, match=r"white space around a label removed \(1 time; first labels\[1\]: ' a'\)"):
        counts = rb.count(["x", "y", "z", "w"], labels=["a", " a", NAN, None])
    assert (counts.labels, counts.documents.tolist()) == (["a"], [2, 4])
    with pytest.warns(LabelWarning, match="NFC"):
        assert rb.count(["x"], labels=[nfd]).labels == [CAFE]
    with pytest.raises(InputError, match=r"labels\[1\]: found 7; use a string"):
        rb.count(["x", "y"], labels=["a", 7])
    corpus = rb.Corpus.from_texts(["x", "y"], Column(["a ", NAN]))
    assert corpus.labels == [["a"], []]
    assert corpus.tally.first_repairs == {
        "white space around a label removed": "labels[0]: 'a '",
        "missing label left out": "labels[1]: nan",
    }


def test_a_file_with_untidy_labels_gives_the_model_of_tidy_ones_and_tells_where(tmp_path: Path) -> None:
    names = ["g", "m", "s"] * 20
    tables = {"tidy.csv": names, "untidy.csv": untidy(names)}
    for name, labels in tables.items():
        rows = "".join(f'"{label}",{text}\n' for label, text in zip(labels, TEXTS, strict=True))
        (tmp_path / name).write_text(f"label,text\n{rows}")
    fitted = [TextClassifier("multinomial").fit(rb.read(tmp_path / name)) for name in tables]
    with pytest.warns(LabelWarning):
        fitted.append(TextClassifier("multinomial").fit(TEXTS, untidy(names)))
    assert len({model.report_["data"]["fingerprint"] for model in fitted}) == 1
    assert fitted[1].report_["data"]["repairs"] == {"white space around a label removed": 30}
    said = CliRunner().invoke(program, ["info", str(tmp_path / "untidy.csv")])
    assert "repaired 30: white space around a label removed (first" in said.stderr
    assert "untidy.csv line 2: ' g')" in said.stderr


def test_the_columns_of_a_data_frame_name_the_labels() -> None:
    table = [[1, 0, 0], [0, 1, 1], [0, 0, 0]] * 20
    frame = Frame(["wheat", " money", "banks"], table)
    with pytest.warns(LabelWarning, match=r"first y.columns\[1\]: ' money'"):
        model = TextClassifier("multinomial").fit(TEXTS, frame)
    assert model.classes_.tolist() == ["wheat", "money", "banks"]
    assert model.predict(TEXTS[:3]).tolist() == table[:3]
    assert {reason.label for reason in model.explain(TEXTS[1])} == {"money", "banks"}
    turned = Frame(["banks", "wheat", "money"], np.array(table)[:, [2, 0, 1]])
    assert model.score(TEXTS, turned) == model.score(TEXTS, np.array(table)) == 1.0
    few = Frame(turned.columns, turned.to_numpy()[:3])
    model.learn(NEW, few).learn(["wheat flour", "money box", "nothing"], [["wheat"], ["banks", "money"], []])
    assert model.score(TEXTS, turned) == 1.0
    bare = TextClassifier("multinomial").fit(TEXTS, np.array(table))
    numbered = TextClassifier("multinomial").fit(TEXTS, Frame([0, 1, 2], table))
    assert (bare.decision_function(TEXTS) == numbered.decision_function(TEXTS)).all()


def test_a_data_frame_that_holds_other_things_is_refused() -> None:
    for frame, found in (
        (Frame(["a", "b"], [[0, 1], [2, 0]]), r"y\[1, 0\]: found 2"),
        (Frame(["a", "b"], np.array([[0, 1], ["x", 0]], dtype=object)), "y, row 1, column 'a': found 'x'"),
        (Frame(["a", "a "], [[0, 1], [1, 0]]), "more than one column is the label 'a'"),
        (Frame(["a", None], [[0, 1], [1, 0]]), r"y.columns\[1\]: the label is missing"),
    ):
        with pytest.raises(InputError, match=found):
            read_labels(frame)
    single = Frame(["label"], np.array([["a"], ["b"]], dtype=object))
    assert read_labels(single).sets == [["a"], ["b"]]
    objects = Frame(["a", "b"], np.array([[True, 0], [0, 1.0]], dtype=object))
    assert read_labels(objects).sets == [["0"], ["1"]]


def test_pandas_columns_and_frames_are_taken(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    names = ["g", "m", "s"] * 20
    odd_rows = list(range(100, 160))
    for y in (pd.Series(names, index=odd_rows), pd.Categorical(names), pd.Series(names, dtype="category")):
        model = TextClassifier("multinomial").fit(pd.Series(TEXTS, index=odd_rows), y)
        assert model.predict(TEXTS[:3]).tolist() == names[:3]
        model.save(tmp_path / "model")
        assert rb.load(tmp_path / "model").predict(TEXTS[:3]).tolist() == names[:3]
    for missing in (pd.Series([*names[:-1], None]), pd.Series([1, 2, 3] * 19 + [1, 2, None], dtype="Int64")):
        with pytest.raises(InputError, match=r"y\[59\]: the label is missing"):
            TextClassifier("multinomial").fit(TEXTS, missing)
    numbers = TextClassifier("multinomial").fit(TEXTS, pd.Series([1, 2, 3] * 20, dtype="Int64"))
    assert numbers.classes_.tolist() == [1, 2, 3]
    assert read_labels(pd.Series([["a"], None, ["a", "b"]])).sets == [["a"], [], ["a", "b"]]
    frame = pd.DataFrame({"x": [1, 0, 0] * 20, "b": [0, 1, 1] * 20})
    for form in (frame, frame.astype(bool), frame.astype("Int64")):
        own = TextClassifier("multinomial").fit(TEXTS, form)
        assert (own.classes_.tolist(), own.predict(TEXTS[:2]).tolist()) == (["x", "b"], [[1, 0], [0, 1]])
    assert cross_val_score(TextClassifier("multinomial"), TEXTS, frame, cv=3).tolist() == [1.0] * 3
    counts = rb.count(TEXTS, labels=pd.Series(names, index=odd_rows))
    assert counts.labels == ["g", "m", "s"]
