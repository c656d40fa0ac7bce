"""The model file: what is written is read, bit for bit; anything else is refused; whatever happens, the old file or the new."""

from __future__ import annotations

import hashlib
import io
import json
import mmap
import os
import pickle
import resource
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hostile_input import Canary, flipped, killed_while_saving, limited, names_in, refused
from rubricate.counts import Counts
from rubricate.errors import DamagedFile, InvalidSetting, MissingData, RubricateError, TooLarge
from rubricate.storage import array_table, container, manifest
from rubricate.storage.manifest import FORMAT

ARRAYS: dict[str, Any] = {
    "b/table": np.arange(6.0).reshape(2, 3),
    "a": np.array([True, False, True]),
    "none": np.zeros((0, 4), dtype=np.int32),
    "one": np.array(3, dtype=np.int16),
    "bytes": np.arange(5, dtype=np.uint8),
    "single": np.array([1.5, np.nan], dtype=np.float32),
}
MANIFEST: dict[str, Any] = {
    "labels": ["earn", "grain"],
    "several_labels": True,
    "model": {"name": "multinomial", "settings": {"smoothing": 1.0}},
    "data": {"fingerprint": "ab", "documents": 3, "rows": 4, "rejected": 1},
    "random_state": 0,
    "workbench": {"lowest": float("-inf"), "missing": float("nan"), "list": [1, 2.5, None, "x"]},
}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "model.rub"
    container.write(path, MANIFEST, ARRAYS)
    return path


def same_arrays(left: dict[str, Any], right: dict[str, Any]) -> None:
    assert left.keys() == right.keys()
    for name, array in left.items():
        assert array.dtype == right[name].dtype
        assert array.shape == right[name].shape
        assert array.tobytes() == right[name].tobytes()


# -- what is written is read


def test_what_is_written_is_read(saved: Path) -> None:
    stored = container.read(saved)
    same_arrays(stored.arrays, ARRAYS)
    assert stored.manifest["format"] == FORMAT
    assert stored.manifest["labels"] == ["earn", "grain"]
    assert stored.manifest["data"]["rejected"] == 1
    assert stored.manifest["model"] == {"name": "multinomial", "settings": {"smoothing": 1.0}}
    found = stored.manifest["workbench"]
    assert found["lowest"] == -np.inf
    assert np.isnan(found["missing"])
    assert found["list"] == [1, 2.5, None, "x"]
    assert type(found["list"][0]) is int


def test_arrays_lie_in_the_file_and_cannot_be_changed(saved: Path) -> None:
    for array in container.read(saved).arrays.values():
        assert not array.flags.writeable
        assert array.flags.aligned
        base = array
        while isinstance(base, np.ndarray) and base.base is not None:
            base = base.base
        assert array.size == 0 or isinstance(base, memoryview | mmap.mmap)


def test_every_type_begins_where_it_may(saved: Path) -> None:
    content = saved.read_bytes()
    assert (container.HEAD + int(content[27:43])) % array_table.LINE == 0
    for array in container.read(saved).arrays.values():
        assert array.size == 0 or array.ctypes.data % array.dtype.itemsize == 0


def test_safetensors_itself_reads_the_arrays(saved: Path) -> None:
    content = saved.read_bytes()
    same_arrays(safetensors.numpy.load(content[container.HEAD + int(content[27:43]) :]), ARRAYS)


def test_same_contents_same_bytes(saved: Path, tmp_path: Path) -> None:
    other = tmp_path / "another name.rub"
    turned = {name: ARRAYS[name] for name in reversed(ARRAYS)}
    digest = container.write(other, {name: MANIFEST[name] for name in reversed(MANIFEST)}, turned)
    assert other.read_bytes() == saved.read_bytes()
    assert digest == container.read(saved).digest
    container.write(other, MANIFEST | {"random_state": 1}, ARRAYS)
    assert container.read(other).digest != digest


