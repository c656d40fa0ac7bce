"""Recipe: the settings by which text becomes terms. Frozen, comparable, with a fingerprint; presets are named after the papers.

What each setting does to a text is defined in `definition`, in plain Python. Nothing heavy is imported here: the Unicode tables,
the stop lists and the stemmers are loaded when a text, a stop list or a fingerprint first needs them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from typing import Any, Literal, get_args

from ..errors import DamagedFile, InvalidSetting, RecipesDiffer, UnknownName
from ..storage.registry import stored

__all__ = ["FIELD_BREAK", "NUMBER_TERM", "STOP_LISTS", "Recipe", "recipe_from", "stop_list"]

NUMBER_TERM = "NUM"
FIELD_BREAK = "\x00"  # stands between two fields: no term and no bigram crosses it
Tokens = Literal["letters", "letters+digits", "whitespace"]
Numbers = Literal["keep", "drop", "NUM"]
STOP_LISTS = ("bnc100", "english")


@cache
def stop_list(name: str) -> tuple[str, ...]:
    """A stop list that ships with the package, sorted."""
    if name not in STOP_LISTS:
        raise UnknownName("stop list", name, STOP_LISTS)
    from importlib.resources import files

    lines = (files("rubricate") / "data" / f"stop_{name}.txt").read_text("utf-8").splitlines()
    return tuple(sorted({line.strip() for line in lines if line.strip() and not line.startswith("#")}))


@stored(
    "recipe",
    keys=("settings", "fingerprint"),
    parts=lambda recipe: {"settings": recipe.to_dict(), "fingerprint": recipe.fingerprint},
    make=lambda recipe, path, settings, fingerprint: _recipe_of_file(settings, fingerprint, recipe, path),
    code=lambda recipe: recipe.function is not None,
)
@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How text becomes terms.

    >>> Recipe(stop=("the",)).terms("The cat, the CAT!")
    ['cat', 'cat']
    >>> Recipe(pairs=True).terms("new york, new")
    ['new', 'york', 'new york', 'new']

    tokens            "letters+digits" (default), "letters", or "whitespace"
    lowercase         fold case (default)
    numbers           "keep" (default), "drop", or "NUM"; with "letters", kept numbers are terms of their own
    stop              words left out: a tuple, or the name of a list in STOP_LISTS
    stem              a Snowball language such as "english", or None
    pairs             also bigrams: two neighbours with white space alone between them, neither left out
    min_length        shortest term, in characters (numbers mapped to NUM and character pairs are exempt)
    fields            the text fields used; None for all
    prefix_fields     terms carry their field's name (`title:wheat`), so that fields do not mix
    parts_of_speech   Penn Treebank tags, or their beginnings, of the words used (extra `pos`; English)
    function          last resort: a Python function from text to terms; only `stop`, `min_length`, fields apply besides. Several
                      fields come as one text, one under the other
    """

    tokens: Tokens = "letters+digits"
    lowercase: bool = True
    numbers: Numbers = "keep"
    stop: tuple[str, ...] | str = ()
    stem: str | None = None
    pairs: bool = False
    min_length: int = 1
    fields: tuple[str, ...] | None = None
    prefix_fields: bool = False
    parts_of_speech: tuple[str, ...] = ()
    function: Callable[[str], Iterable[str]] | None = None

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("tokens", self.tokens, get_args(Tokens)),
            ("numbers", self.numbers, get_args(Numbers)),
        ):
            if value not in choices:
                raise UnknownName(f"setting of {name}", str(value), choices)
        if isinstance(self.stop, str):
            stop_list(self.stop)
        else:
            object.__setattr__(self, "stop", tuple(sorted(set(self.stop))))
        for name in ("fields", "parts_of_speech"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise InvalidSetting(f"{name} takes a tuple of names, not the string {value!r}: write ({value!r},)")
            if value is not None:
                object.__setattr__(self, name, tuple(value))
        if self.fields == ():
            raise InvalidSetting("fields=() leaves no text: name at least one field, or None for all")
        if not isinstance(self.min_length, int) or self.min_length < 1:
            raise InvalidSetting(f"min_length={self.min_length!r}: give a whole number from 1")
        if self.tokens == "whitespace" and self.numbers != "keep":
            raise InvalidSetting(
                'tokens="whitespace" takes what stands between spaces as it is: numbers must be "keep"'
            )
        if self.stem is not None:
            from snowballstemmer import algorithms

            if self.stem not in algorithms():
                raise UnknownName("stemmer", self.stem, algorithms())
        if self.function is not None and (self.pairs or self.stem or self.parts_of_speech):
            raise InvalidSetting(
                "a function makes the terms itself: pairs, stem and parts_of_speech cannot be set beside it"
            )
        if self.function is not None and not callable(self.function):
            raise InvalidSetting(f"function={self.function!r} cannot be called")

    @classmethod
    def joachims(cls) -> Recipe:
        """000: words of the text and the subject line, case folded; rare and frequent words go later, by counts."""
        return cls(tokens="letters")

    @classmethod
    def lewis(cls) -> Recipe:
        """001 sec. 6.3: everything but letters becomes a blank, letters are down-cased."""
        return cls(tokens="letters")

    @classmethod
    def schneider(cls, *, stop: bool = True) -> Recipe:
        """002 sec. 4: alphabetic words in lower case, numbers mapped to NUM; the 100 most frequent words of the British
        National Corpus are left out (the paper does so for 20 Newsgroups, not for Reuters: `stop=False`)."""
        return cls(tokens="letters", numbers="NUM", stop="bnc100" if stop else ())

    @classmethod
    def wilbur_kim(cls, *, pairs: bool = True) -> Recipe:
        """003 sec. 3: letters and digits, lower-cased, no stemming; single non-stop terms and adjacent pairs of them
        (`pairs=False` for its Reuters runs)."""
        return cls(stop="english", pairs=pairs)

    @classmethod
    def sable(cls, *, parts_of_speech: Iterable[str] = ()) -> Recipe:
        """004 sec. 5: words; restriction to grammatical categories is one of the system's options."""
        return cls(tokens="letters", parts_of_speech=tuple(parts_of_speech))

    @classmethod
    def parse(cls, text: str) -> Recipe:
        """A recipe from one line: a preset's name, settings, or both (`lewis`, `stop=english,pairs`, `wilbur_kim,pairs=no`).

        Lists are joined by +, yes/no settings may stand alone.
        """
        recipe = cls()
        for n, part in enumerate(filter(None, (part.strip() for part in text.split(",")))):
            name, equals, value = part.partition("=")
            if name in PRESETS and not equals:
                if n:
                    raise InvalidSetting(f"{text!r}: a preset stands first")
                recipe = getattr(cls, name)()
            else:
                recipe = replace(recipe, **{name: parse_setting(name, value if equals else "yes")})
        return recipe

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """The words left out, folded as terms are."""
        from .definition import fold_case, normalise

        words = stop_list(self.stop) if isinstance(self.stop, str) else self.stop
        composed = [normalise(word) for word in words]
        return frozenset(map(fold_case, composed) if self.lowercase else composed)

    def to_dict(self) -> dict[str, Any]:
        """The settings that differ from the default, ready for JSON. A function is given by name and does not come back."""
        out: dict[str, Any] = {}
        for setting in fields(self):
            value = getattr(self, setting.name)
            if value != setting.default:
                out[setting.name] = list(value) if isinstance(value, tuple) else value
        if self.function is not None:
            module, name = (getattr(self.function, part, "?") for part in ("__module__", "__qualname__"))
            out["function"] = f"{module}:{name}"
        return out

    @classmethod
    def from_dict(cls, settings: dict[str, Any]) -> Recipe:
        """The recipe of `to_dict`. A recipe with a function cannot be rebuilt from its name: no code is run from files."""
        if "function" in settings:
            what = f"this recipe uses the Python function {settings['function']}"
            raise InvalidSetting(f"{what}; give it as Recipe(function=...): functions are never loaded from files")
        known = {setting.name for setting in fields(cls)}
        if unknown := [name for name in settings if name not in known]:
            raise UnknownName("recipe setting", unknown[0], known)
        arguments: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in settings.items()}
        return cls(**arguments)

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits: equal for recipes that make the same terms. Counts of different fingerprints never mix."""
        from .characters import character_table

        settings = self.to_dict()
        settings["stop"] = sorted(self.stop_words)
        if self.stem is not None:
            from importlib import metadata

            settings["snowball"] = metadata.version("snowballstemmer").split(".")[0]
        identity = {"format": 1, "unicode": character_table().unicode_version, "recipe": settings}
        text = json.dumps(identity, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def __str__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.to_dict().items())
        return f"Recipe({settings})"

    def with_(self, **changes: Any) -> Recipe:
        """The same recipe with some settings changed."""
        return replace(self, **changes)

    def terms(self, text: str) -> list[str]:
        """The terms of one text, in order, a bigram after its second word."""
        from .definition import terms_of

        return terms_of(self, text)

    def prepared(self, text: str) -> str:
        """What the scanner gets: the text, or its words of the chosen parts of speech."""
        from .definition import tagged_words

        return tagged_words(text, self.parts_of_speech) if self.parts_of_speech else text

    def deriver(self) -> Callable[[str], str | None]:
        """A function from a raw term to the term after stop list and stemmer, None if it is left out."""
        from .definition import term_filter

        return term_filter(self)


def recipe_from(settings: Any, where: Any) -> Recipe:
    """The recipe whose settings a file has; where: the file. A function must be given by hand: code is never loaded."""
    if not isinstance(settings, dict):
        raise DamagedFile(f"{where}: the settings of the recipe are no object")
    if "function" not in settings:
        for name, value in settings.items():
            if name in SETTING_TYPES and not SETTING_TYPES[name](value):
                raise DamagedFile(f"{where}: the recipe's {name} cannot be {str(value)[:60]!r}")
    try:
        return Recipe.from_dict(settings)
    except (UnknownName, InvalidSetting) as problem:
        raise (problem if "function" in settings else DamagedFile(f"{where}: {problem}")) from None


def _recipe_of_file(settings: Any, fingerprint: Any, with_function: Recipe | None, path: str) -> Recipe:
    """The recipe of a file, which makes the same terms; where it has a function, the one the caller of `load` gave."""
    has_function = isinstance(settings, dict) and "function" in settings
    recipe = with_function if has_function and with_function is not None else recipe_from(settings, path)
    if recipe.fingerprint != fingerprint:
        raise RecipesDiffer(f"{path}: counted with another recipe, or other Unicode or stemmer tables, than {recipe}")
    return recipe


def _are_strings(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(part, str) for part in value)


SETTING_TYPES: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("tokens", "numbers", "stem"), lambda value: isinstance(value, str)),
    **dict.fromkeys(("lowercase", "pairs", "prefix_fields"), lambda value: isinstance(value, bool)),
    **dict.fromkeys(("fields", "parts_of_speech"), _are_strings),
    "stop": lambda value: isinstance(value, str) or _are_strings(value),
    "min_length": lambda value: type(value) is int,
}
PRESETS = ("joachims", "lewis", "sable", "schneider", "wilbur_kim")


def parse_setting(name: str, value: str) -> Any:
    """The value of a recipe setting that was written as text."""
    yes_no = {"yes": True, "true": True, "no": False, "false": False}
    if name in ("lowercase", "pairs", "prefix_fields"):
        if value not in yes_no:
            raise InvalidSetting(f"{name}={value}: write yes or no")
        return yes_no[value]
    if name == "min_length":
        if not (value.isascii() and value.isdigit() and len(value) <= 18):
            raise InvalidSetting(f"{name}={value}: write a whole number")
        return int(value)
    if name in ("fields", "parts_of_speech"):
        return tuple(value.split("+"))
    if name == "stop":
        return tuple(filter(None, value.split("+"))) if "+" in value else value  # one word alone: `word+`
    if name in ("tokens", "numbers", "stem"):
        return value
    raise UnknownName("recipe or setting", name, (*PRESETS, *sorted(SETTING_TYPES)))
