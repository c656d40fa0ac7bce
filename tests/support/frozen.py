"""What the frozen files were made of, and what is asked of them: a small corpus, some new texts, and all that a classifier says.

`tests/fixtures/make_frozen_files.py` asked the code of version 0.1 once, `tests/storage/test_format_1.py` asks the present one.
Only public names are used here, so that the questions outlive any change inside.
"""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parents[1] / "fixtures" / "frozen_format_1"

# -- the corpus: four labels, of which a document may have several or none; each label has its words, and all share some
WORDS = {
    "grain": ["wheat", "corn", "rye", "harvest", "crop", "barley", "tonnes"],
    "money": ["bank", "money", "stocks", "shares", "rates", "lends", "loan"],
    "ship": ["ships", "port", "tanker", "cargo", "vessel", "crew", "freight"],
    "zölle": ["Zölle", "tariff", "customs", "duty", "naïve", "Straße", "関税"],
}
SHARED = ["the", "a", "and", "of", "rise", "fall", "1987", "1,250", "said", "prices"]
SIZES = {"grain": 13, "money": 11, "ship": 9, "zölle": 7}


def training() -> tuple[list[str], list[list[str]]]:
    """Texts and their lists of labels; the same ones for ever: `random.Random` promises it for `random()`."""
    draw = random.Random(16)

    def some(words: list[str], n: int) -> list[str]:
        return [words[int(draw.random() * len(words))] for _ in range(n)]

    texts, labels = [], []
    for label, size in SIZES.items():
        for _ in range(size):
            own = [label]
            if draw.random() < 0.25:
                other = list(SIZES)[int(draw.random() * len(SIZES))]
                own = sorted({label, other})
            words = [word for name in own for word in some(WORDS[name], 3 + int(draw.random() * 3))]
            words += some(SHARED, 3)
            words += some(WORDS[list(SIZES)[int(draw.random() * len(SIZES))]], int(draw.random() * 2))
            words.sort(key=lambda _: draw.random())
            texts.append(" ".join(words))
            labels.append(own)
    texts.append("prices said the year")
    labels.append([])
    return texts, labels


TEXTS, LISTS = training()
FIELDS = [{"title": " ".join(text.split()[:3]), "body": " ".join(text.split()[3:])} for text in TEXTS]
NEW = [
    "corn and wheat harvest",
    "The BANK lends money; shares fall!",
    "a ship in port with a cargo of corn",
    "",
    "nobody knows such vocabulary",
    "ZÖLLE an der STRASSE, nai\u0308ve 関税 \U0001f4a1 za\u200bro",
    " ".join(word for n in range(20) for word in (*WORDS["grain"], *SHARED, *WORDS["money"][: n % 7])),
    "port port port port port port port",
    " \t\n ... !!! \u3000",
    "1,250 tonnes in 1987, 12.5 % of 9999",
    "tanker unbekannt loan mystère duty",
    TEXTS[3],
]
NEW_FIELDS = [{"title": text[: len(text) // 2], "body": text[len(text) // 2 :]} for text in NEW]
LEARNED = ["wheat and rye and barley in the silo", "loan of the bank on tanker freight"]
LEARNED_AS = (0, 20)  # they have the labels of these two training documents
FORMS = ("one", "lists", "indicator", "numbers", "floats", "booleans")


def labels_in(form: str, lists: list[list[str]] | None = None) -> Any:
    """The labels of the training documents, in one of the forms in which people give them."""
    own, names = LISTS if lists is None else lists, list(SIZES)
    if form == "lists":
        return own
    if form == "indicator":
        return np.array([[int(name in labels) for name in names] for labels in own])
    first = [labels[0] if labels else "money" for labels in own]
    if form == "one":
        return first
    if form == "two":
        return ["money" if label == "money" else "other" for label in first]
    places = np.array([names.index(label) for label in first])
    return {"numbers": places * 5 - 3, "floats": places / 2, "booleans": places > 0}[form]


def spelled(recipe_text: str) -> list[str]:
    """A recipe's function, which no file holds: words of three letters or more, backwards."""
    return [word[::-1] for word in recipe_text.lower().split() if len(word) > 2]


# -- what is asked


def scores_of(model: Any, X: Any) -> Any:
    """Documents x labels; `decision_function` may have one column where there are two labels."""
    return (model.class_scores if hasattr(model, "class_scores") else model.decision_function)(X)


def plain(value: Any) -> Any:
    """As JSON holds it; floats keep every bit."""
    return json.loads(json.dumps(value, default=lambda own: own.tolist()))


def said(model: Any, X: Any = NEW) -> dict[str, Any]:
    """Labels, scores, probabilities, thresholds."""
    cuts = model.thresholds_
    return plain(
        {
            "labels": list(model.predict(X)),
            "scores": scores_of(model, X),
            "probabilities": model.predict_proba(X),
            "cuts": cuts,
        }
    )


def reasons(model: Any, texts: Any = NEW) -> list[Any]:
    """Why each text has its labels; of the third, why it has each label or not."""
    names = [str(label) for label in model.classes_.tolist()]
    asked = [(text, None) for text in texts] + [(text, name) for text in texts[2:3] for name in names]
    return plain([[asdict(one) for one in model.explain(text, label, top=5)] for text, label in asked])


def learn_and_forget(model: Any, form: str, fields: bool = False) -> Any:
    """What a classifier says once it has learned two documents, and once it has forgotten them again."""
    X: Any = [{"title": text, "body": ""} for text in LEARNED] if fields else LEARNED
    y = labels_in(form)
    y = [y[at] for at in LEARNED_AS] if isinstance(y, list) else y[list(LEARNED_AS)]
    new: Any = NEW_FIELDS[:4] if fields else NEW[:4]
    after = [said(model.learn(X, y), new), said(model.forget(X, y), new)]
    return plain(after)
