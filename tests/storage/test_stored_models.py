"""Fitted models as arrays and settings: what comes back says the same, bit for bit, and was fitted by nobody."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import NotFittedError

from rubricate import calibration
from rubricate.counts import Counts
from rubricate.counts.one_pass import count, tabulate
from rubricate.decisions.density import DensityEstimation
from rubricate.decisions.thresholds import fit_thresholds
from rubricate.errors import DamagedFile, InvalidSetting, RecipesDiffer, RubricateError
from rubricate.models import MODELS, Bernoulli, Multinomial, PrTFIDF, Rocchio, WidrowHoff
from rubricate.models.classifier import Classifier
from rubricate.models.from_counts.count_model import CountModel
from rubricate.models.from_vectors.vector_model import VectorModel
from rubricate.models.vectors import Weighting
from rubricate.storage import container, registry
from rubricate.storage.registry import HOMES, KINDS, kind_named
from rubricate.storage.trees import decode, encode
from rubricate.terms.recipe import Recipe
from rubricate.training.persistence import arrays_of, model_from
from rubricate.training.text_classifier import TextClassifier, load
from stored_models import CLASSIFIERS, COUNTS, LABELS, UNUSUAL, answers, documents_for, fitted

FIXTURES = sorted((Path(__file__).parents[1] / "fixtures").glob("model_format_*/*.rub"))
CASES = [
    *((name, labels) for name in CLASSIFIERS for labels in ("strings", "indicator", "lists")),
    *(("multinomial", labels) for labels in ("numbers", "booleans", "floats", "objects")),
    *((name, labels) for name in UNUSUAL for labels in ("strings", "indicator")),
]
TEXTS = ["corn and wheat", "oil, oil and gas", "wheat prices", "gas prices up", "corn up", "the price of oil"]
NAMES = ["grain", "fuel", "grain", "fuel", "grain", "fuel"]


def saved(path: Path, model: Any) -> bytes:
    settings, arrays = arrays_of(model)
    container.write(path, {"model": {"name": "x", "settings": settings}}, arrays)
    return path.read_bytes()


def loaded(path: Path, **given: Any) -> Any:
    stored = container.read(path)
    assert stored.manifest["model"] is not None
    return model_from(stored.manifest["model"]["settings"], stored.arrays, **given)


def same(left: Any, right: Any, what: str = "") -> None:
    """The same, bit for bit."""
    assert type(left) is type(right), what
    if isinstance(left, np.ndarray):
        assert (left.dtype, left.shape) == (right.dtype, right.shape), what
        assert left.tolist() == right.tolist() if left.dtype == object else left.tobytes() == right.tobytes(), what
    elif isinstance(left, dict):
        assert left.keys() == right.keys()
        for key in left:
            same(left[key], right[key], f"{what} {key}")
    else:
        assert left == right, what


# -- every model


def test_every_model_of_the_table_can_be_kept() -> None:
    assert all(KINDS[name].cls is row.kind for name, row in MODELS.items())


@pytest.mark.parametrize(("name", "labels"), CASES)
def test_what_comes_back_says_the_same(name: str, labels: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = fitted(name, labels)
    content = saved(tmp_path / "a.rub", model)
    expected = answers(model)
    assert saved(tmp_path / "b.rub", model) == content, "a model that was used gives the same bytes"
    with monkeypatch.context() as patch:
        for cls in (CountModel, VectorModel):
            for method in ("_learn", "_fit", "_labels", "_fit_thresholds"):
                patch.setattr(cls, method, None, raising=False)
        back = loaded(tmp_path / "a.rub")
        assert saved(tmp_path / "b.rub", back) == content, "and so does the one that came back"
    assert type(back) is type(model)
    same(answers(back), expected)
    same(back.classes_, model.classes_)
    assert back.several_labels_ == model.several_labels_
    assert json.dumps(back.get_params(), default=repr) == json.dumps(model.get_params(), default=repr)


@pytest.mark.parametrize("labels", ["strings", "indicator"])
@pytest.mark.parametrize("name", sorted(CLASSIFIERS))
def test_same_data_same_bytes(name: str, labels: str, tmp_path: Path) -> None:
    assert saved(tmp_path / "a.rub", fitted(name, labels)) == saved(tmp_path / "b.rub", fitted(name, labels))


GOES_ON = [name for name in CLASSIFIERS if hasattr(CLASSIFIERS[name], "partial_fit")]


@pytest.mark.parametrize("labels", ["strings", "indicator", "lists"])
@pytest.mark.parametrize("name", [*GOES_ON, "gradient two-sided", "widrow-hoff last", "rocchio open"])
def test_what_comes_back_goes_on_learning_and_forgetting(name: str, labels: str, tmp_path: Path) -> None:
    if name == "rocchio open" and labels == "indicator":
        return  # its start is for three labels
    model = fitted(name, labels)
    content = saved(tmp_path / "a.rub", model)
    back = loaded(tmp_path / "a.rub")
    more, own = documents_for(model)[3:15], LABELS[labels][3:15]
    if name != "widrow-hoff last":
        same(answers(back.partial_fit(more, own)), answers(model.partial_fit(more, own)))
        assert saved(tmp_path / "b.rub", back) == saved(tmp_path / "c.rub", model) != content
    if isinstance(model, CountModel):
        same(answers(back.unlearn(more, own)), answers(fitted(name, labels)))
    assert (tmp_path / "a.rub").read_bytes() == content, "the file is as it was"


def test_the_rest_of_what_models_can_do_needs_no_array_that_can_be_written(tmp_path: Path) -> None:
    for name, labels in (
        ("tfidf", "strings"),
        ("tfidf", "indicator"),
        ("widrow_hoff", "indicator"),
        ("rocchio", "strings"),
    ):
        model = fitted(name, labels)
        saved(tmp_path / "a.rub", model)
        back = loaded(tmp_path / "a.rub")
        X = documents_for(model)
        if name == "tfidf":
            same(back.complement_scores(X), model.complement_scores(X))
            assert back.counts_ == model.counts_
        else:
            assert back.prune(X, below=0.1) == model.prune(X, below=0.1)
            same(back.coef_, model.coef_)
            same(answers(back), answers(model))
    neighbours = fitted("nearest_neighbours", "indicator")
    saved(tmp_path / "a.rub", neighbours)
    same(loaded(tmp_path / "a.rub").left_out_scores(), neighbours.left_out_scores())
    same(loaded(tmp_path / "a.rub").cuts_, neighbours.cuts_)


def test_a_model_may_start_from_another(tmp_path: Path) -> None:
    first = Rocchio().fit(COUNTS, LABELS["strings"])
    model = WidrowHoff(start=first).fit(COUNTS, LABELS["strings"])
    saved(tmp_path / "a.rub", model)
    back = loaded(tmp_path / "a.rub")
    same(answers(back), answers(model))
    same(answers(back.start), answers(first))


def test_one_array_in_two_places_is_kept_once() -> None:
    model = WidrowHoff().fit(COUNTS, LABELS["strings"])
    _, arrays = arrays_of(model)
    tables = [name for name, array in arrays.items() if array.size == 36]
    assert len(tables) == 2, "the last and the mean vectors; the weights are the mean"
    settings, arrays = arrays_of(PrTFIDF().fit(COUNTS, LABELS["strings"]))
    back: Any = model_from(settings, arrays)
    assert back._scorer.prior is back.prior_


@pytest.mark.parametrize("several", [False, True])
def test_counts_with_their_recipe_come_back(several: bool, tmp_path: Path) -> None:
    labels: Any = [[name, "all"] if n % 2 else [name] for n, name in enumerate(NAMES)] if several else NAMES
    counts = count(TEXTS, Recipe(stop=("and",), pairs=True), labels=labels)
    model = Multinomial().fit_counts(counts, several_labels=several)
    saved(tmp_path / "a.rub", model)
    back = loaded(tmp_path / "a.rub")
    assert back.counts_ == counts
    assert back.counts_.terms == counts.terms
    assert back.counts_.recipe == counts.recipe
    selected = Bernoulli().fit_counts(counts.select(["corn", "oil"]), several_labels=several)
    saved(tmp_path / "a.rub", selected)
    assert loaded(tmp_path / "a.rub").counts_ == selected.counts_
    assert loaded(tmp_path / "a.rub").counts_.length_entries is None


def test_a_function_is_never_kept_and_must_be_given_again(tmp_path: Path) -> None:
    recipe = Recipe(function=str.split)
    model = Multinomial().fit_counts(count(TEXTS, recipe, labels=NAMES))
    saved(tmp_path / "a.rub", model)
    with pytest.raises(InvalidSetting, match="functions are never loaded from files"):
        loaded(tmp_path / "a.rub")
    assert loaded(tmp_path / "a.rub", recipe=recipe).counts_ == model.counts_
    with pytest.raises(RecipesDiffer):
        loaded(tmp_path / "a.rub", recipe=Recipe(function=str.splitlines))


def test_labels_that_cannot_be_told_from_others_by_their_looks(tmp_path: Path) -> None:
    odd = ["a", "a ", "A", "é", "e\u0301", "", "日本", "a/b", "\n"]
    for labels in (np.array(odd), np.array(odd, dtype=object), np.array(odd, dtype="<U40")):
        model = Multinomial().fit(np.eye(9, dtype=int), labels)
        saved(tmp_path / "a.rub", model)
        same(loaded(tmp_path / "a.rub").classes_, model.classes_)


# -- what else can be kept


def round_trip(thing: Any, path: Path) -> Any:
    tree, arrays = encode(thing, under="thing")
    container.write(path, {"workbench": {"thing": tree}}, arrays)
    stored = container.read(path)
    return decode(stored.manifest["workbench"]["thing"], stored.arrays, under="thing")


def test_plain_things_come_back_as_they_were(tmp_path: Path) -> None:
    thing: Any = {
        "tuple": (1, 2.5, None, True, "x", float("inf")),
        ("a", 1): [np.float32(1.5), np.int64(-3), np.bool_(False), np.str_("y"), np.uint8(200)],
        3: {"nested": {"array": "not one"}},
        "strings": [str(n) for n in range(200)],
        "table": np.asfortranarray(np.arange(12.0).reshape(3, 4)),
        "cube": np.arange(24).reshape(2, 3, 4)[:, ::2],
        "mixed": np.array([1, "x", None, 2.5], dtype=object),
        "nothing": np.zeros((0, 3)),
        "words": np.array([["a", "bb"], ["", "d"]]),
    }
    back = round_trip(thing, tmp_path / "a.rub")
    same(back, thing)
    assert list(back) == list(thing)
    assert [type(one) for one in back["a", 1]] == [type(one) for one in thing["a", 1]]
    assert back["table"].flags.f_contiguous


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text() | st.integers(-9, 9), inner, max_size=4)
    ),
    max_leaves=15,
)


@given(PLAIN)
def test_any_plain_thing_comes_back(thing: Any) -> None:
    tree, arrays = encode(thing, under="x")
    assert not arrays
    same(decode(json.loads(json.dumps(tree)), arrays, under="x"), thing)


def test_cuts_calibrations_weightings_and_documents_come_back(tmp_path: Path) -> None:
    path, draw = tmp_path / "a.rub", np.random.default_rng(0)
    scores, truth = draw.random((60, 3)), draw.random((60, 3)) < 0.4
    cuts = fit_thresholds(scores, truth, labels=["a", "b", "c"], draws=20)
    assert round_trip(cuts, path).as_dict() == cuts.as_dict()
    for name in calibration.CALIBRATORS:
        own = calibration.choose(scores, truth, candidates=[name])
        back = round_trip(own, path)
        assert back.as_dict() == own.as_dict()
        same(back.predict_proba(scores), own.predict_proba(scores))
    for given_k in ("auto", 3):
        density = DensityEstimation(k=given_k).fit(scores, truth)
        same(round_trip(density, path).predict_proba(scores[:9]), density.predict_proba(scores[:9]))
    table = tabulate(TEXTS, Recipe(), labels=NAMES)
    back = round_trip(table, path)
    assert (back.terms, back.ids, back.labels, back.recipe) == (table.terms, table.ids, table.labels, table.recipe)
    assert back.counts == table.counts
    for form in ("ltc", "bm25", "inquery", "binary"):
        weighting = Weighting.fitted(table.counts, form)
        same(round_trip(weighting, path).of(table.X).toarray(), weighting.of(table.X).toarray())


@pytest.mark.parametrize("model", ["multinomial", "support_vector", "nearest_neighbours", "rocchio"])
def test_all_that_a_text_classifier_holds_comes_back(model: str, tmp_path: Path) -> None:
    whole = TextClassifier(CLASSIFIERS[model](), folds=2).fit(TEXTS * 3, NAMES * 3)
    whole.save(tmp_path / "a.rub")
    other = load(tmp_path / "a.rub")
    assert {**other.get_params(), "model": None} == {**whole.get_params(), "model": None}
    assert other.report_ == whole.report_
    again = tmp_path / "b.rub"
    other.save(again)
    assert again.read_bytes() == (tmp_path / "a.rub").read_bytes()
    same(other.predict_proba(TEXTS), whole.predict_proba(TEXTS))
    assert other.explain("corn and oil") == whole.explain("corn and oil")
    other.learn(["corn and wheat"], ["grain"])
    whole.learn(["corn and wheat"], ["grain"])
    same(other.decision_function(TEXTS), whole.decision_function(TEXTS))
    other.forget(TEXTS[:2], NAMES[:2])
    whole.forget(TEXTS[:2], NAMES[:2])
    same(other.predict(TEXTS), whole.predict(TEXTS))
    round_trip(vars(other)["model_"], tmp_path / "a.rub")


def test_a_hundred_thousand_labels_fit_into_the_manifest(tmp_path: Path) -> None:
    n = 100_000
    counts = Counts.from_matrix(
        sparse.csr_array((np.ones(n, int), (np.arange(n), np.arange(n) % 50)), shape=(n, 50)), np.arange(n)
    )
    model = Multinomial().fit_counts(counts)
    assert len(saved(tmp_path / "a.rub", model)) > 2**20
    same(loaded(tmp_path / "a.rub").classes_, model.classes_)
    assert len(json.dumps(arrays_of(model)[0])) < 10_000


# -- what cannot be kept


class Own(Multinomial):
    """Somebody's own class."""


