"""Options of learning, which `train` and `label-errors` share; what they stand for; trials shown as they come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from .options import jobs_option, parse_recipe, together
from .output import plural, printable, say

if TYPE_CHECKING:
    from ..corpus import Corpus
    from ..terms.recipe import Recipe
    from ..training.candidates import Candidate
    from ..training.trial import Trial


# what people type: names of the field, and of rainbow
MODEL_ALIASES = {
    "knn": "nearest_neighbours",
    "linear_svm": "support_vector",
    "logistic_regression": "maximum_entropy",
    "maxent": "maximum_entropy",
    "naivebayes": "multinomial",
    "prind": "prtfidf",
    "ridge": "least_squares",
    "svm": "support_vector",
}
UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


learning_options = together(
    click.option(
        "--model",
        "-m",
        default="auto",
        show_default=True,
        metavar="NAME",
        help="auto tries the usual ones; or multinomial, support_vector (a linear SVM), … (a wrong name lists all), with "
        "settings: multinomial:smoothing=0.1",
    ),
    click.option(
        "--recipe", "-r", default="", metavar="RECIPE", help="How text becomes terms, as in `rubricate count`."
    ),
    click.option("--select", metavar="SCORE:N", help="Only the N best terms by a score, as in dkl:5000."),
    click.option(
        "-T", "most_informative", type=click.IntRange(min=1), metavar="N", help="--select mutual_information:N"
    ),
    click.option("--weighting", metavar="FORM", help="For models of weighted documents: ltc, bm25, …"),
    click.option(
        "--measure",
        default="auto",
        show_default=True,
        help="What choices are made by: microF1, macroF1, AP, … auto: microF1; single-label: accuracy.",
    ),
    click.option(
        "--budget",
        default="60s",
        show_default=True,
        metavar="TIME",
        help="For trials, about: 90s, 5m, 1h.",
    ),
    click.option("--labelled-only", is_flag=True, help="Leave out documents without labels."),
    click.option("--folds", default=5, show_default=True, type=click.IntRange(min=2), help="Of the cross-validation."),
    click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of everything random."),
    jobs_option,
)


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """The options' values, checked before anything is read."""

    model: Any  # "auto", or a classifier that is not fitted
    recipe: Recipe | None
    select: str | None
    weighting: str | None
    measure: str
    budget: float
    folds: int
    seed: int
    jobs: int | None
    labelled_only: bool

    def candidates(self) -> list[Candidate]:
        """The candidates to try."""
        from ..training.candidates import candidate, shortlist

        if self.model == "auto":
            return shortlist(recipe=self.recipe, select=self.select)
        return [candidate(self.model, recipe=self.recipe, select=self.select, weighting=self.weighting)]


def parse_learning_options(
    model: str, recipe: str, select: str | None, most_informative: int | None, measure: str, budget: str, **rest: Any
) -> LearningOptions:
    """The options' values; an error for what makes no sense."""
    from ..errors import InvalidSetting
    from ..measures.metrics import measure as measure_named

    if select is not None and most_informative is not None:
        raise InvalidSetting("-T and --select both choose terms: give one")
    if model == "auto" and rest["weighting"] is not None:
        raise InvalidSetting("--weighting goes with a --model of weighted documents: name one")
    options = LearningOptions(
        model=model if model == "auto" else parse_model(model),
        recipe=parse_recipe(recipe) if recipe else None,
        select=select if most_informative is None else f"mutual_information:{most_informative}",
        measure=measure if measure == "auto" else measure_named(measure).name,
        budget=parse_seconds(budget),
        **rest,
    )
    options.candidates()  # settings that do not fit together are an error
    return options


def parse_model(text: str) -> Any:
    """A model as people write it: `multinomial`, `svm`, `multinomial:smoothing=0.1,priors=uniform`."""
    from ..errors import InvalidSetting, UnknownName
    from ..models import MODELS

    name, colon, rest = text.partition(":")
    name = MODEL_ALIASES.get(name, name)
    if name not in MODELS:
        raise UnknownName("model", name, (*MODELS, "auto"))
    settings = {}
    known = MODELS[name].kind().get_params()
    for word in rest.split(",") if colon else ():
        key, equals, value = word.partition("=")
        if not equals or key not in known:
            raise InvalidSetting(f"--model {text}: {word!r} is no setting of {name}; it has {', '.join(sorted(known))}")
        settings[key] = parse_value(value)
    return MODELS[name].kind(**settings)


def parse_value(value: str) -> Any:
    """A number, true, false or null; otherwise a word."""
    import json

    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def parse_seconds(text: str) -> float:
    """A time as people write it: 90, 90s, 5m, 1h."""
    from ..errors import InvalidSetting

    number, unit = (text[:-1], text[-1]) if text[-1:] in UNITS else (text, "s")
    if not number.isascii() or not number.replace(".", "", 1).isdigit():
        raise InvalidSetting(f"--budget {text}: give a time, as in 90s, 5m or 1h")
    return float(number) * UNITS[unit]


def trial_printer(*, quiet: bool) -> Callable[[Trial], None]:
    """A function that prints each trial when it has been made, with a heading before the first."""
    is_first = True

    def print_trial(trial: Trial) -> None:
        nonlocal is_first
        if quiet:
            return
        if is_first:
            say("on documents not seen (held-out): value, 95 % interval, what was tried")
        is_first = False
        say(f"  {trial.value:.4f}  {trial.low:.4f} to {trial.high:.4f}  {printable(str(trial.candidate), 90)}")

    return print_trial


def labelled_corpus(corpus: Corpus, labelled_only: bool) -> Corpus:
    """The documents to learn from; says what documents without labels stand for."""
    import numpy as np

    from ..errors import InputError

    sizes = np.array([len(labels) for labels in corpus.labels], dtype=np.int64)
    if not sizes.any():
        raise InputError(corpus.name, "no document has a label", "name the column of labels with --labels")
    without = int((sizes == 0).sum())
    if labelled_only and without:
        say(f"left out: {plural(without, 'document')} without labels")
        return corpus.at(sizes > 0)
    if without and sizes.max() == 1:
        say(
            f"{plural(without, 'document')} without labels, the others have one: each label is decided for itself, and to these "
            "none fits. If they are only not labelled yet, say --labelled-only"
        )
    return corpus
