"""Topics in a folder: small files, each written atomically. Document text is stored only on request.

    topics.json              the format, the recipe that makes terms, the form of weights, the last pile
    collection.rub           the background collection: documents and terms that beliefs are computed from
    NAME/topic.json          the text and the settings
    NAME/judged/*.jsonl      the history of judgements, with the judged documents' terms; see `judgements`
    NAME/query.json          the query made from text and judgements; made again when either has changed
    NAME/proposed/*.json     what was proposed for screening; see `rubricate.relevance.screening`

A topic's query is a function of the other files: it may be deleted, and two programs may write it at the same time. All else is
changed by one program at a time, which locks `topic.json` (or `topics.json`) meanwhile: see `foundation.files.updating`. Files
are checked where they are read, since a wrong number would end far from its file, with a message that nobody understands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from ...counts import Counts
from ...errors import DamagedFile, InvalidSetting, MissingData, RecipesDiffer, UnknownName
from ...foundation.files import reading, updating, write_atomically
from ...terms.recipe import Recipe, recipe_from
from .background import FORMS, BackgroundCollection
from .feedback import Feedback
from .judgements import JudgedDocument, add_judgements, history_state, need_strings, now, read_history
from .query import Query, Settings, terms_of

FORMAT = "rubricate topics 1"
NAME = re.compile(r"\w[\w.+@-]{0,99}")
DEFAULT_RECIPE = Recipe(stop="english")


@dataclass(frozen=True, slots=True)
class Topic:
    """What somebody looks for: a name, a text, settings, and its folder."""

    name: str
    text: str
    settings: Settings
    made: str
    folder: Path

    @property
    def judged_folder(self) -> Path:
        """The folder of its judgements."""
        return self.folder / "judged"

    @contextmanager
    def changing(self, *, waiting: Callable[[str], None] | None = None) -> Iterator[None]:
        """Lock the topic against other programs. waiting: called with a sentence while another program has the lock."""
        with updating(self._head, waiting=waiting):
            yield

    @property
    def _head(self) -> Path:
        return self.folder / "topic.json"

    def history(self) -> list[JudgedDocument]:
        """All judgements, the oldest first."""
        with reading(self._head):
            return read_history(self.judged_folder)

    def state(self) -> str:
        """Changes with every judgement."""
        with reading(self._head):
            return history_state(self.judged_folder)

    def judged(self) -> dict[str, bool]:
        """The last judgement of each document."""
        return {judgement.document: judgement.relevant for judgement in self.history()}

    def judge(self, judgements: Iterable[JudgedDocument]) -> None:
        """Add judgements to the history; one without a time gets the present."""
        when = now()
        stamped = [replace(judgement, when=judgement.when or when) for judgement in judgements]
        with self.changing():
            add_judgements(self.judged_folder, stamped)


class Topics:
    """The topics in a folder. `Topics.open` for a folder that has some, `Topics.make` for a new one."""

    def __init__(self, path: Path, *, recipe: Recipe, form: str, pile: dict[str, Any] | None = None) -> None:
        self.path, self.recipe, self.form, self.pile = path, recipe, form, pile

    @classmethod
    def open(cls, path: str | Path) -> Topics:
        """The topics of this folder."""
        path = Path(path)
        head = path / "topics.json"
        if not head.is_file():
            cure = 'begin with: rubricate topic new NAME "what you look for"'
            raise MissingData(str(path), "there are no topics here", cure)
        values = read_json(head)
        form = values.get("weighting")
        if values.get("format") != FORMAT:
            raise DamagedFile(f"{head}: the format is {values.get('format')!r}, this rubricate reads {FORMAT!r}")
        if form not in FORMS:
            raise DamagedFile(f"{head}: the weighting {str(form)[:60]!r} is none of {', '.join(FORMS)}")
        recipe = recipe_from(values.get("recipe"), head)
        return cls(path, recipe=recipe, form=form, pile=pile_from(values.get("pile"), head))

    @classmethod
    def make(cls, path: str | Path, *, recipe: Recipe | None = None, form: str = "inquery") -> Topics:
        """The topics of this folder, which is made if it is not there; an existing one keeps its recipe."""
        path = Path(path)
        if form not in FORMS:
            raise UnknownName("weighting of topics", form, FORMS)
        path.mkdir(parents=True, exist_ok=True)
        with updating(path):
            if not (path / "topics.json").is_file():
                topics = cls(path, recipe=recipe or DEFAULT_RECIPE, form=form)
                topics._write()
                return topics
        topics = cls.open(path)
        if recipe is not None and recipe.fingerprint != topics.recipe.fingerprint:
            differ = f"{path}: these topics are made of terms by {topics.recipe}, not {recipe}"
            raise RecipesDiffer(f"{differ}; use another folder (--topics)")
        return topics

    def _write(self) -> None:
        values: dict[str, Any] = {"format": FORMAT, "recipe": self.recipe.to_dict(), "weighting": self.form}
        if self.pile is not None:
            values["pile"] = self.pile
        write_json(self.path / "topics.json", values)

    def remember_pile(self, pile: dict[str, Any]) -> None:
        """Store where the documents were last read from, so that a judgement need not say it again."""
        if pile != self.pile:
            self.pile = pile
            self._write()

    # -- the background collection

    @property
    def _collection_path(self) -> Path:
        return self.path / "collection.rub"

    @property
    def has_collection(self) -> bool:
        """Whether there is a background collection."""
        return self._collection_path.is_file()

    @cached_property
    def collection(self) -> BackgroundCollection:
        """The background collection: documents and terms that beliefs are computed from."""
        if not self.has_collection:
            cure = "give some: rubricate topic collection FILE (documents, or what `rubricate count` wrote)"
            raise MissingData(str(self.path), "there is no background collection here yet", cure)
        return BackgroundCollection.load(self._collection_path)

    def keep_first_collection(self, counts: Counts) -> bool:
        """Store these counts as the background collection unless there is one, perhaps by another program; whether they were."""
        with updating(self.path / "topics.json"):
            if self.has_collection:
                return False
            self.keep_collection(counts)
            return True

    def keep_collection(self, counts: Counts) -> BackgroundCollection:
        """Store these counts as the background collection; queries are made again with it."""
        if counts.recipe is not None and counts.recipe.fingerprint != self.recipe.fingerprint:
            differ = f"{self.path}: these topics are made of terms by {self.recipe}, the counts by {counts.recipe}"
            raise RecipesDiffer(f"{differ}; count again with the topics' recipe")
        background = BackgroundCollection.of_counts(counts)
        background.save(self._collection_path)
        self.__dict__["collection"] = background
        return background

    # -- topics

    @property
    def names(self) -> list[str]:
        """The names of all topics, sorted."""
        return sorted(path.parent.name for path in self.path.glob("*/topic.json"))

    def new(self, name: str, text: str, settings: Settings | None = None) -> Topic:
        """A new topic."""
        if not NAME.fullmatch(name):
            cure = "use letters, digits and _ . + @ -, at most 100, no blanks; it becomes a folder"
            raise InvalidSetting(f"topic name {name!r}: {cure}")
        folder = self.path / name
        terms_of(text, self.recipe)
        with updating(self.path / "topics.json"):
            if (folder / "topic.json").is_file():
                raise InvalidSetting(f"there is a topic {name!r} already: choose another name, or delete {folder}")
            folder.mkdir(exist_ok=True)
            topic = Topic(name, text, settings or Settings(), now(), folder)
            values = {"name": name, "text": text, "made": topic.made, "settings": topic.settings.as_dict()}
            write_json(folder / "topic.json", values)
        return topic

    def topic(self, name: str) -> Topic:
        """The topic of that name."""
        head = self.path / name / "topic.json"
        if not NAME.fullmatch(name) or not head.is_file():
            if not self.names:
                cure = f'make it: rubricate topic new {name} "what you look for"'
                raise MissingData(str(self.path), f"there is no topic {name!r}", cure)
            raise UnknownName("topic", name, self.names)
        values = read_json(head)
        for key in ("text", "made"):
            if not isinstance(values.get(key), str):
                raise DamagedFile(f"{head}: {key} is missing, or no string")
        try:
            terms_of(values["text"], self.recipe)
        except InvalidSetting as problem:
            raise DamagedFile(f"{head}: {problem}") from None
        return Topic(name, values["text"], settings_from(values.get("settings"), head), values["made"], head.parent)

    def feedback(self, topic: Topic) -> Feedback:
        """The topic in memory, after all its judgements."""
        feedback = Feedback(self.collection, topic.text, topic.settings, form=self.form)
        for judgement in topic.history():
            feedback.judge(judgement.document, judgement.terms, relevant=judgement.relevant)
        return feedback

    def query(self, topic: Topic) -> Query:
        """The newest query: the stored one, or a new one where text, judgements or background collection have changed since."""
        path, state = topic.folder / "query.json", self._state(topic)
        if path.is_file():
            try:
                stored = read_json(path)
                if stored["state"] == state:
                    return Query.from_dict(stored["query"])
            except (DamagedFile, KeyError, TypeError, ValueError, AttributeError, OverflowError):
                pass  # the stored query is only a cache: made again below
        query = self.feedback(topic).query()
        # the state is that before reading the history: a judgement added meanwhile makes the query anew next time
        write_json(path, {"state": state, "query": query.as_dict()})
        return query

    def _state(self, topic: Topic) -> list[Any]:
        """What a query depends on."""
        stamp = self._collection_path.stat() if self.has_collection else None
        collection = None if stamp is None else [stamp.st_mtime_ns, stamp.st_size]
        return [topic.text, topic.settings.as_dict(), self.form, collection, topic.state()]


def settings_from(values: Any, where: Path) -> Settings:
    if not isinstance(values, dict):
        raise DamagedFile(f"{where}: the settings of the topic are no object")
    defaults = Settings().as_dict()
    for name, value in values.items():
        kinds = (int, float) if isinstance(defaults.get(name), float) else (type(defaults.get(name)),)
        if name in defaults and type(value) not in kinds:
            raise DamagedFile(f"{where}: {name} cannot be {str(value)[:60]!r}")
    try:
        return Settings.from_dict(values)
    except (InvalidSetting, UnknownName) as problem:
        raise DamagedFile(f"{where}: {problem}") from None


def pile_from(pile: Any, where: Path) -> dict[str, Any] | None:
    if pile is None:
        return None
    if not isinstance(pile, dict) or not isinstance(pile.get("path"), str):
        raise DamagedFile(f"{where}: the last pile is no pile; take it out")
    for name, value in pile.items():
        if not isinstance(value, str):
            need_strings(value, f"{where}: {name} of the last pile")
    return pile


def write_json(path: Path, value: Any) -> None:
    write_atomically(path, [orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)])


def read_json(path: Path) -> dict[str, Any]:
    """The object of JSON in a file; anything else is a damaged file."""
    try:
        value = orjson.loads(path.read_bytes())
    except ValueError as problem:
        raise DamagedFile(f"{path}: not readable ({problem})") from None
    if not isinstance(value, dict):
        raise DamagedFile(f"{path}: not an object")
    return value
