"""`rubricate predict` over a large file of JSON Lines, beside scikit-learn: `python -m benchmarks.streaming MEGABYTES ROUNDS`.

Both read the same lines with orjson and write the same kind of lines by the same code: labels, and probabilities from 0.0005 up.
Seconds are of whole processes, start and loading of the model included; rounds are interleaved. scikit-learn's pipelines are
MultinomialNB on CountVectorizer and on HashingVectorizer (2^18 columns), 1,000 documents at a time; the better one counts.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from .measured import Measured, resident_mb

THEIRS = ("counting", "hashing")
OURS = ("rubricate, 1 thread", "rubricate, all cores")
AT_A_TIME = 1000
HASHING: dict[str, Any] = {"n_features": 2**18, "alternate_sign": False, "norm": None}
FITTED = ("classes_", "class_log_prior_", "feature_log_prob_")


def write_files(folder: Path, megabytes: int) -> None:
    """Labelled documents to learn from, and new ones of so many megabytes: the articles again and again, words changed."""
    import orjson

    from .texts import changed, newsgroups

    _, texts, labels = newsgroups()
    with (folder / "train.jsonl").open("wb") as out:
        for n, (text, label) in enumerate(zip(texts[::2], labels[::2], strict=True)):
            out.write(orjson.dumps({"id": str(n), "text": text, "label": label}) + b"\n")
    left = megabytes * 1_000_000
    with (folder / "new.jsonl").open("wb") as out:
        for document in changed(texts, labels, 2 * left).documents():
            line = orjson.dumps({"id": document.id, "text": document.text}) + b"\n"
            out.write(line)
            left -= len(line)
            if left <= 0:
                break


def train_theirs(folder: Path) -> None:
    """scikit-learn's pipelines, kept as arrays and a list of words."""
    import numpy as np
    import orjson
    from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
    from sklearn.naive_bayes import MultinomialNB

    with (folder / "train.jsonl").open("rb") as lines:
        rows = [orjson.loads(line) for line in lines]
    texts, labels = [row["text"] for row in rows], [row["label"] for row in rows]
    for name, vectorizer in (("counting", CountVectorizer()), ("hashing", HashingVectorizer(**HASHING))):
        model = MultinomialNB().fit(vectorizer.fit_transform(texts), labels)
        np.savez(folder / f"{name}.npz", **{part: getattr(model, part) for part in FITTED})
        words = vectorizer.get_feature_names_out().tolist() if name == "counting" else []
        (folder / f"{name}.json").write_bytes(orjson.dumps(words))


def loaded_theirs(folder: Path, name: str) -> tuple[Any, Any]:
    """A pipeline as it was trained."""
    import numpy as np
    import orjson
    from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
    from sklearn.naive_bayes import MultinomialNB

    words = orjson.loads((folder / f"{name}.json").read_bytes())
    vectorizer = CountVectorizer(vocabulary=words) if name == "counting" else HashingVectorizer(**HASHING)
    model = MultinomialNB()
    with np.load(folder / f"{name}.npz") as held:
        for part in FITTED:
            setattr(model, part, held[part])
    model.n_features_in_ = model.feature_log_prob_.shape[1]
    return vectorizer, model


def theirs(folder: Path, name: str) -> None:
    """Answers by a pipeline of scikit-learn."""
    import numpy as np
    import orjson

    from rubricate.scoring.prediction_rows import OutputSettings, Totals, output_rows
    from rubricate.scoring.prediction_writer import FORMATS

    vectorizer, model = loaded_theirs(folder, name)
    writer, settings = FORMATS["jsonl"](model.classes_.tolist()), OutputSettings()
    with (folder / "new.jsonl").open("rb") as lines, (folder / "out.jsonl").open("wb") as out:
        while some := [orjson.loads(line) for line in islice(lines, AT_A_TIME)]:
            p = model.predict_proba(vectorizer.transform([row["text"] for row in some]))
            decisions = np.zeros(p.shape, dtype=np.int64)
            decisions[np.arange(len(p)), p.argmax(axis=1)] = 1
            unknown = np.zeros(len(p), dtype=bool)
            block: Any = SimpleNamespace(
                ids=[row["id"] for row in some], probabilities=p, decisions=decisions, unknown=unknown
            )
            rows = output_rows([block], settings, Totals(), multilabel=False, words_behind=lambda *_: [])
            out.writelines(map(writer.block, rows))


def ours(folder: Path, name: str) -> None:
    """The command itself."""
    from rubricate.cli import main

    jobs = ["-j", "1"] if name == OURS[0] else []
    try:
        main(
            [
                "predict",
                str(folder / "m.rub"),
                str(folder / "new.jsonl"),
                "-o",
                str(folder / "out.jsonl"),
                "--json",
                *jobs,
            ]
        )
    except SystemExit as ended:
        if ended.code:
            raise


def once(folder: Path, name: str) -> Measured:
    """One process: its seconds from start to end, its peak memory, its CPU seconds."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.streaming", "--one", str(folder), name],
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{name} failed:\n{done.stderr[-3000:]}")
    own = json.loads(done.stdout.splitlines()[-1])
    return Measured([seconds], own["peak_mb"], 0.0, own["cpu"])


def one(folder: Path, name: str) -> None:
    """What the process does."""
    if name == "files":
        write_files(folder, int((folder / "megabytes").read_text()))
    elif name == "train":
        train_theirs(folder)
    elif name in THEIRS:
        theirs(folder, name)
    else:
        ours(folder, name)
    print(json.dumps({"peak_mb": resident_mb(), "cpu": time.process_time()}))


def main(megabytes: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "megabytes").write_text(str(megabytes))
        once(folder, "files")
        once(folder, "train")
        command = ["train", str(folder / "train.jsonl"), "-m", "multinomial", "-o", str(folder / "m.rub"), "--json"]
        program = f"from rubricate.cli import main; main({command!r})"
        subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
        size = (folder / "new.jsonl").stat().st_size / 1e6
        found: dict[str, list[Measured]] = {name: [] for name in (*OURS, *THEIRS)}
        for round_ in range(rounds):
            for name, runs in found.items():
                runs.append(once(folder, name))
                own = runs[-1]
                print(
                    f"  round {round_ + 1} {name}: {own.best:.1f} s, {own.told:.1f} s of CPU, {own.peak_mb:.0f} MB",
                    flush=True,
                )
    seconds = {name: statistics.median(run.best for run in runs) for name, runs in found.items()}
    cpu = {name: statistics.median(run.told for run in runs) for name, runs in found.items()}
    peak = {name: max(run.peak_mb for run in runs) for name, runs in found.items()}
    for name, own in seconds.items():
        print(
            f"{name:22} {own:7.1f} s  {size / own:6.1f} MB/s  {cpu[name]:7.1f} s of CPU  {peak[name]:5.0f} MB at most"
        )
    times = min(seconds[name] for name in THEIRS) / seconds[OURS[1]]
    print(f"{times:.1f} times scikit-learn's better one, over {size:,.0f} MB, median of {rounds}")
    print(json.dumps({"megabytes": size, "seconds": seconds, "cpu": cpu, "peak_mb": peak, "times": times}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(Path(sys.argv[2]), sys.argv[3])
    else:
        main(*map(int, [*sys.argv[1:], *("1000", "3")[len(sys.argv) - 1 :]]))
