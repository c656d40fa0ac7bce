"""Topics in a folder: small files, each written beside and renamed. No document text is kept unless asked for.

    topics.json              the format, the recipe that makes terms, the form of weights, the last pile
    collection.rub           documents and terms of the collection that beliefs are reckoned with
    NAME/topic.json          the text and the settings
    NAME/judged/*.jsonl      the history of judgements, with the judged documents' terms; see `history`
    NAME/query.json          what text and judgements make; made anew when either has changed
    NAME/proposed/*.json     what was proposed for screening; see `rubricate.relevance.screening`

A topic's query is a function of the other files: it may be deleted, and two programs may write it at the same time. All else is
changed by one program at a time, which holds `topic.json` (or `topics.json`) meanwhile: see `stored.updating`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from ...counts import Counts
from ...errors import DamagedFile, InvalidSetting, MissingData, RecipesDiffer, UnknownName
from ...foundation.files import reading, updating, write_atomically
from ...terms.recipe import Recipe, recipe_from
from .background import FORMS, Collection
from .checks import checked_pile, settings_from
from .feedback import Feedback
from .judgements import Judged, add, history, now, state_of
from .query import Query, terms_of
from .settings import Settings

__all__ = ["DEFAULT_RECIPE", "Topic", "Topics"]

FORMAT = "rubricate topics 1"
NAME = re.compile(r"\w[\w.+@-]{0,99}")
DEFAULT_RECIPE = Recipe(stop="english")


@dataclass(frozen=True, slots=True)
class Topic:
    """What somebody looks for: a name, a text, settings, and where it is kept."""

    name: str
    text: str
    settings: Settings
    made: str
    folder: Path

    @property
    def judged_folder(self) -> Path:
        """Where its judgements are."""
        return self.folder / "judged"

    @contextmanager
    def changing(self, *, waiting: Callable[[str], None] | None = None) -> Iterator[None]:
        """Nobody else changes the topic meanwhile. waiting: is told when somebody else is at it."""
        with updating(self._head, waiting=waiting):
            yield

    @property
    def _head(self) -> Path:
        return self.folder / "topic.json"

    def history(self) -> list[Judged]:
        """All judgements, the oldest first."""
        with reading(self._head):
            return history(self.judged_folder)

    def state(self) -> str:
        """Changes with every judgement."""
        with reading(self._head):
            return state_of(self.judged_folder)

    def judged(self) -> dict[str, bool]:
        """The last judgement of each document."""
        return {one.document: one.relevant for one in self.history()}

    def judge(self, judgements: Iterable[Judged]) -> None:
        """Keep further judgements."""
        when = now()
        stamped = [Judged(one.document, one.relevant, one.terms, one.when or when, one.text) for one in judgements]
        with self.changing():
            add(self.judged_folder, stamped)


class Topics:
    """The topics in a folder. `Topics.open` for one that is there, `Topics.make` to begin one."""

    def __init__(self, path: Path, *, recipe: Recipe, form: str, pile: dict[str, Any] | None = None) -> None:
        self.path, self.recipe, self.form, self.pile = path, recipe, form, pile

    @classmethod
    def open(cls, path: str | Path) -> Topics:
        """The folder as it is."""
        path = Path(path)
        head = path / "topics.json"
        if not head.is_file():
            raise MissingData(
                str(path), "there are no topics here", 'begin with: rubricate topic new NAME "what you look for"'
            )
        told = read_json(head)
        if told.get("format") != FORMAT:
            raise DamagedFile(f"{head}: the format is {told.get('format')!r}, this rubricate reads {FORMAT!r}")
        if told.get("weighting") not in FORMS:
            raise DamagedFile(
                f"{head}: the weighting {str(told.get('weighting'))[:60]!r} is none of {', '.join(FORMS)}"
            )
        recipe = recipe_from(told.get("recipe"), head)
        return cls(path, recipe=recipe, form=told["weighting"], pile=checked_pile(told.get("pile"), head))

    @classmethod
    def make(cls, path: str | Path, *, recipe: Recipe | None = None, form: str = "inquery") -> Topics:
        """The folder, made if it is not there; one that is there keeps its recipe."""
        path = Path(path)
        if form not in FORMS:
            raise UnknownName("weighting of topics", form, FORMS)
        path.mkdir(parents=True, exist_ok=True)
        with updating(path):
            if not (path / "topics.json").is_file():
                own = cls(path, recipe=recipe or DEFAULT_RECIPE, form=form)
                own._write()
                return own
        own = cls.open(path)
        if recipe is not None and recipe.fingerprint != own.recipe.fingerprint:
            raise RecipesDiffer(
                f"{path}: these topics are made of terms by {own.recipe}, not {recipe}; use another folder (--topics)"
            )
        return own

    def _write(self) -> None:
        told: dict[str, Any] = {"format": FORMAT, "recipe": self.recipe.to_dict(), "weighting": self.form}
        if self.pile is not None:
            told["pile"] = self.pile
        write_json(self.path / "topics.json", told)

    def remember_pile(self, pile: dict[str, Any]) -> None:
        """Where documents were last found, so that a judgement need not say it again."""
        if pile != self.pile:
            self.pile = pile
            self._write()

    # -- the collection

    @property
    def has_collection(self) -> bool:
        """Whether there are statistics to reckon beliefs with."""
        return (self.path / "collection.rub").is_file()

    @cached_property
    def collection(self) -> Collection:
        """Documents and terms that beliefs are reckoned with."""
        if not self.has_collection:
            raise MissingData(
                str(self.path),
                "no statistics of a collection are kept here yet",
                "give some: rubricate topic collection FILE (documents, or what `rubricate count` wrote)",
            )
        return Collection.load(self.path / "collection.rub")

    def keep_first_collection(self, counts: Counts) -> bool:
        """Keep these statistics if there are none yet; whether they were kept. Another program may have been quicker."""
        with updating(self.path / "topics.json"):
            if self.has_collection:
                return False
            self.keep_collection(counts)
            return True

    def keep_collection(self, counts: Counts) -> Collection:
        """Keep these statistics; queries are made anew with them."""
        if counts.recipe is not None and counts.recipe.fingerprint != self.recipe.fingerprint:
            raise RecipesDiffer(
                f"{self.path}: these topics are made of terms by {self.recipe}, the counts by {counts.recipe}; count again "
                "with the topics' recipe"
            )
        own = Collection.of_counts(counts)
        own.save(self.path / "collection.rub")
        self.__dict__["collection"] = own
        return own

    # -- topics

    @property
    def names(self) -> list[str]:
        """All topics, by name."""
        return sorted(path.parent.name for path in self.path.glob("*/topic.json"))

    def new(self, name: str, text: str, settings: Settings | None = None) -> Topic:
        """A new topic."""
        if not NAME.fullmatch(name):
            raise InvalidSetting(
                f"topic name {name!r}: use letters, digits and _ . + @ -, at most 100, no blanks; it becomes a folder"
            )
        folder = self.path / name
        terms_of(text, self.recipe)
        with updating(self.path / "topics.json"):
            if (folder / "topic.json").is_file():
                raise InvalidSetting(f"there is a topic {name!r} already: choose another name, or delete {folder}")
            folder.mkdir(exist_ok=True)
            own = Topic(name, text, settings or Settings(), now(), folder)
            told = {"name": name, "text": text, "made": own.made, "settings": own.settings.as_dict()}
            write_json(folder / "topic.json", told)
        return own

    def topic(self, name: str) -> Topic:
        """The topic of that name."""
        head = self.path / name / "topic.json"
        if not NAME.fullmatch(name) or not head.is_file():
            if not self.names:
                raise MissingData(
                    str(self.path),
                    f"there is no topic {name!r}",
                    f'make it: rubricate topic new {name} "what you look for"',
                )
            raise UnknownName("topic", name, self.names)
        told = read_json(head)
        for key in ("text", "made"):
            if not isinstance(told.get(key), str):
                raise DamagedFile(f"{head}: {key} is missing, or no string")
        try:
            terms_of(told["text"], self.recipe)
        except InvalidSetting as problem:
            raise DamagedFile(f"{head}: {problem}") from None
        return Topic(name, told["text"], settings_from(told.get("settings"), head), told["made"], head.parent)

    def feedback(self, topic: Topic) -> Feedback:
        """The topic in memory, all its judgements learned."""
        own = Feedback(self.collection, topic.text, topic.settings, form=self.form)
        for one in topic.history():
            own.judge(one.document, one.terms, relevant=one.relevant)
        return own

    def query(self, topic: Topic) -> Query:
        """The newest query: as kept, or made anew where text, judgements or collection have changed since."""
        path, state = topic.folder / "query.json", self._state(topic)
        if path.is_file():
            try:
                told = read_json(path)
                if told["state"] == state:
                    return Query.from_dict(told["query"])
            except (DamagedFile, KeyError, TypeError, ValueError, AttributeError, OverflowError):
                pass  # it is only remembered: made anew below
        found = self.feedback(topic).query()
        write_json(path, {"state": state, "query": found.as_dict()})  # what was judged meanwhile makes it anew
        return found

    def _state(self, topic: Topic) -> list[Any]:
        """What a query depends on."""
        own = self.path / "collection.rub"
        stamp = own.stat() if own.is_file() else None
        return [
            topic.text,
            topic.settings.as_dict(),
            self.form,
            None if stamp is None else [stamp.st_mtime_ns, stamp.st_size],
            topic.state(),
        ]


def write_json(path: Path, value: Any) -> None:
    """A small file, written beside and renamed."""
    write_atomically(path, [orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)])


def read_json(path: Path) -> dict[str, Any]:
    """A small file; what is no object of JSON is refused."""
    try:
        value = orjson.loads(path.read_bytes())
    except ValueError as problem:
        raise DamagedFile(f"{path}: not readable ({problem})") from None
    if not isinstance(value, dict):
        raise DamagedFile(f"{path}: not an object")
    return value
