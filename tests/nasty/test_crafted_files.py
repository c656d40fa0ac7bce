"""Files whose checksums are right and whose numbers are not: refused with a sentence, before a compiled loop follows them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from commands import code_of
from crafted_files import Arrays, changed_arrays
from forks import Done, Forks
from rubricate.errors import DamagedFile
from rubricate.relevance.routing import BackgroundCollection, JudgedDocument, Settings, Topics
from rubricate.relevance.routing.query import terms_of
from rubricate.storage import container
from rubricate.storage.container import read_arrays, write_arrays
from rubricate.storage.manifest import FILLED_IN

DOCUMENTS = [
    ("wheat corn wheat harvest zebra", ["grain"]),
    ("corn rye corn corn an-extraordinarily-long-word", ["grain", "crop"]),
    ("bank loan bank interest", ["money"]),
    ("loan rate rate rate loan café", ["money", "rate"]),
    ("nothing of the kind", []),
    ("wheat loan", ["grain", "money"]),
]


def counted(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """The arrays and the manifest of a file of counts."""
    rb.count([text for text, _ in DOCUMENTS], labels=[labels for _, labels in DOCUMENTS]).save(path)
    return read_arrays(path, kind="counts", version=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("crafted")


@pytest.fixture(scope="module")
def good(folder: Path) -> Path:
    counted(folder / "good.counts")
    return folder / "good.counts"


def is_refused(done: Done) -> bool:
    """Whether a command ended with 65 and a sentence."""
    return done.code == 65 and done.said.startswith("rubricate: ") and "Traceback" not in done.said


# -- counts


def cancelling(arrays: Arrays, name: str) -> Arrays:
    """Sizes of strings whose sum is right, although none is."""
    sizes = arrays[name].copy()
    sizes[0] += 1 << 40
    sizes[1] -= 1 << 40
    return arrays | {name: sizes}


def swapped(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The first and the last the other way round."""
    other = array.copy()
    other[[0, -1]] = array[[-1, 0]]
    return other


def attacks_on_counts(arrays: Arrays) -> dict[str, Arrays]:
    """What was met."""
    cells = arrays["cells"]
    below = cells.copy()
    below[0] = -(1 << 40)
    return {
        "sizes of terms that cancel": cancelling(arrays, "term_sizes"),
        "sizes of labels that cancel": cancelling(arrays, "label_sizes"),
        "times shorter than cells": arrays | {"times": arrays["times"][:2]},
        "numbers shorter than cells": arrays | {"numbers": arrays["numbers"][:2]},
        "times that are not there": arrays | {"times": arrays["times"][:0], "cells": np.tile(cells, 5000)},
        "a cell below 0": arrays | {"cells": below},
        "all cells below 0": arrays | {"cells": -cells - 1},
        "cells not sorted": arrays | {"cells": swapped(cells)},
        "cells of rows that no label has": arrays | {"cells": cells + (np.int64(1) << 40)},
        "cells of columns that no term has": arrays | {"cells": cells | 0xFFFFFF},
        "a cell twice": arrays | {"cells": np.full_like(cells, cells[0])},
        "lengths of rows that no label has": arrays | {"length_cells": arrays["length_cells"] + (np.int64(1) << 50)},
        "lengths not sorted": arrays | {"length_cells": swapped(arrays["length_cells"])},
        "more documents of a label than of everything": arrays | {"documents": swapped(arrays["documents"]) + 100},
        "two terms of one name": arrays | twice(arrays, "term"),
        "two labels of one name": arrays | twice(arrays, "label"),
    }


def twice(arrays: Arrays, what: str) -> Arrays:
    """The first name again in place of the second."""
    sizes, data = arrays[f"{what}_sizes"].copy(), arrays[f"{what}_bytes"]
    first = data[: sizes[0]]
    rest = data[sizes[:2].sum() :]
    sizes[1] = sizes[0]
    return {f"{what}_sizes": sizes, f"{what}_bytes": np.concatenate([first, first, rest])}


def commands_on(path: Path, good: Path, out: Path) -> list[list[Any]]:
    """What is done with files of counts."""
    return [
        ["merge", path, good, "-o", out],
        ["merge", good, path, "-o", out],
        ["merge", good, "--minus", path, "-o", out],
        ["terms", path],
        ["topic", "collection", path, "--topics", out.parent / "of_counts"],
    ]