@pytest.mark.parametrize(
    ("model", "word"),
    [
        (Own().fit(COUNTS, LABELS["strings"]), "Own cannot be kept"),
        ("model", "str is no classifier"),
        (Multinomial, "type is no classifier|ABCMeta is no classifier"),
        (DensityEstimation(k=1).fit(np.eye(3), np.eye(3, dtype=int)), "no classifier"),
    ],
)
def test_what_is_not_one_of_ours_is_told(model: Any, word: str) -> None:
    with pytest.raises(InvalidSetting, match=word):
        arrays_of(model)


def test_what_was_not_fitted_is_told() -> None:
    with pytest.raises(NotFittedError):
        arrays_of(Multinomial())


@pytest.mark.parametrize(
    ("extra", "word"),
    [
        (len, "model/smoothing"),
        (np.random.default_rng(0), "Generator"),
        (np.zeros(2, dtype=complex), "complex"),
        (np.array(["2020-01-01"], dtype="M8[D]"), "datetime"),
        ({"x": [object()]}, "model/smoothing/0/0"),
        (np.array([object()], dtype=object), "object"),
        ("\ud800", "surrogate"),
        (["\ud800"] * 60, "UTF-8"),
        (1j, "complex"),
        (b"bytes", "bytes"),
        ({1, 2}, "set"),
        (10**30, "64 bits"),
    ],
)
def test_what_is_in_no_table_is_told_with_its_place(extra: Any, word: str, tmp_path: Path) -> None:
    model = Multinomial().fit(COUNTS, LABELS["strings"])
    model.smoothing = extra
    with pytest.raises(InvalidSetting, match=word):
        saved(tmp_path / "a.rub", model)