def test_the_first_lines_can_be_read_by_people(saved: Path) -> None:
    assert saved.read_bytes().startswith(b"rubricate model 1\nmanifest 0000")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
NUMBERS = st.sampled_from([np.dtype(code) for code in array_table.TYPES.values()])


def equal(left: Any, right: Any) -> bool:
    """Equal, of the same types, nan equal to itself."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, float):
        return (np.isnan(left) and np.isnan(right)) or (left == right and np.signbit(left) == np.signbit(right))
    return bool(left == right)


@given(
    workbench=st.dictionaries(st.text(), JSON, max_size=4),
    arrays=st.dictionaries(
        st.text(), NUMBERS.flatmap(lambda kind: hnp.arrays(kind, hnp.array_shapes(min_side=0))), max_size=4
    ),
)
def test_any_json_and_any_numbers_come_back(workbench: dict[str, Any], arrays: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.rub"
        container.write(path, {"workbench": workbench}, arrays)
        stored = container.read(path)
        assert equal(stored.manifest["workbench"], workbench)
        same_arrays(stored.arrays, arrays)


# -- what cannot be written is told, and the old file stays


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"colour": "red"}, "colour"),
        ({"labels": [1]}, "labels"),
        ({"labels": "earn"}, "labels"),
        ({"several_labels": 1}, "several_labels"),
        ({"data": {"documents": -1}}, "documents"),
        ({"data": {"documents": True}}, "documents"),
        ({"data": {"author": "me"}}, "author"),
        ({"model": {"name": "x"}}, "settings"),
        ({"format": 1}, "format"),
        ({"arrays": {}}, "arrays"),
        ({"workbench": {1: 2}}, "key"),
        ({"workbench": {"$float": "nan"}}, "key"),
        ({"workbench": {"x": {1, 2}}}, "set"),
        ({"workbench": {"x": np.zeros(3)}}, "ndarray"),
        ({"workbench": {"x": print}}, "builtin"),
        ({"workbench": {"x": 2**64}}, "64 bits"),
        ({"workbench": {"x": "\ud800"}}, "surrogate"),
        ({"workbench": {"x": "y" * 17 * 2**20}}, "16,777,216"),
    ],
)
def test_a_manifest_that_is_not_one_is_told_and_not_written(saved: Path, changes: dict[str, Any], word: str) -> None:
    before = saved.read_bytes()
    with pytest.raises(InvalidSetting, match=word):
        container.write(saved, MANIFEST | changes, ARRAYS)
    assert saved.read_bytes() == before
    assert names_in(saved.parent) == ["model.rub"]


def test_nesting_without_end_is_told(saved: Path) -> None:
    deep: list[Any] = []
    deep.append(deep)
    with pytest.raises(InvalidSetting, match="deep"):
        container.write(saved, {"workbench": {"x": deep}}, {})


@pytest.mark.parametrize(
    "array", [np.array(["a"]), np.array([object()]), np.array([1j]), [1.0], np.zeros(2, dtype="f4,i4")]
)
def test_arrays_of_anything_but_numbers_are_refused(saved: Path, array: Any) -> None:
    with pytest.raises(InvalidSetting, match="plain numbers"):
        container.write(saved, {}, {"x": array})
    with pytest.raises(InvalidSetting, match="name of an array"):
        container.write(saved, {}, {"__metadata__": np.zeros(1)})


def test_there_must_be_a_folder(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="no such folder"):
        container.write(tmp_path / "nowhere" / "model.rub", {}, {})


def test_numbers_of_numpy_are_numbers_in_the_manifest(saved: Path) -> None:
    container.write(saved, {"workbench": {"x": [np.float64(0.5), np.int32(2), np.bool_(True)]}}, {})
    assert equal(container.read(saved).manifest["workbench"], {"x": [0.5, 2, True]})


# -- damage


def test_two_thousand_flipped_bits_are_all_refused(saved: Path) -> None:
    draw = np.random.default_rng(0)
    places = np.concatenate([np.arange(8 * container.HEAD), draw.integers(0, 8 * saved.stat().st_size, 2000)])
    for place in flipped(saved, places.tolist()):
        assert refused(container.read, saved), place
    same_arrays(container.read(saved).arrays, ARRAYS)


def test_every_truncation_is_refused_and_so_is_a_tail(saved: Path) -> None:
    content, damaged = saved.read_bytes(), saved.with_name("damaged.rub")
    for size in range(len(content)):
        damaged.write_bytes(content[:size])
        assert refused(container.read, damaged), size
    for tail in (b"\0", b" ", content):
        damaged.write_bytes(content + tail)
        with pytest.raises(DamagedFile, match="longer"):
            container.read(damaged)


def test_what_was_damaged_is_named(saved: Path) -> None:
    content, damaged = saved.read_bytes(), saved.with_name("damaged.rub")
    start = container.HEAD + int(content[27:43])
    for place, word in (
        (30, "head"),
        (container.HEAD + 5, "manifest"),
        (start + 20, "table"),
        (len(content) - 1, "array"),
    ):
        damaged.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(DamagedFile, match=word):
            container.read(damaged)
    damaged.write_bytes(content[:-1])
    with pytest.raises(DamagedFile, match="cut off"):
        container.read(damaged)


def strangers(folder: Path) -> Iterator[bytes]:
    """Files that are no models, some of which would run code."""
    canary = Canary(folder / "canary")
    yield b""
    yield b"\0" * 1000
    yield pickle.dumps(canary)
    yield b"rubricate model 1\n" + pickle.dumps([canary] * 100)
    buffer = io.BytesIO()
    np.save(buffer, np.array([canary] * 50, dtype=object), allow_pickle=True)
    yield buffer.getvalue()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("schema.json", b'{"__class__": "x"}' * 100)
        packed.writestr("data.pkl", pickle.dumps(canary))
    yield buffer.getvalue()
    yield safetensors.numpy.save({"x": np.zeros(100)})
    yield b'{"format": 1}' * 100


def test_a_pickle_called_rub_is_refused_and_not_run(tmp_path: Path) -> None:
    path = tmp_path / "model.rub"
    for content in strangers(tmp_path):
        path.write_bytes(content)
        with pytest.raises(DamagedFile):
            container.read(path)
    assert not (tmp_path / "canary").exists()
    pickle.loads(pickle.dumps(Canary(tmp_path / "canary"))).close()
    assert (tmp_path / "canary").exists(), "the canary can sing"


def test_nothing_in_the_rooms_of_model_files_can_run_code() -> None:
    here = Path(container.__file__).parent
    from_the_table = "import_module(HOMES[name])"  # of modules that the table in the code names, and no file
    for path in (*here.glob("*.py"), *(here.parent / "foundation").glob("*.py")):
        words = path.read_text("utf-8")
        if path.name == "registry.py":
            words = words.replace("from importlib import import_module\n", "", 1).replace(from_the_table, "", 1)
        if path.name == "threads.py":  # asks a module that somebody else has loaded whether this is one of its workers
            words = words.replace('sys.modules.get("joblib.parallel")', "", 1)
        for word in ("pickle", "joblib", "eval(", "exec(", "import_module", "__import__", "marshal", "np.load("):
            assert word not in words, (path, word)


def test_other_files_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "counts.rub"
    Counts.from_matrix(np.eye(20, dtype=int), ["a"] * 20).save(path)
    with pytest.raises(DamagedFile, match="holds counts"):
        container.read(path)
    path.write_bytes(b"something else" * 100)
    with pytest.raises(DamagedFile, match="not a model of rubricate"):
        container.read(path)
    with pytest.raises(MissingData, match="no such file"):
        container.read(tmp_path / "nothing.rub")
    with pytest.raises(DamagedFile, match="no ordinary file"):
        container.read(tmp_path)
    os.mkfifo(tmp_path / "pipe.rub")
    with pytest.raises(DamagedFile, match="no ordinary file"):
        container.read(tmp_path / "pipe.rub")


def test_a_newer_format_says_upgrade(saved: Path) -> None:
    content = saved.read_bytes().replace(b"rubricate model 1\n", b"rubricate model 2\n", 1)
    saved.write_bytes(content)
    with pytest.raises(DamagedFile, match=r"made by a newer rubricate \(format 2, this one reads 1\): upgrade"):
        container.read(saved)


# -- forgery: the digests are right, what they are of is not


def forged(path: Path, *, text: Any = None, table: Any = None, numbers: bytes = b"", sizes: Any = None) -> Path:
    """A file of these parts with heads and digests that match."""
    own = orjson.dumps(text) if text is not None else container.manifest_text({}, {})
    body = json.dumps(table if table is not None else {}).encode()
    places = len(body).to_bytes(8, "little") + body
    digest = hashlib.sha256
    head = container.Head(1, len(own), digest(own).hexdigest(), len(places) + len(numbers), digest(places).hexdigest())
    if sizes is not None:
        head = container.Head(1, sizes[0], head.manifest_digest, sizes[1], head.table_digest)
    path.write_bytes(bytes(head) + own + places + numbers)
    return path


def manifest_of(**changes: Any) -> dict[str, Any]:
    return {"format": 1, "rubricate": "0", "arrays": {}} | changes


def test_a_file_put_together_by_hand_can_be_read(tmp_path: Path) -> None:
    digest = hashlib.sha256(b"\x07" * 8).hexdigest()
    row = {"dtype": "U8", "shape": [8], "data_offsets": [0, 8]}
    path = forged(tmp_path / "x.rub", text=manifest_of(arrays={"x": digest}), table={"x": row}, numbers=b"\x07" * 8)
    assert container.read(path).arrays["x"].tolist() == [7] * 8


@pytest.mark.parametrize(
    "text",
    [
        [],
        {},
        manifest_of(format=2),
        manifest_of(format="1"),
        manifest_of(code="import os"),
        manifest_of(rubricate=1),
        manifest_of(arrays={"x": "00"}),
        manifest_of(workbench={"$float": "nan", "x": 1}),
        manifest_of(workbench={"x": {"$float": "one"}}),
        manifest_of(workbench={"x": {"$float": [1]}}),
        manifest_of(data={"documents": 1.5}),
        manifest_of(workbench={"x": [[[[[]]]]] * 2, "y": orjson.Fragment(b"[" * 300 + b"]" * 300)}),
        orjson.Fragment(b"[" * 100_000),
        orjson.Fragment(b'{"format": NaN}'),
    ],
)
def test_forged_manifests_are_refused(tmp_path: Path, text: Any) -> None:
    with pytest.raises(DamagedFile):
        container.read(forged(tmp_path / "x.rub", text=text))


NUMBERS_OF_8 = b"\x02" * 8


def row_of(dtype: Any = "F64", shape: Any = (1,), ends: Any = (0, 8)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape) if isinstance(shape, tuple) else shape, "data_offsets": list(ends)}


@pytest.mark.parametrize(
    "table",
    [
        [],
        {"x": []},
        {"x": {}},
        {"x": row_of() | {"more": 1}},
        {"x": row_of(), "__metadata__": {}},
        {"x": row_of(dtype="OBJ")},
        {"x": row_of(dtype=["F64"])},
        {"x": row_of(dtype="C64")},
        {"x": row_of(dtype="BOOL", shape=(8,))},
        {"x": row_of(shape=(2,))},
        {"x": row_of(shape=(-1,))},
        {"x": row_of(shape=(1.0,))},
        {"x": row_of(shape=(True,))},
        {"x": row_of(shape="1")},
        {"x": row_of(shape=(2**62, 4), ends=(0, 0))},
        {"x": row_of(shape=(2**62,), ends=(0, 2**65))},
        {"x": row_of(shape=(2**32, 2**32, 1))},
        {"x": row_of(shape=(1,) * 40)},
        {"x": row_of(ends=(8, 16))},
        {"x": row_of(ends=(8, 0))},
        {"x": row_of(ends=(-8, 0))},
        {"x": row_of(ends=(0, 8, 8))},
        {"x": row_of(), "y": row_of()},
        {"x": row_of("U8", (4,), (0, 4))},
        {"x": row_of("U8", (4,), (4, 8))},
        {"x": row_of("U8", (4,), (0, 4)), "y": row_of("U8", (3,), (5, 8))},
        {"x": row_of("U8", (5,), (0, 5)), "y": row_of("U8", (4,), (4, 8))},
        {"x": row_of("U8", (4,), (0, 4)), "y": row_of("F64", (1,), (4, 12))},
        {"a": row_of("U8", (1,), (0, 1)), "x": row_of("F32", (1,), (1, 5)), "y": row_of("U8", (3,), (5, 8))},
    ],
)
def test_forged_tables_are_refused_before_anything_is_made_of_them(tmp_path: Path, table: Any) -> None:
    names = sorted(table) if isinstance(table, dict) else []
    digest = hashlib.sha256(NUMBERS_OF_8).hexdigest()
    text = manifest_of(arrays={name: digest for name in names if name != "__metadata__"})
    with pytest.raises(DamagedFile) as told:
        container.read(forged(tmp_path / "x.rub", text=text, table=table, numbers=NUMBERS_OF_8))
    assert "SHA-256" not in str(told.value), "refused by its table, not by its digests"


@pytest.mark.parametrize("sizes", [(10**15, 10), (17 * 2**20, 10), (0, 10**15), (10**16 - 1, 10**16 - 1), (0, 0)])
def test_forged_sizes_are_refused_without_memory(tmp_path: Path, sizes: tuple[int, int]) -> None:
    path = forged(tmp_path / "x.rub", sizes=sizes)
    with limited(resource.RLIMIT_AS, current_memory() + 64 * 2**20), pytest.raises((DamagedFile, TooLarge)):
        container.read(path)


def test_a_table_that_claims_more_than_there_is(tmp_path: Path) -> None:
    path = forged(tmp_path / "x.rub")
    content = bytearray(path.read_bytes())
    start = container.HEAD + int(content[27:43])
    content[start : start + 8] = (2**63 - 1).to_bytes(8, "little")
    path.write_bytes(content)
    with pytest.raises(DamagedFile, match="table of arrays"):
        container.read(path)


def test_a_file_that_does_not_fit_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.rub"
    forged(path)
    os.truncate(path, 2**40)
    with limited(resource.RLIMIT_AS, current_memory() + 64 * 2**20), pytest.raises(TooLarge, match="do not fit"):
        container.read(path)


def current_memory() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


# -- what happens while it is saved


def test_a_full_disk_leaves_the_old_model(saved: Path) -> None:
    before, other = saved.read_bytes(), {"x": np.arange(5000)}
    for size in (0, 1, container.HEAD, 1000, 4096, 8192, 20_000, 40_000):
        with limited(resource.RLIMIT_FSIZE, size), pytest.raises(OSError, match="too large"):
            container.write(saved, MANIFEST, other)
        assert saved.read_bytes() == before
        assert names_in(saved.parent) == ["model.rub"]
    container.write(saved, MANIFEST, other)
    same_arrays(container.read(saved).arrays, other)


class Failing:
    """Every call that reaches the disk while a file is saved; the one of this number fails."""

    def __init__(self, patch: pytest.MonkeyPatch, fails: int, problem: BaseException) -> None:
        self.calls, self.fails, self.problem = 0, fails, problem
        for owner, name in (
            (os, "fsync"),
            (os, "open"),
            (os, "close"),
            (Path, "replace"),
            (Path, "chmod"),
            (tempfile, "mkstemp"),
        ):
            patch.setattr(owner, name, self.counted(getattr(owner, name)))
        open_file = os.fdopen
        patch.setattr(os, "fdopen", lambda *args: Slow(self, open_file(*args)))

    def counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            if self.calls == self.fails:
                raise self.problem
            return call(*args, **kwargs)

        return wrapped


class Slow:
    """A file whose writes are counted."""

    def __init__(self, failing: Failing, held: Any) -> None:
        self._held, self._failing = held, failing
        self.write, self.flush = failing.counted(held.write), failing.counted(held.flush)

    def fileno(self) -> int:
        return int(self._held.fileno())

    def __enter__(self) -> Slow:
        return self

    def __exit__(self, *problem: Any) -> None:
        self._held.close()


@pytest.mark.parametrize(
    "problem", [OSError(28, "no space left"), OSError(5, "input/output error"), MemoryError(), KeyboardInterrupt()]
)
def test_whichever_call_fails_the_old_model_or_the_new_is_there(tmp_path: Path, problem: BaseException) -> None:
    path = tmp_path / "model.rub"
    container.write(path, MANIFEST, ARRAYS)
    old = path.read_bytes()
    container.write(path, MANIFEST, {"x": np.arange(9)})
    new = path.read_bytes()
    seen = []
    for fails in range(1, 100):
        path.write_bytes(old)
        with pytest.MonkeyPatch.context() as patch:
            failing = Failing(patch, fails, problem)
            try:
                container.write(path, MANIFEST, {"x": np.arange(9)})
            except type(problem):
                pass
            else:
                break
        assert path.read_bytes() in (old, new)
        seen.append(path.read_bytes() == new)
        container.read(path)
        assert names_in(tmp_path) == ["model.rub"]
    assert failing.calls == fails - 1 == len(seen) >= 10
    assert path.read_bytes() == new
    assert not seen[0]
    assert seen == sorted(seen), "from the renaming on it is the new one"


TWO_FILES = """
import sys
import numpy as np
from rubricate.storage import container