def all_refused(forks: Forks, crafted: dict[str, Path], commands: Any, folder: Path, warm: list[list[Any]]) -> None:
    """Every command on every file ends with 65 and a sentence that names the file; nothing is written."""
    rows = [(how, path, command) for how, path in crafted.items() for command in commands(path)]
    answers = forks.in_turn([row[2] for row in rows], folder, warm=warm)
    accepted = [
        (how, done.command[0], done.code, done.said[-300:])
        for (how, path, _), done in zip(rows, answers, strict=True)
        if not is_refused(done) or str(path) not in done.said
    ]
    assert not accepted, f"{len(accepted)} of {len(rows)}: {accepted}"


def test_counts_that_were_met_as_attacks_are_refused_by_every_command(forks: Forks, folder: Path, good: Path) -> None:
    arrays, manifest = read_arrays(good, kind="counts", version=1)
    crafted = {}
    for n, (how, other) in enumerate(attacks_on_counts(arrays).items()):
        crafted[how] = folder / f"attack{n}.counts"
        write_arrays(crafted[how], other, manifest, kind="counts", version=1)
    out = folder / "merged.counts"
    warm = [["merge", good, good, "-o", folder / "warm.counts"], ["terms", good]]
    all_refused(forks, crafted, lambda path: commands_on(path, good, out), folder, warm)
    assert not out.exists()


def test_counts_with_any_array_made_wrong_are_refused(forks: Forks, folder: Path, good: Path) -> None:
    arrays, manifest = read_arrays(good, kind="counts", version=1)
    crafted = {}
    for n, (how, other) in enumerate(changed_arrays(arrays)):
        crafted[how] = folder / f"wrong{n}.counts"
        write_arrays(crafted[how], other, manifest, kind="counts", version=1)
    assert len(crafted) > 150
    out = folder / "merged.counts"
    warm = [["merge", good, good, "-o", folder / "warm.counts"]]
    all_refused(forks, crafted, lambda path: commands_on(path, good, out)[:1], folder, warm)
    assert not out.exists()


MANIFESTS: dict[str, Any] = {
    "a list": [],
    "nothing": None,
    "no recipe": {"fingerprint": ""},
    "no fingerprint": {"recipe": None},
    "a recipe that is a list": {"recipe": [1], "fingerprint": ""},
    "a recipe of unknown settings": {"recipe": {"power": 9}, "fingerprint": ""},
    "a recipe of wrong settings": {"recipe": {"pairs": "x", "lower": 3}, "fingerprint": ""},
    "settings of wrong types": {"recipe": {"stop": {"a": 1}}, "fingerprint": ""},
}


def test_counts_with_a_manifest_of_another_form_are_refused(forks: Forks, folder: Path, good: Path) -> None:
    arrays, _ = read_arrays(good, kind="counts", version=1)
    crafted = {}
    for n, (how, manifest) in enumerate(MANIFESTS.items()):
        crafted[how] = folder / f"manifest{n}.counts"
        write_arrays(crafted[how], arrays, manifest, kind="counts", version=1)
    all_refused(forks, crafted, lambda path: [["terms", path]], folder, [["terms", good]])


def test_counts_of_weights_are_still_loaded(folder: Path) -> None:
    draw = np.random.default_rng(0)
    model = rb.models.Multinomial().fit(draw.random((20, 7)), np.arange(20) % 3)
    model.counts_.save(folder / "weights.counts")
    assert rb.Counts.load(folder / "weights.counts").digest == model.counts_.digest


# -- collections of topics


def attacks_on_collections(arrays: Arrays) -> dict[str, Arrays]:
    """What was met, and its neighbours."""
    n = len(arrays["ends"]) - 1
    far = arrays["ends"].copy()
    far[1:-1] = 40_000_000
    back = arrays["ends"].copy()
    back[2] = -(1 << 30)
    return {
        "a term that goes 39 MB past the others": arrays | {"ends": far},
        "a term that begins before the others": arrays | {"ends": back},
        "terms that end after their bytes": arrays | {"ends": arrays["ends"] * 1000},
        "fewer frequencies than terms": arrays | {"documents_with": arrays["documents_with"][:1]},
        "a term in more documents than there are": arrays | {"documents_with": arrays["documents_with"] + 100},
        "bytes that are no text": arrays | {"terms": np.full_like(arrays["terms"], 0xFF)},
        "one term again and again": arrays
        | {"terms": np.tile(np.frombuffer(b"wheat", np.uint8), n), "ends": 5 * np.arange(n + 1)},
    }


