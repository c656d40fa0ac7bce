"""Model files of format 1 without anything heavy: the tree of a fitted `TextClassifier` as parts that are decoded when asked for.

    fitted_parts     what was fitted, by the names that the fitted objects have: `assembly` makes a Predictor of it
    refuse_damage    around whatever asks these parts for what they hold

The tree is that of `storage.trees`. Forms and recipes are decoded and checked as it does it; fitted estimators, whose modules
import scikit-learn, are a `Part`; tables are arrays, and strings lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..errors import DamagedFile
from ..foundation.arrays import Array
from ..storage.checks import ascending, check_csr_arrays, sized
from ..storage.container import read
from ..storage.registry import HOMES
from ..storage.trees import Decoder, refused_at
from ..terms.recipe import Recipe
from .arrays import Table

ROOT = "workbench"
# modules that import nothing heavy
LIGHT = ("rubricate.scoring.", "rubricate.terms.", "rubricate.training.training_documents")
# what files of earlier versions lack, and how it was then
LATER = {
    "joint_scores_": False,
    "per_word_": False,
    "prior_": None,
    "reference_": None,
    "training_documents_": None,
    "unknown_": None,
}


def tree_of(manifest: Mapping[str, Any]) -> Any:
    """The tree of everything that was set and fitted; None if the file holds another thing."""
    workbench = manifest.get(ROOT)
    return workbench.get("tree") if isinstance(workbench, dict) else None


def checked_table(data: Any, indices: Any, indptr: Any, shape: tuple[int, ...]) -> Any:
    """A sparse table, not copied."""
    check_csr_arrays(data, indices, indptr, shape)
    return Table(data, indices, indptr, (shape[0], shape[1]))


def strings(text: Array, ends: Array) -> list[str]:
    """The strings of two arrays: all bytes, and where each ends, a 0 in front. ASCII, as most are, is decoded once."""
    sized(text, len(text), kinds="u", what="bytes of strings")
    ascending(ends, len(text), len(ends) - 1, "ends of strings")
    whole, marks = text.tobytes(), ends.tolist()
    if whole.isascii():
        joined = whole.decode("ascii")
        return [joined[start:end] for start, end in pairwise(marks)]
    return [whole[start:end].decode() for start, end in pairwise(marks)]


class Part:
    """A thing of some kind; what it is made of are its attributes, decoded when they are first asked for."""

    def __init__(self, tree: Tree, kind: str, nodes: dict[str, tuple[Any, str]], **values: Any) -> None:
        self._tree, self._kind, self._nodes = tree, kind, nodes  # nodes with their paths
        self.__dict__.update(values)

    @property
    def name(self) -> str:
        """The last word of the kind: "sigmoid" of "calibration.sigmoid"."""
        return self._kind.rpartition(".")[2]

    def __getattr__(self, name: str) -> Any:
        if name not in self.__dict__.get("_nodes", {}):
            raise AttributeError(f"a file has no {name!r} here")
        value = self.__dict__[name] = self._tree.thing(*self._nodes[name])
        return value


class Tree(Decoder):
    """A tree whose parts are decoded in any order."""

    def __init__(self, root: Any, arrays: dict[str, Array], recipe: Recipe | None = None) -> None:
        super().__init__(arrays, recipe)
        self.root = root
        self._followed: set[str] = set()

    def thing(self, tree: Any, path: str) -> Any:
        return self._decoded[path] if path in self._decoded else super().thing(tree, path)

    def _kind(self, tree: dict[str, Any], path: str) -> Any:
        kind, parts = tree["kind"], tree.get("parts")
        if not isinstance(parts, dict) or HOMES.get(kind, "").startswith(LIGHT):
            return super()._kind(tree, path)
        return Part(self, kind, {name: (node, f"{path}/{name}") for name, node in parts.items()})

    def _same(self, tree: dict[str, Any], path: str) -> Any:
        target = tree["same"]
        if target not in self._decoded:
            if target in self._followed:
                raise DamagedFile(f"{path}: the same as {target!r}, which is the same as itself")
            self._followed.add(target)
            self._decoded[target] = self.thing(self.node(target), target)
        return self._decoded[target]

    _table = staticmethod(checked_table)

    def _strings(self, tree: dict[str, Any], path: str) -> list[str]:
        name = tree["strings"]
        text, ends = self._named(f"{name}/bytes", path), self._named(f"{name}/ends", path)
        return refused_at(path, lambda: strings(text, ends))  # type: ignore[no-any-return]

    def node(self, path: str) -> Any:
        """The node on a path: `{"same": path}` points to one."""
        node = self.root
        for step in path.removeprefix(f"{ROOT}/").split("/"):
            if isinstance(node, list):
                node = node[int(step)]
            elif "pairs" in node:
                node = node["pairs"][int(step)][1]
            elif "kind" in node:
                node = node["parts"][step]
            elif "csr" in node:
                node = node["csr"][("data", "indices", "indptr").index(step)]
            else:
                children = [node[form] for form in ("tuple", "repeated", "objects") if form in node]
                node = children[0][int(step)]
        return node


@contextmanager
def refuse_damage(path: str | Path) -> Iterator[None]:
    """While the parts of a file are put together: what does not fit is its fault, and an error that names it."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as problem:
        raise DamagedFile(f"{path}: cannot be put together: {problem}") from None


def fitted_parts(path: str | Path, *, recipe: Recipe | None = None) -> Part:
    """What a `TextClassifier` had fitted when it was saved, by its attributes' names."""
    file = read(path)
    root = tree_of(file.manifest)
    if not isinstance(root, dict):
        raise DamagedFile(f"{path}: holds no TextClassifier")
    known = {"report_": file.manifest[ROOT]["report"], "digest": file.digest}
    return parts_of(root, file.arrays, recipe, **known)


def parts_of(root: dict[str, Any], arrays: dict[str, Array], recipe: Recipe | None = None, **values: Any) -> Part:
    """The same, of the tree of a file and its arrays; values: what is known beside it."""
    places = {key: (node, f"{ROOT}/{n}") for n, (key, node) in enumerate(root["pairs"]) if isinstance(key, str)}
    fitted, at = places["fitted"]
    nodes = {key: (node, f"{at}/{n}") for n, (key, node) in enumerate(fitted["pairs"]) if isinstance(key, str)}
    later = {key: (value, ROOT) for key, value in LATER.items()}
    return Part(Tree(root, arrays, recipe), "TextClassifier", {**later, **nodes}, **values)