def attributes_of(model: Any) -> set[str]:
    """What fitting and using a model has left in it, but for what is worked out again when it is needed."""
    getattr(model, "linear_", None)  # of learners that go through documents one by one, written out
    return set(vars(model)) - {"_tables", "_nearby"}


@pytest.mark.parametrize(("name", "labels"), [*CASES, *(("nearest_neighbours", labels) for labels in LABELS)])
def test_every_attribute_of_a_fitted_model_is_stored(name: str, labels: str) -> None:
    model = fitted(name, labels)
    answers(model)
    assert KINDS[arrays_of(model)[0]["kind"]].parts(model).keys() == attributes_of(model)


def test_every_field_of_a_stored_dataclass_is_stored() -> None:
    kinds = [kind_named(name) for name in HOMES]
    left_out = {"memory": {"thresholds"}}  # computed when first needed
    stored = [kind for kind in kinds if kind is not None and is_dataclass(kind.cls) and kind.name != "recipe"]
    assert len(stored) > 30
    for kind in stored:
        nothing = SimpleNamespace(**{field.name: () for field in fields(kind.cls)})
        keys = kind.parts(nothing).keys() - ({"at", "value", "ends", "curve_of"} if "isotonic" in kind.name else set())
        assert {field.name for field in fields(kind.cls)} - left_out.get(kind.name, set()) - {"corners"} == keys, kind