@pytest.fixture(scope="module")
def topics(folder: Path, good: Path) -> Path:
    """A folder with a topic, judgements, a collection and a pile."""
    own = Topics.make(folder / "topics")
    own.new("grain", "wheat and corn")
    (folder / "pile.jsonl").write_text(
        "".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, (text, _) in enumerate(DOCUMENTS))
    )
    (folder / "labelled.jsonl").write_text(
        "".join(json.dumps({"text": text, "labels": labels}) + "\n" for text, labels in DOCUMENTS)
    )
    return own.path


def collections(folder: Path, topics: Path) -> Iterator[tuple[Path, Arrays, dict[str, Any]]]:
    """Copies of the folder of topics, and what their collections hold."""
    own = Topics.open(topics)
    counts = rb.count([text for text, _ in DOCUMENTS], own.recipe, labels=[labels for _, labels in DOCUMENTS])
    BackgroundCollection.of_counts(counts).save(topics / "collection.rub")
    arrays, manifest = read_arrays(topics / "collection.rub", kind="collection", version=1)
    number = 0
    while True:
        copy = folder / f"copy{number}"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(topics, copy)
        yield copy, arrays, manifest
        number += 1


def rank(topics: Path, folder: Path) -> list[Any]:
    return ["topic", "rank", "grain", folder / "pile.jsonl", "--topics", topics]


def route(topics: Path, folder: Path) -> list[Any]:
    return ["route", folder / "pile.jsonl", "--topics", topics]


def test_collections_that_were_met_as_attacks_are_refused(forks: Forks, folder: Path, topics: Path) -> None:
    copies = collections(folder, topics)
    _, arrays, manifest = next(copies)
    crafted = {}
    for how, other in attacks_on_collections(arrays).items():
        copy, _, _ = next(copies)
        crafted[how] = copy / "collection.rub"
        write_arrays(crafted[how], other, manifest, kind="collection", version=1)
    warm = [rank(topics, folder)]
    all_refused(forks, crafted, lambda path: [rank(path.parent, folder), route(path.parent, folder)], folder, warm)


def test_collections_with_any_array_made_wrong_are_refused(forks: Forks, folder: Path, topics: Path) -> None:
    copies = collections(folder, topics)
    _, arrays, manifest = next(copies)
    wrong = [*changed_arrays(arrays)]
    for name, value in (("documents", -1), ("documents", 2), ("documents", "6"), ("total_length", -1), ("recipe", [1])):
        wrong.append((f"{name} is {value!r}", manifest | {name: value}))  # type: ignore[arg-type]
    crafted = {}
    for how, other in wrong:
        copy, _, _ = next(copies)
        crafted[how] = copy / "collection.rub"
        both = (other, manifest) if "ends" in other or "terms" in other else (arrays, other)
        write_arrays(crafted[how], *both, kind="collection", version=1)
    assert len(crafted) > 45
    all_refused(forks, crafted, lambda path: [rank(path.parent, folder)], folder, [rank(topics, folder)])


def test_loading_crafted_files_in_python_raises_damaged_file(folder: Path, good: Path, topics: Path) -> None:
    arrays, manifest = read_arrays(good, kind="counts", version=1)
    write_arrays(folder / "a.counts", cancelling(arrays, "term_sizes"), manifest, kind="counts", version=1)
    with pytest.raises(DamagedFile, match=r"a\.counts: .*strings do not end where their bytes end"):
        rb.Counts.load(folder / "a.counts")
    write_arrays(folder / "b.counts", {**arrays, "more": arrays["cells"]}, manifest, kind="counts", version=1)
    with pytest.raises(DamagedFile, match=r"b\.counts: .*more"):
        rb.Counts.load(folder / "b.counts")


