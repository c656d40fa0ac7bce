"""`make bench`: measure, print, and keep the last table in RESULTS.md."""

from __future__ import annotations

import datetime
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
from pathlib import Path

from .measured import Measured, alone
from .texts import data_folder, newsgroups

ROUNDS = 5


def machine() -> str:
    """What was measured on."""
    name = platform.processor() or "unknown processor"
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [
            line.split(":")[1].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")
        ]
        name = models[0] if models else name
    import numba
    import numpy
    import sklearn

    return (
        f"{name}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}, "
        f"numpy {numpy.__version__}, numba {numba.__version__}, scikit-learn {sklearn.__version__}"
    )


def help_seconds() -> float:
    """CPU seconds of `rubricate --help`, the best of five."""
    best = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        program = "from rubricate.cli import main; main(['--help'])"
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def interleaved(whos: list[str]) -> dict[str, list[Measured]]:
    """Rounds of all competitors in turn, each in a process of its own that does the work once, so that a slow minute of
    the machine hits all alike and peak memory is that of one piece of work."""
    found: dict[str, list[Measured]] = {who: [] for who in whos}
    for round_ in range(ROUNDS):
        for who in whos:
            found[who].append(alone("benchmarks.text_to_csr", who, 1))
            print(
                f"  round {round_ + 1} {who}: {found[who][-1].best:.3f} s, {found[who][-1].peak_mb:.0f} MB", flush=True
            )
    return found


def count_models() -> list[str]:
    """Curves, cross-validation, DCM and text to model: needs the real collections."""
    if data_folder() is None:
        return []
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.count_models"], capture_output=True, text=True, check=False, env=os.environ
    )
    if done.returncode:
        raise SystemExit(done.stderr[-3000:])
    found = json.loads(done.stdout.splitlines()[-1])
    lines = [
        "## Count models",
        "",
        "A selection curve over 100 sizes of 20 Newsgroups' vocabulary (20,000 terms by dKL, 4,000 test documents): one sweep "
        "against 100 fits, a tenth of which were made (times ten here) and gave the same accuracies. One run each.",
        "",
        "| model | sweep, s | 100 fits on documents, s | times | 100 fits from selected counts, s | times |",
        "|---|---|---|---|---|---|",
    ]
    for name, (once, documents, counts) in found["curve"].items():
        lines.append(
            f"| {name} | {once:.2f} | {documents:.1f} | {documents / once:.0f} | {counts:.1f} | {counts / once:.0f} |"
        )
    own = found["validation"]
    lines += [
        "",
        f"Ten-fold cross-validation of all {own['models']} count models on the 90 topics of Reuters: by subtraction, counting "
        "the folds included, against our own `fit` of each model on the training documents of each fold; scores and decisions on "
        "both sides (those of one fold are checked: the same, where the fit gets no columns of terms that training lacks). "
        f"Medians of three interleaved runs; {own['folds_refitted']} of ten folds were fitted on documents (times "
        f"{10 / own['folds_refitted']:g} here).",
        "",
        "| | by subtraction, s | by fitting on documents, s | times |",
        "|---|---|---|---|",
    ]
    for threads, name in ((1, "one core, one thread"), (2, "two cores, two threads, a fold each")):
        ours, again = own[f"subtracting_{threads}"], own[f"refitting_{threads}"]
        lines.append(f"| {name} | {ours:.2f} | {again:.1f} | {again / ours:.1f} |")
    lines.append("")
    own = found["dirichlet"]
    lines += [
        f"- DCM of the 90 topics, {own['updates']:,} updates of eq. 8: {own['ours']:.2f} s over counts, "
        f"{own['over_documents']:.1f} s over documents (numpy, vectorised a label): "
        f"{own['over_documents'] / own['ours']:.0f} times, same parameters to 1e-8; to the maximum by Newton's method, which "
        f"{own['at_rest']} of 90 have: {own['to_rest']:.2f} s",
    ]
    own = found["text_to_model"]
    lines += [
        f"- text to a trained multinomial, 20 Newsgroups, all cores: {own['ours']:.2f} s; CountVectorizer + MultinomialNB "
        f"{own['sklearn']:.1f} s: {own['sklearn'] / own['ours']:.1f} times, same predictions, best of three each",
        "",
    ]
    return lines


def main() -> None:
    name, texts, _ = newsgroups()
    size = sum(len(text.encode()) for text in texts) / 1e6
    del texts
    print(f"raw text to CSR, {name}, {size:.1f} MB", flush=True)
    found = interleaved(["sklearn", "1", "2"])
    told = {run.told for runs in found.values() for run in runs}
    if len(told) != 1:
        raise SystemExit("the matrices differ")
    peer = statistics.median(run.best for run in found["sklearn"])
    peer_peak = statistics.median(run.peak_mb for run in found["sklearn"])
    rows = [("scikit-learn CountVectorizer", peer, peer_peak)]
    for threads in ("1", "2"):
        label = f"rubricate, {threads} thread{'s' if threads == '2' else ''}"
        rows.append(
            (
                label,
                statistics.median(run.best for run in found[threads]),
                statistics.median(run.peak_mb for run in found[threads]),
            )
        )
    lines = [
        "# Last measured",
        "",
        f"{datetime.date.today().isoformat()}; {machine()}. Made by `make bench`; ratios are within one run, median of "
        f"{ROUNDS} rounds taken in turn.",
        "",
        f"## Raw text to a documents x terms matrix: {name}, {size:.1f} MB",
        "",
        "Same words (two or more letters or digits), same resulting matrix (asserted by SHA-256 of indices, counts and "
        "terms). Peak RSS is of the whole process, texts included, for one piece of work. Our compiled loops are "
        "loaded from disk before the clock starts. The batch size (1 MB) was chosen on this very benchmark, for memory.",
        "",
        "| | seconds | MB/s | times scikit-learn | peak RSS, MB |",
        "|---|---|---|---|---|",
    ]
    for label, seconds, peak in rows:
        lines.append(f"| {label} | {seconds:.3f} | {size / seconds:.1f} | {peer / seconds:.1f} | {peak:.0f} |")
    print("\n".join(lines[-3:]), flush=True)
    lines += ["", "## Counting 1 GB of text (statistics alone; every tenth word changed in each repetition)", ""]
    lines += ["| threads | documents | terms | entries | seconds | peak RSS, MB |", "|---|---|---|---|---|---|"]
    for threads in (1, 2):
        run = alone("benchmarks.one_gigabyte", 1000, threads)
        documents, terms, entries = run.told
        lines.append(f"| {threads} | {documents:,} | {terms:,} | {entries:,} | {run.best:.1f} | {run.peak_mb:.0f} |")
        print(lines[-1], flush=True)
    lines += ["", "Seconds include making the changed text in Python, which one thread does.", ""]
    lines += count_models()
    print("\n".join(lines[-12:]), flush=True)
    one = alone("benchmarks.one_document")
    lines += [
        "## Small things",
        "",
        f"- one document of 200 words to `Counts` after warm-up: best {one.best * 1e6:.0f} µs, "
        f"median {statistics.median(one.seconds) * 1e6:.0f} µs",
        f"- `rubricate --help`: {help_seconds():.2f} s of CPU",
        "",
    ]
    print("\n".join(lines[-4:]), flush=True)
    Path(__file__).with_name("RESULTS.md").write_text("\n".join(lines), "utf-8")


if __name__ == "__main__":
    main()
