"""Model files of format 1: the tree of a fitted `TextClassifier` as parts that are made when they are asked for.

    fitted_parts    what was fitted, by the names that the fitted objects have: `assembly` makes a Predictor of it

The tree is that of `storage.trees`; `{"same": path}` is the thing on that path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..errors import DamagedFile, RecipesDiffer
from ..foundation.arrays import Array
from ..storage.container import read
from ..terms.recipe import Recipe, recipe_from

ROOT = "workbench"
DEEPEST = 200
# what files of earlier versions lack, and how it was then
LATER = {"joint_scores_": False, "per_word_": False, "prior_": None, "unknown_": None}


def tree_of(manifest: Mapping[str, Any]) -> Any:
    """The tree of everything that was set and fitted; None if the file holds another thing."""
    workbench = manifest.get(ROOT)
    return workbench.get("tree") if isinstance(workbench, dict) else None


# -- the tree


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A sparse table by rows."""

    data: Any
    indices: Any
    indptr: Any
    shape: tuple[int, int]


class Part:
    """A thing of some kind; what it is made of are its attributes, made when they are first asked for."""

    def __init__(self, tree: Tree, kind: str, nodes: dict[str, Any], **values: Any) -> None:
        self._tree, self._kind, self._nodes = tree, kind, nodes
        self.__dict__.update(values)

    @property
    def name(self) -> str:
        """The last word of the kind: "sigmoid" of "calibration.sigmoid"."""
        return self._kind.rpartition(".")[2]

    def __getattr__(self, name: str) -> Any:
        if name not in self.__dict__.get("_nodes", {}):
            raise AttributeError(f"a file has no {name!r} here")
        value = self.__dict__[name] = self._tree.thing(self._nodes[name])
        return value


class Tree:
    """A tree and its arrays. recipe: the one the model was trained with, where that has a Python function."""

    def __init__(self, root: Any, arrays: dict[str, Array], recipe: Recipe | None = None) -> None:
        self.root, self.arrays, self.recipe = root, arrays, recipe

    def thing(self, node: Any, depth: int = 0) -> Any:
        """What a node stands for."""
        if depth > DEEPEST:
            raise DamagedFile("the tree is nested too deep, or turns in a circle")
        if isinstance(node, list):
            return [self.thing(child, depth + 1) for child in node]
        if not isinstance(node, dict):
            return node
        for form in ("same", "kind", "pairs", "tuple", "csr", "repeated", "objects"):
            if form in node:
                return getattr(self, f"_{form}")(node, depth + 1)
        if "scalar" in node:
            return node["value"]
        if "array" in node:
            array = self.arrays[node["array"]]
            return array.T if node.get("order") == "F" else array
        if "strings" in node:
            return strings(self.arrays[f"{node['strings']}/bytes"], self.arrays[f"{node['strings']}/ends"])
        raise DamagedFile("a node of the tree is of no known form")

    def _same(self, node: dict[str, Any], depth: int) -> Any:
        return self.thing(self.node(node["same"]), depth)

    def _kind(self, node: dict[str, Any], depth: int) -> Any:
        if node["kind"] != "recipe":
            return Part(self, node["kind"], node["parts"])
        settings = self.thing(node["parts"]["settings"], depth)
        with_function = "function" in settings and self.recipe is not None
        recipe = self.recipe if with_function else recipe_from(settings, "recipe")
        if recipe is None or recipe.fingerprint != node["parts"]["fingerprint"]:
            raise RecipesDiffer(f"counted with another recipe, or other Unicode or stemmer tables, than {recipe}")
        return recipe

    def _pairs(self, node: dict[str, Any], depth: int) -> dict[Any, Any]:
        return {self.thing(key, depth): self.thing(value, depth) for key, value in node["pairs"]}

    def _tuple(self, node: dict[str, Any], depth: int) -> tuple[Any, ...]:
        return tuple(self.thing(child, depth) for child in node["tuple"])

    def _csr(self, node: dict[str, Any], depth: int) -> Table:
        data, indices, indptr = (self.thing(child, depth) for child in node["csr"])
        rows, columns = node["shape"]
        return Table(data, indices, indptr, (rows, columns))

    def _repeated(self, node: dict[str, Any], depth: int) -> list[Any]:
        distinct = [self.thing(child, depth) for child in node["repeated"]]
        return [distinct[place] for place in self.arrays[node["places"]].tolist()]

    def _objects(self, node: dict[str, Any], depth: int) -> list[Any]:
        return [self.thing(child, depth) for child in node["objects"]]

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
                children = next(node[form] for form in ("tuple", "repeated", "objects") if form in node)
                node = children[int(step)]
        return node


def strings(text: Array, ends: Array) -> list[str]:
    """The strings of two arrays: all bytes, and where each ends, a 0 in front. ASCII, as most are, is decoded once."""
    whole, marks = text.tobytes(), ends.tolist()
    if whole.isascii():
        joined = whole.decode("ascii")
        return [joined[start:end] for start, end in pairwise(marks)]
    return [whole[start:end].decode() for start, end in pairwise(marks)]


def fitted_parts(path: str | Path, *, recipe: Recipe | None = None) -> Part:
    """What a `TextClassifier` had fitted when it was saved, by its attributes' names."""
    file = read(path)
    root = tree_of(file.manifest)
    if not isinstance(root, dict):
        raise DamagedFile(f"{path}: holds no TextClassifier")
    nodes = {key: value for key, value in root["pairs"] if isinstance(key, str)}
    fitted = {key: value for key, value in nodes["fitted"]["pairs"] if isinstance(key, str)}
    known = {"report_": file.manifest[ROOT]["report"], "digest": file.digest}
    return Part(Tree(root, file.arrays, recipe), "TextClassifier", {**LATER, **fitted}, **known)