def test_what_nobody_declared_changes_no_file(tmp_path: Path) -> None:
    model = Multinomial().fit(COUNTS, LABELS["strings"])
    content = saved(tmp_path / "a.rub", model)
    model.extra_ = "mine"
    assert saved(tmp_path / "a.rub", model) == content


def test_every_kind_is_registered_by_the_module_that_the_registry_names() -> None:
    program = (
        "import sys; from rubricate.storage.registry import BY_CLASS, HOMES, KINDS, kind_named\n"
        "assert not KINDS and not {'scipy', 'pyarrow', 'numba', 'sklearn'} & sys.modules.keys()\n"
        "assert all(kind_named(name).cls.__module__ == home for name, home in HOMES.items())\n"
        "assert KINDS.keys() == HOMES.keys() and len(BY_CLASS) == len(KINDS)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_kind_of_an_earlier_version_is_read_under_its_present_name(monkeypatch: pytest.MonkeyPatch) -> None:
    settings, arrays = kept_model("multinomial", "strings")
    monkeypatch.setitem(registry.ALIASES, "naive_bayes", "multinomial")
    assert type(model_from(settings | {"kind": "naive_bayes"}, arrays)) is Multinomial


# -- what is put together is checked: digests only find accidents


def kept_model(name: str, labels: str) -> tuple[Any, dict[str, Any]]:
    settings, arrays = arrays_of(fitted(name, labels))
    return json.loads(json.dumps(settings)), {own: array.copy() for own, array in arrays.items()}


def changed(name: str, labels: str, array: str, change: Any) -> None:
    """A model with one array changed is refused."""
    settings, arrays = kept_model(name, labels)
    arrays[array] = change(arrays[array])
    with pytest.raises(DamagedFile):
        model_from(settings, arrays)


def one_more(array: Any) -> Any:
    return np.append(array, array[-1:])


def highest(array: Any) -> Any:
    out = array.copy()
    out[-1] = np.iinfo(array.dtype).max
    return out


def below(array: Any) -> Any:
    out = array.copy()
    out[0] = -2 if array.dtype.kind == "i" else np.iinfo(array.dtype).max
    return out


INDICES = [
    ("multinomial", "strings", "model/_scorer/additive/weights/indices"),
    ("multinomial", "strings", "model/_scorer/additive/weights/indptr"),
    ("bernoulli", "indicator", "model/_scorer/additive/absence/groups"),
    ("stacked_bernoulli", "strings", "model/_scorer/layers/2/weights/indices"),
    ("dcm", "indicator", "model/_scorer/parameters/rest/kinds"),
    ("dcm", "strings", "model/_scorer/parameters/alpha/indices"),
    ("edcm", "indicator", "model/_scorer/parameters/rest/frequencies/1"),
    ("edcm", "indicator", "model/_scorer/parameters/own/documents_with/indices"),
    ("multinomial", "strings", "model/counts_/entries/cells"),
    ("multinomial", "strings", "model/counts_/length_entries/cells"),
    ("multinomial", "strings", "model/counts_/term_array/ends"),
    ("multinomial", "strings", "model/classes_/ends"),
    ("rocchio", "strings", "model/linear_/weights/indices"),
    ("rocchio", "strings", "model/sums_/labels/indptr"),
    ("nearest_neighbours", "strings", "model/memory_/index/parts/0/postings/0"),
    ("nearest_neighbours", "strings", "model/memory_/index/parts/0/postings/1"),
    ("nearest_neighbours", "strings", "model/memory_/index/parts/0/commons/0"),
    ("nearest_neighbours", "strings", "model/memory_/index/parts/0/commons/1"),
    ("nearest_neighbours", "strings", "model/memory_/index/parts/0/slots"),
    ("nearest_neighbours", "strings", "model/memory_/truth/indices"),
]


@pytest.mark.parametrize(("name", "labels", "array"), INDICES)
def test_indices_that_lead_outside_are_refused(name: str, labels: str, array: str) -> None:
    for change in (highest, below, one_more):
        changed(name, labels, array, change)


@pytest.mark.parametrize("labels", ["strings", "indicator"])
@pytest.mark.parametrize("name", sorted(CLASSIFIERS))
def test_every_array_has_its_size_and_its_type(name: str, labels: str) -> None:
    """Whatever a loop could follow: told and counted numbers, and rows that nobody points to, may be as they like."""
    settings, arrays = kept_model(name, labels)
    told = {"iterations", "iterations_", "converged", "converged_", "n_iter_", "losses_", "online_loss_"}
    for own, array in arrays.items():
        if own.split("/")[-1] in told:
            continue
        others = [array[None]]
        if not own.endswith(("/table", "/shared", "/frequencies/0")):
            others.append(np.concatenate([array, array[:1] if array.size else np.ones(1, dtype=array.dtype)]))
        if not own.endswith(("/data", "/classes_")):
            others.append(array.astype(np.float32))
        for other in others:
            with pytest.raises(DamagedFile):
                model_from(settings, arrays | {own: other})


def test_entries_out_of_order_are_refused() -> None:
    for part in ("cells", "values", "documents"):
        changed(
            "multinomial", "strings", f"model/counts_/entries/{part}", lambda array: array[::-1].copy() - array.max()
        )
    changed("multinomial", "strings", "model/counts_/documents", one_more)


def test_labels_and_rests_of_dcm_have_the_same_terms() -> None:
    settings, arrays = kept_model("dcm", "indicator")
    rest = settings["parts"]["_scorer"]["parts"]["parameters"]["parts"]["rest"]["parts"]["alpha"]
    assert rest["csr"][1] == {"array": "model/_scorer/parameters/own/alpha/indices"}
    own = arrays["model/_scorer/parameters/own/alpha/indices"].copy()
    own[:2] = own[1::-1]
    rest["csr"][1] = {"array": "model/other"}
    with pytest.raises(DamagedFile, match="different terms"):
        model_from(settings, arrays | {"model/other": own})


def walked(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in inner:
        yield from walked(value, (*path, key))


STRANGE: list[Any] = [
    {"kind": "os.system", "parts": {"command": "true"}},
    {"kind": ["recipe"], "parts": {}},
    {"kind": "additive", "parts": {}},
    {"kind": "recipe", "parts": {"settings": {"pairs": []}, "fingerprint": "x"}},
    {"kind": "recipe", "parts": {"settings": {"pairs": [["function", "os:system"]]}, "fingerprint": "x"}},
    {"same": "model/nowhere"},
    {"same": ["model"]},
    {"array": "model/nowhere"},
    {"array": ["x"]},
    {"array": "model/classes_/ends", "order": "C"},
    {"array": "model/classes_/ends", "more": 1},
    {"strings": "model/classes_", "type": "<U999999999", "shape": [3]},
    {"strings": "model/classes_", "type": "O8", "shape": [3]},
    {"strings": "model/classes_", "type": "<U5", "shape": [-3]},
    {"strings": "model/classes_", "type": "<U5", "shape": "3"},
    {"strings": "model/classes_", "type": "<U5", "shape": [2**40, 2**40]},
    {"scalar": "O", "value": 1},
    {"scalar": "<f8", "value": "x"},
    {"scalar": "|u1", "value": 300},
    {"scalar": ["<f8"], "value": 1},
    {"objects": 3, "shape": [3]},
    {"csr": [1, 2, 3], "shape": [2, 2]},
    {"csr": [1], "shape": [2, 2]},
    {"tuple": 5},
    {"pairs": [[1]]},
    {"pairs": [[[1], 2]]},
    {"pairs": [[{"array": "model/classes_/ends"}, 2]]},
    {"tuple": [], "pairs": []},
    {},
    (1, 2),
    b"bytes",
]


@pytest.mark.parametrize("strange", STRANGE, ids=lambda strange: str(strange)[:40])
def test_trees_that_are_none_are_refused(strange: Any) -> None:
    settings, arrays = kept_model("multinomial", "strings")
    for place in ("_scorer", "classes_", "smoothing"):
        other = deepcopy(settings)
        other["parts"][place] = strange
        with pytest.raises(RubricateError):
            model_from(other, arrays)
    with pytest.raises(RubricateError):
        model_from(strange, arrays)


def test_nesting_without_end_is_refused() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(DamagedFile, match="deep"):
        decode(deep, {}, under="x")


@pytest.mark.parametrize("name", ["predict", "coef_", "__class__", "_learn", "not a name", "get_params"])
def test_attributes_that_belong_to_the_class_are_refused(name: str) -> None:
    settings, arrays = kept_model("support_vector", "strings")
    settings["parts"][name] = 1
    with pytest.raises(DamagedFile, match="no part of"):
        model_from(settings, arrays)


def test_an_array_that_belongs_to_nothing_is_refused() -> None:
    settings, arrays = kept_model("multinomial", "strings")
    with pytest.raises(DamagedFile, match="belongs to nothing"):
        model_from(settings, arrays | {"model/x": np.zeros(1)})
    assert model_from(settings, arrays | {"other/x": np.zeros(1)}) is not None


def test_settings_that_are_not_a_classifier_are_refused() -> None:
    for thing in (3, None, [1], Recipe()):
        tree, arrays = encode(thing, under="model")
        with pytest.raises(DamagedFile, match="not those of a classifier"):
            model_from(tree, arrays)


def test_a_setting_that_came_later_has_its_default() -> None:
    settings, arrays = kept_model("multinomial", "strings")
    del settings["parts"]["smoothing"]
    assert model_from(settings, arrays).get_params()["smoothing"] == 1.0


def test_numbers_on_which_loops_would_not_end_are_refused() -> None:
    for name, labels, array in (
        ("dcm", "strings", "model/_scorer/parameters/s"),
        ("edcm", "indicator", "model/_scorer/parameters/rest/scale"),
        ("nearest_neighbours", "strings", "model/memory_/index/parts/0/postings/2"),
    ):
        for wrong in (-1e300, np.nan):
            changed(name, labels, array, lambda numbers, wrong=wrong: np.append(numbers[1:], wrong))


def test_no_change_of_a_number_makes_a_loop_run_outside() -> None:
    program = Path(__file__).parents[1] / "support" / "fuzzed_models.py"
    done = subprocess.run([sys.executable, str(program), "0", "10"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    refused, answered = map(int, done.stdout.split())
    assert min(refused, answered) > 50


# -- files of every format


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name[6:]} {path.stem}")
def test_files_of_older_formats_say_what_they_said(path: Path) -> None:
    stored = container.read(path)
    assert stored.manifest["model"] is not None
    model = model_from(stored.manifest["model"]["settings"], stored.arrays)
    assert isinstance(model, Classifier)
    expected = decode(stored.manifest["workbench"]["expected"], stored.arrays, under="expected")
    said = answers(model, expected.pop("X").copy())
    assert said.keys() == expected.keys()
    for name, value in expected.items():
        if value.dtype.kind == "f":
            np.testing.assert_allclose(said[name], value, rtol=1e-9, atol=1e-12)
        else:
            same(said[name], value)


def test_there_is_a_file_of_every_model() -> None:
    names = {path.stem.split(".")[0] for path in FIXTURES}
    assert names >= set(CLASSIFIERS)


def test_the_files_are_those_that_were_written_once() -> None:
    listed = (Path(__file__).parents[1] / "fixtures" / "SHA256SUMS").read_text("utf-8").splitlines()
    sums = dict(reversed(line.split("  ", 1)) for line in listed if "  model_format_" in line)  # others: test_frozen
    assert sums == {
        f"{path.parent.name}/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest() for path in FIXTURES
    }