path, longest = sys.argv[1], 0.008
ours = [{"x": np.full(n, n)} for n in (20_000, 30_000)]
digests = [container.write(path, {"random_state": n}, own) for n, own in enumerate(ours)]

def save(n):
    container.write(path, {"random_state": n}, ours[n])

def which():
    stored = container.read(path)
    n = digests.index(stored.digest)
    assert stored.manifest["random_state"] == n and (stored.arrays["x"] == len(ours[n]["x"])).all()
    return n
"""


def test_killed_while_saving_leaves_the_old_model_or_the_new(tmp_path: Path) -> None:
    first, second, within = killed_while_saving(TWO_FILES, tmp_path / "model.rub", moments=200)
    assert first + second == 200
    assert min(first, second) > 0
    assert within > 0, "some were killed while writing"


# -- formats


def test_each_format_but_the_last_has_its_upgrade() -> None:
    assert sorted(manifest.UPGRADES) == list(range(1, FORMAT))


def test_there_are_files_of_every_format() -> None:
    for number in range(1, FORMAT + 1):
        assert list((Path(__file__).parents[1] / "fixtures" / f"model_format_{number}").glob("*.rub"))


def test_an_older_manifest_is_brought_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest, "FORMAT", 2)
    monkeypatch.setitem(
        manifest.UPGRADES, 1, lambda old: {key: old[key] for key in old if key != "colour"} | {"format": 2}
    )
    assert manifest.manifest_in(manifest_of(colour="red"), 1, "x")["format"] == 2
    with pytest.raises(RubricateError):
        manifest.manifest_in(manifest_of(colour="red", format=2), 2, "x")