# -- small files of JSON: topics, judgements, queries, proposals; and answers of `predict`

ODD: tuple[Any, ...] = (None, True, -3, 2**62, 1e300, "", "x", [], ["x"], {}, {"x": [1, 2]})


def is_used_or_refused(done: Done) -> bool:
    """Whether a command did its work, or said in a sentence why it did not. A setting may be a wrong choice (2)."""
    return done.code == 0 or (
        done.code in (2, 65) and done.said.startswith("rubricate: ") and "Traceback" not in done.said
    )


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in JSON; of long lists and of many terms the first alone."""
    if path:
        yield path
    inside: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        inside = list(value.items())[: 3 if path else 12] if isinstance(value, dict) else list(enumerate(value))[:1]
    for key, part in inside:
        yield from places_in(part, (*path, key))


def with_other(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """JSON with something else in one place; without it where that is `places_in` itself."""
    copy = json.loads(json.dumps(value))
    inside = copy
    for key in path[:-1]:
        inside = inside[key]
    if other is places_in:
        del inside[path[-1]]
    else:
        inside[path[-1]] = other
    return copy


def changed_lines(text: str) -> Iterator[tuple[str, str]]:
    """A file of JSON, or of JSON Lines, with one thing in its first line, or the line itself, made odd."""
    indented = text.startswith("{\n")
    first, rest = (text, "") if indented else text.split("\n", 1)
    held = json.loads(first)
    for path in places_in(held):
        for other in (*ODD, places_in):
            told = "missing" if other is places_in else repr(other)
            yield f"{path}: {told}", json.dumps(with_other(held, path, other)) + "\n" + rest
    for line in ("[]", "7", '"x"', "null", "{}", "{", "\0", '{"holds": 7}', '{"holds": [[1]]}', "[" * 5000):
        yield line[:20], f"{line}\n{rest}"


@pytest.fixture(scope="module")
def followed(folder: Path, topics: Path) -> Path:
    """A folder of topics in which all has been done: judged, ranked, routed, screened."""
    next(collections(folder, topics))
    copy = folder / "followed"
    shutil.copytree(topics, copy)
    own = Topics.open(copy)
    own.new("money", "bank loan", Settings(learner="eg", draws=50, goal="recall=0.9"))
    for name, relevant in (("grain", (0, 1, 5)), ("money", (2, 3, 5))):
        own.topic(name).judge(
            [
                JudgedDocument(str(n), n in relevant, terms_of(text, own.recipe))
                for n, (text, _) in enumerate(DOCUMENTS[:5])
            ]
        )
        assert code_of("screen", folder / "pile.jsonl", "--topic", name, "--topics", copy, "--json") == 0
    assert code_of("route", folder / "pile.jsonl", "--topics", copy) == 0
    return copy


def screen(topics: Path, folder: Path, name: str) -> list[Any]:
    return ["screen", folder / "pile.jsonl", "--topic", name, "--topics", topics, "--json"]


COMMANDS = {
    "topics.json": lambda topics, folder: [rank(topics, folder)],
    "grain/topic.json": lambda topics, folder: [rank(topics, folder), ["topic", "list", "--topics", topics]],
    "money/topic.json": lambda topics, folder: [route(topics, folder)],
    "grain/judged/*.jsonl": lambda topics, folder: [screen(topics, folder, "grain")],
    "money/query.json": lambda topics, folder: [route(topics, folder)],
    "grain/proposed/*.json": lambda topics, folder: [screen(topics, folder, "grain")],
}


@pytest.mark.parametrize("pattern", COMMANDS)
def test_files_of_topics_with_anything_made_odd_are_used_or_refused_with_a_sentence(
    forks: Forks, pattern: str, folder: Path, followed: Path
) -> None:
    (path,) = followed.glob(pattern)
    rows = []
    for number, (how, text) in enumerate(changed_lines(path.read_text())):
        copy = folder / f"odd{number}"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(followed, copy)
        (copy / path.relative_to(followed)).write_text(text)
        rows += [(how, command) for command in COMMANDS[pattern](copy, folder)]
    warm = [screen(followed, folder, "grain"), route(followed, folder), rank(followed, folder)]
    answers = forks.in_turn([command for _, command in rows], folder, warm=warm)
    assert len(rows) > 40
    wrong = [
        (how, done.command[:2], done.code, done.said[-300:])
        for (how, _), done in zip(rows, answers, strict=True)
        if not is_used_or_refused(done)
    ]
    assert not wrong, f"{len(wrong)} of {len(rows)}: {wrong}"


def test_answers_with_anything_made_odd_are_used_or_refused_with_a_sentence(
    forks: Forks, folder: Path, topics: Path
) -> None:
    labelled, good = folder / "labelled.jsonl", folder / "answers.jsonl"
    rows = [{"id": f"row-{n + 1}", "labels": labels, "probabilities": {"grain": 0.5, "money": 0.25}}
            for n, (_, labels) in enumerate(DOCUMENTS)]  # fmt: skip
    good.write_text("".join(json.dumps(row) + "\n" for row in rows))
    crafted = {}
    for number, (how, text) in enumerate(changed_lines(good.read_text())):
        crafted[how] = folder / f"answers{number}.jsonl"
        crafted[how].write_text(text)
    for number, text in enumerate(
        ("id\tlabels\tprobabilities\nrow-1\tgrain\tnan\n", "__label__grain nan\n", "__label__grain 9e999\n")
    ):
        crafted[text] = folder / f"forms{number}"
        crafted[text].write_text(text)
    shutil.copy(good, folder / "others.jsonl")
    warm = [["compare", good, folder / "others.jsonl", labelled, "--draws", "5"]]
    commands = [["compare", good, path, labelled, "--draws", "5"] for path in crafted.values()]
    wrong = [
        (how, done.code, done.said[-300:])
        for how, done in zip(crafted, forks.in_turn(commands, folder, warm=warm), strict=True)
        if not is_used_or_refused(done)
    ]
    assert not wrong, f"{len(wrong)} of {len(crafted)}: {wrong}"


# -- whole models

TEXTS = [
    f"{subject} number{n % 7} {['late', 'paid'][n % 2]}" for n in range(30) for subject in ("wheat corn", "bank loan")
]
SETTINGS: dict[str, dict[str, Any]] = {
    "counts": {"model": "multinomial", "calibrate": "isotonic"},
    "weights": {"model": "support_vector", "calibrate": "sigmoid"},
    "neighbours": {"model": "nearest_neighbours"},
    "density": {"model": "multinomial", "decide": "density"},
}
EACH = 9  # of the ways to make an array wrong, every ninth is tried: the others are of the same kinds


@pytest.mark.parametrize("settings", SETTINGS)
def test_models_with_any_array_made_wrong_end_no_process(forks: Forks, settings: str, folder: Path) -> None:
    labels = [[label, "all"] if n % 4 == 0 else [label] for n, label in enumerate(["grain", "money"] * 30)]
    whole = folder / f"{settings}.rub"
    rb.TextClassifier(**SETTINGS[settings], jobs=1).fit(TEXTS, labels).save(whole)
    inside = container.read(whole)
    manifest = {name: value for name, value in inside.manifest.items() if name not in FILLED_IN}
    fixed = {name: array for name, array in inside.arrays.items() if array.dtype == bool or not array.size}
    others = {name: np.array(array) for name, array in inside.arrays.items() if name not in fixed}
    new = folder / "new.jsonl"
    new.write_text(
        '{"id": "1", "text": "wheat corn late", "labels": ["grain"]}\n{"id": "2", "text": "", "labels": []}\n'
    )
    crafted = {}
    for how, arrays in list(changed_arrays(others))[::EACH]:
        crafted[how] = folder / f"{settings}{len(crafted)}.rub"
        container.write(crafted[how], manifest, {**fixed, **arrays})

    def commands(path: Path) -> list[list[Any]]:
        return [["predict", path, new], ["learn", path, new, "-o", folder / "learned.rub"]]

    rows = [(how, command) for how, path in crafted.items() for command in commands(path)]
    answers = forks.in_turn([command for _, command in rows], folder, warm=commands(whole))
    ended = [(how, done.code, done.said) for (how, _), done in zip(rows, answers, strict=True) if done.code < 0]
    assert not ended
    assert sum(done.code == 65 for done in answers) > len(answers) / 4
