"""One document: by command, by command for the first time after installation, and in a running process; beside scikit-learn's
TF-IDF + LinearSVC doing the same. `python -m benchmarks.cold_start`. CPU seconds and peak memory of whole processes, medians.

Commands run on a copy of the package whose compiled Python files are there, as after an installation; `first` has none."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .texts import newsgroups

ROUNDS = 5
DOCUMENTS = 2500  # learned in the running process: 20 labels, some 50,000 terms
WORDS = 200
SOURCE = Path(__file__).parent.parent / "src" / "rubricate"
SIZES = (500_000, 1_000_000, 1_500_000)  # bytes of input, by the plain definition and by compiled loops

FORCED = "import sys\nfrom rubricate.cli import main, options\noptions.SMALL = int(sys.argv[1])\nmain(sys.argv[2:])"
# a process begins with its parent's peak of memory: this parent is smaller than anything that is measured
LAUNCHER = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print([status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024])
"""
PEER = """
import json, pickle, sys
model = pickle.load(open(sys.argv[1], "rb"))
rows = [json.loads(line) for line in open(sys.argv[2])]
vectors, svm = model[0], model[1]
"""
PEERS = {
    "predict": PEER + "print(model.predict([row['text'] for row in rows]))",
    "explain": PEER
    + """
x = vectors.transform([rows[0]["text"]])
label = svm.decision_function(x)[0].argmax()
names = vectors.get_feature_names_out()
print(sorted(zip((x.data * svm.coef_[label, x.indices]).tolist(), names[x.indices]))[-15:])
""",
    "inspect": PEER
    + """
names = vectors.get_feature_names_out()
print({label: names[row.argsort()[-8:]].tolist() for label, row in zip(svm.classes_, svm.coef_)})
""",
    "evaluate": PEER
    + """
from sklearn.metrics import classification_report
print(classification_report([row["label"][0] for row in rows], model.predict([row["text"] for row in rows]), zero_division=0))
""",
}


def cost(command: Sequence[object], package: Path | None = None) -> tuple[float, float]:
    """CPU seconds and peak MB of one process."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    if package is not None:
        environment["PYTHONPATH"] = str(package)
    launched = [sys.executable, "-S", "-c", LAUNCHER, *map(str, command)]
    done = subprocess.run(launched, capture_output=True, text=True, check=False, env=environment)
    code, seconds, megabytes = json.loads(done.stdout)
    if code:
        raise SystemExit(f"{command}:\n{done.stderr[-2000:]}")
    return seconds, megabytes


def usual_cost(command: Sequence[object], package: Path | None = None) -> list[float]:
    """Medians, after a run that is not counted."""
    cost(command, package)
    rows = [cost(command, package) for _ in range(ROUNDS)]
    return [statistics.median(row[n] for row in rows) for n in (0, 1)]


def copied(folder: Path, name: str) -> Path:
    """The package without compiled Python files."""
    shutil.copytree(SOURCE, folder / name / "rubricate", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / name


def written(path: Path, texts: Sequence[str], labels: Sequence[Sequence[str]]) -> Path:
    rows = [
        {"id": str(n), "text": text, "label": list(names)}
        for n, (text, names) in enumerate(zip(texts, labels, strict=True))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def peer(texts: Sequence[str], labels: Sequence[str]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    return make_pipeline(TfidfVectorizer(sublinear_tf=True), LinearSVC()).fit(texts, labels)


def by_command(folder: Path) -> dict[str, Any]:
    """Ours and scikit-learn's, [CPU seconds, peak MB] each; the sample: 8 labels, 5,027 terms, 190 documents to evaluate."""
    import rubricate as rb

    train, test = rb.collections.load("enquiries")
    model, other = folder / "model.rub", folder / "model.pickle"
    rb.TextClassifier("linear_svm").fit(train).save(model)
    other.write_bytes(pickle.dumps(peer(train.texts, [names[0] for names in train.labels])))
    one = written(folder / "one.jsonl", test.texts[:1], test.labels[:1])
    many = written(folder / "test.jsonl", test.texts, test.labels)
    package = copied(folder, "installed")
    ours = [sys.executable, "-m", "rubricate"]
    commands = {
        "predict": ["predict", model, one],
        "explain": ["explain", model, test.texts[0]],
        "inspect": ["inspect", model],
        "info": ["info", many],
        "evaluate": ["evaluate", model, many],
        "--help": ["--help"],
        "predict --help": ["predict", "--help"],
    }
    rows: dict[str, Any] = {}
    for name, arguments in commands.items():
        rows[name] = {"ours": usual_cost([*ours, *arguments], package), "sklearn": None}
        if name in PEERS:
            file = many if name == "evaluate" else one
            rows[name]["sklearn"] = usual_cost([sys.executable, "-c", PEERS[name], other, file])
    first = []
    for n in range(3):
        fresh = copied(folder, f"fresh {n}")
        first.append([cost([*ours, *commands["predict"]], fresh)[0] for _ in range(2)])
    return {
        "commands": rows,
        "numpy": usual_cost([sys.executable, "-c", "import numpy"]),
        "first": [statistics.median(row[n] for row in first) for n in (0, 1)],
        "switch": switch(folder, model, test),
    }


def switch(folder: Path, model: Path, test: Any) -> dict[str, list[Any]]:
    """CPU seconds of commands by the plain definition and by compiled loops, for input of some sizes; one run each. Of the
    package itself, whose loops are compiled already: a copy would compile them first."""
    out: dict[str, list[Any]] = {}
    texts, labels = test.texts, test.labels
    size = sum(len(text) + 60 for text in texts)
    for wanted in SIZES:
        times = max(1, round(wanted / size))
        path = written(folder / f"{wanted}.jsonl", texts * times, labels * times)
        for name, arguments in (("predict", ["predict", model, path]), ("info", ["info", path])):
            ways = [cost([sys.executable, "-c", FORCED, small, *arguments])[0] for small in (1 << 40, 0)]
            out.setdefault(name, []).append([path.stat().st_size, *ways])
    return out


def milliseconds(work: Callable[[str], Any], documents: list[str]) -> list[float]:
    """CPU milliseconds a document, the best and the median of 20 rounds."""
    for document in documents:
        work(document)
    rounds = []
    for _ in range(20):
        start = time.process_time()
        for document in documents:
            work(document)
        rounds.append(1000 * (time.process_time() - start) / len(documents))
    return [min(rounds), statistics.median(rounds)]


def answer(path: str, documents: list[str]) -> dict[str, Any]:
    """In this process: a model of ours (`.rub`), or a pickled one."""
    if not path.endswith(".rub"):
        model = pickle.loads(Path(path).read_bytes())
        shape = model[1].coef_.shape
        return {"labels": shape[0], "terms": shape[1], "predict": milliseconds(lambda d: model.predict([d]), documents)}
    import rubricate as rb

    ours = rb.load(path)
    return {
        "labels": len(ours.classes_),
        "terms": len(ours.terms_),
        "predict": milliseconds(lambda d: ours.predict([d]), documents),
        "explain": milliseconds(ours.explain, documents),
    }


def in_a_running_process(folder: Path) -> dict[str, Any]:
    import rubricate as rb

    name, texts, labels = newsgroups()
    step = max(1, len(texts) // DOCUMENTS)
    words = " ".join(texts[1::step][:200]).split()
    documents = [" ".join(words[start : start + WORDS]) for start in range(0, 100 * WORDS, WORDS)]
    (folder / "documents.json").write_text(json.dumps(documents), "utf-8")
    learned = texts[::step], labels[::step]
    files = {}
    for kind in ("multinomial", "linear_svm"):
        files[kind] = folder / f"{kind}.rub"
        rb.TextClassifier(kind, folds=2).fit(*learned).save(files[kind])
    files["sklearn"] = folder / "running.pickle"
    files["sklearn"].write_bytes(pickle.dumps(peer(*learned)))
    rows = {}
    for kind, path in files.items():
        command = [sys.executable, "-m", "benchmarks.cold_start", str(path), str(folder / "documents.json")]
        rows[kind] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {"name": name, "models": rows}


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(answer(sys.argv[1], json.loads(Path(sys.argv[2]).read_text("utf-8")))))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(json.dumps({"command": by_command(folder), "running": in_a_running_process(folder)}))


if __name__ == "__main__":
    main()
