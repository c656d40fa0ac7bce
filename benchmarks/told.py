"""Each benchmark's figures as a part of RESULTS.md. Nothing is measured here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["PARTS"]

Lines = list[str]


def rows_of(head: str, rows: Iterable[str]) -> Lines:
    """A table."""
    return [head, "|---" * head.strip("|").count("|") + "|---|", *rows, ""]


def text(found: dict[str, Any]) -> Lines:
    table = found["table"]
    peer = table["rows"]["sklearn"][0]
    names = {"sklearn": "scikit-learn CountVectorizer", "1": "rubricate, 1 thread", "2": "rubricate, 2 threads"}
    one, usual = found["one_document"]
    return [
        f"## Raw text to a documents x terms matrix: {table['name']}, {table['megabytes']:.1f} MB",
        "",
        "Same words (two or more letters or digits), same resulting matrix (asserted by SHA-256 of indices, counts and "
        "terms). Peak RSS is of the whole process, texts included, for one piece of work. Our compiled loops are "
        "loaded from disk before the clock starts. The batch size (1 MB) was chosen on this very benchmark, for memory. "
        f"Medians of {table['rounds']} rounds taken in turn.",
        "",
        *rows_of(
            "| | seconds | MB/s | times scikit-learn | peak RSS, MB |",
            (
                f"| {names[who]} | {s:.3f} | {table['megabytes'] / s:.1f} | {peer / s:.1f} | {mb:.0f} |"
                for who, (s, mb) in table["rows"].items()
            ),
        ),
        "### Counting 1 GB of text (statistics alone; every tenth word changed in each repetition)",
        "",
        *rows_of(
            "| threads | documents | terms | entries | seconds | peak RSS, MB |",
            (f"| {t} | {d:,} | {v:,} | {e:,} | {s:.1f} | {mb:.0f} |" for t, d, v, e, s, mb in found["gigabyte"]),
        ),
        "Seconds include making the changed text in Python, which one thread does.",
        "",
        f"- one document of 200 words to `Counts` after warm-up: best {one * 1e6:.0f} µs, median {usual * 1e6:.0f} µs",
        f"- `rubricate --help`: {found['help']:.2f} s of CPU",
        "",
    ]


def count_models(found: dict[str, Any]) -> Lines:
    own, dirichlet, model = found["validation"], found["dirichlet"], found["text_to_model"]
    threads = ((1, "one core, one thread"), (2, "two cores, two threads, a fold each"))
    return [
        "## Count models",
        "",
        "A selection curve over 100 sizes of 20 Newsgroups' vocabulary (20,000 terms by dKL, 4,000 test documents): one sweep "
        "against 100 fits, a tenth of which were made (times ten here) and gave the same accuracies. One run each.",
        "",
        *rows_of(
            "| model | sweep, s | 100 fits on documents, s | times | 100 fits from selected counts, s | times |",
            (
                f"| {name} | {once:.2f} | {documents:.1f} | {documents / once:.0f} | {counts:.1f} | {counts / once:.0f} |"
                for name, (once, documents, counts) in found["curve"].items()
            ),
        ),
        f"Ten-fold cross-validation of all {own['models']} count models on the 90 topics of Reuters: by subtraction, counting "
        "the folds included, against our own `fit` of each model on the training documents of each fold; scores and decisions on "
        "both sides (those of one fold are checked: the same, where the fit gets no columns of terms that training lacks). "
        f"Medians of three interleaved runs; {own['folds_refitted']} of ten folds were fitted on documents (times "
        f"{10 / own['folds_refitted']:g} here).",
        "",
        *rows_of(
            "| | by subtraction, s | by fitting on documents, s | times |",
            (
                f"| {name} | {own[f'subtracting_{n}']:.2f} | {own[f'refitting_{n}']:.1f} | "
                f"{own[f'refitting_{n}'] / own[f'subtracting_{n}']:.1f} |"
                for n, name in threads
            ),
        ),
        f"- DCM of the 90 topics, {dirichlet['updates']:,} updates of eq. 8: {dirichlet['ours']:.2f} s over counts, "
        f"{dirichlet['over_documents']:.1f} s over documents (numpy, vectorised a label): "
        f"{dirichlet['over_documents'] / dirichlet['ours']:.0f} times, same parameters to 1e-8; to the maximum by Newton's "
        f"method, which {dirichlet['at_rest']} of 90 have: {dirichlet['to_rest']:.2f} s",
        f"- text to a trained multinomial, 20 Newsgroups, all cores: {model['ours']:.2f} s; CountVectorizer + MultinomialNB "
        f"{model['sklearn']:.1f} s: {model['sklearn'] / model['ours']:.1f} times, same predictions, best of three each",
        "",
    ]


def neighbours(found: dict[str, Any]) -> Lines:
    rows = []
    for name, own in found.items():
        for jobs in (1, 2):
            part = own[f"threads_{jobs}"]
            ours, peer, times = part["ours"], part["sklearn"], part["times_faster"]
            rows.append(
                f"| {name} | {jobs} | {ours['fit_and_find']:.2f} | {peer['fit_and_find']:.2f} | {times['fit_and_find']:.1f} | "
                f"{times['find_again']:.1f} | {ours['more_mb']:.0f} | {peer['more_mb']:.0f} |"
            )
    return [
        "## Nearest neighbours, against scikit-learn's brute-force cosine on the same matrix",
        "",
        "A process each; seconds of fitting and one search of all test documents; «again»: a second search in the same process; "
        "memory above what the matrices take.",
        "",
        *rows_of(
            "| collection | threads | ours, s | scikit-learn, s | times | times, again | ours, MB | scikit-learn, MB |",
            rows,
        ),
    ]


def online(found: dict[str, Any]) -> Lines:
    rows = []
    for name in ("reuters", "newsgroups"):
        own = found[name]
        for cores in ("", "_one_core"):
            ours, peer, held = (own[f"{who}{cores}"] for who in ("ours", "sgd", "sgd_one_blas_thread"))
            rows.append(
                f"| {name}: {own['documents']:,} x {own['terms']:,}, {own['labels']} labels | "
                f"{'one core' if cores else 'all cores'} | {ours:.3f} | {peer:.3f} | {peer / ours:.1f} | {held:.3f} | "
                f"{held / ours:.1f} |"
            )
    wider = [
        f"| {name}, {kind} | "
        + " | ".join(f"{costs[f'{kind} {n}']:.1f}" for n in (5_000, 50_000, 500_000))
        + f" | {costs[f'{kind} largest by smallest']:.2f} |"
        for name, costs in found["wider"].items()
        for kind in ("binary", "weights")
    ]
    costs = found["richer"]
    laws = [name.rsplit(" ", 1)[0] for name in costs if name.endswith(" 5000")]
    return [
        "## Online learners",
        "",
        "One averaged pass of Widrow-Hoff over all labels, cuts included, against OneVsRestClassifier(SGDClassifier("
        "squared_error, average, one pass)) as it comes and with BLAS kept to one thread.",
        "",
        *rows_of("| | | ours, s | SGD, s | times | SGD, one BLAS thread, s | times |", rows),
        "Exponentiated gradient, microseconds a document of a whole averaged fit with all labels: the same documents, of the "
        "5,000 most frequent terms, in vocabularies of three sizes, most of which no document has.",
        "",
        *rows_of("| documents | 5,000 | 50,000 | 500,000 | dearest by 5,000 |", wider),
        "The same where documents use all of the vocabulary: drawn, of 60 terms. Zipf: terms as in text; uniform: the "
        "worst case for a cache. A whole fit of 8,000; in brackets what the second half of them adds to it, a document.",
        "",
        *rows_of(
            "| terms drawn, values | 5,000 | 50,000 | 500,000 | dearest by 5,000 |",
            (
                f"| {law} | "
                + " | ".join(
                    f"{costs[f'{law} {n}']['fit']:.1f} ({costs[f'{law} {n}']['further']:.1f})"
                    for n in (5_000, 50_000, 500_000)
                )
                + " | {fit:.2f} ({further:.2f}) |".format(**costs[f"{law} largest by smallest"])
                for law in laws
            ),
        ),
    ]


def streaming(found: dict[str, Any]) -> Lines:
    return [
        f"## `rubricate predict` over {found['megabytes']:,.0f} MB of JSON Lines, a multinomial model of 20 labels",
        "",
        "Whole processes, start and loading included; the same lines read with orjson and the same kind of lines written.",
        "",
        *rows_of(
            "| | seconds | MB/s | CPU, s | peak RSS, MB |",
            (
                f"| {who} | {s:.1f} | {found['megabytes'] / s:.1f} | {found['cpu'][who]:.1f} | {found['peak_mb'][who]:.0f} |"
                for who, s in found["seconds"].items()
            ),
        ),
        f"{found['times']:.1f} times scikit-learn's better one.",
        "",
    ]


def routing(found: dict[str, Any]) -> Lines:
    names = {"one_pass_1000_topics": "with a stop list", "one_pass_1000_topics_no_stop_list": "without"}
    judged = found["judgement"]
    return [
        "## Routing: 20,000 documents over 1,000 topics of 60 terms, one pass",
        "",
        *rows_of(
            "| | ours, s | topic by topic with scipy, s | times | scipy on each topic's columns, s | times |",
            (
                f"| {told} | {found[name]['ours']:.3f} | {found[name]['scipy']:.2f} | {found[name]['times_faster']:.0f} | "
                f"{found[name]['scipy_by_columns']:.2f} | {found[name]['times_faster_than_by_columns']:.1f} |"
                for name, told in names.items()
            ),
        ),
        f"A judgement with {judged['judged']:,} judged documents: {judged['milliseconds']:.1f} ms, "
        f"{judged['milliseconds_with_disk']:.1f} ms with its files written and synced.",
        "",
    ]


def thresholds(found: dict[str, Any]) -> Lines:
    s = found["seconds"]
    return [
        "## Judging",
        "",
        f"- cuts with intervals, {found['labels']} labels x {found['documents']:,} documents, {found['draws']} draws: "
        f"{s['fit_cuts']:.2f} s with the pooled fallback, {s['fit_cuts_without_pool']:.2f} s without; one sort a draw and label "
        f"in numpy {s['obvious']:.1f} s: {s['obvious'] / s['fit_cuts']:.0f} times",
    ]


def significance(found: dict[str, Any]) -> Lines:
    return [
        f"- randomisation test of {name}, 10,000 shuffles, two systems on the same: {own['ours']:.2f} s; a numpy loop "
        f"{own['numpy']:.0f} s (a hundredth of it was run): {own['numpy'] / own['ours']:.0f} times"
        for name, own in found.items()
    ]


def density(found: dict[str, Any]) -> Lines:
    parts = [(f"random scores, k={own['k']}", own) for own in found["random"]]
    parts.append((f"Reuters, k={found['reuters']['k']}", found["reuters"]))
    return [
        "- density probabilities of 3,019 documents against 7,770, 90 labels:",
        "",
        *rows_of(
            "| | ours, s | cdist + sort, s | times | cdist + partition, s | times | a document at a time, s | times |",
            (
                f"| {name} | {own['ours']:.2f} | {own['cdist_sort']:.1f} | {own['cdist_sort_over_ours']:.0f} | "
                f"{own['cdist_partition']:.2f} | {own['cdist_partition_over_ours']:.1f} | {own['document_at_a_time']:.1f} | "
                f"{own['document_at_a_time_over_ours']:.0f} |"
                for name, own in parts
            ),
        ),
        f"Leave-one-out scores {found['reuters']['leave_one_out']:.2f} s, choosing k {found['reuters']['choosing_k']:.1f} s. "
        f"100,000 training documents x 90 labels: one document {found['many']['one'] * 1e3:.0f} ms, a thousand "
        f"{found['many']['thousand']:.2f} s.",
        "",
    ]


def trial_costs(found: dict[str, Any]) -> Lines:
    rows = [
        f"| {own['collection']}: {own['documents']:,} documents, {own['entries']:,} entries, {own['labels']} labels | "
        f"{row['candidate']} | {row['scoring'] + row['judging']:.2f} | {row['expected']:.2f} | "
        f"{row['expected'] / (row['scoring'] + row['judging']):.1f} |"
        for own in found["collections"]
        for row in own["rows"]
    ]
    return [
        '## What the trials of `model="auto"` cost, and what is expected of them',
        "",
        "CPU seconds of all threads for five folds, terms of pairs included; the least of two rounds, on a machine with other "
        "work on it. Expected: `candidates.cost`, from sizes alone. short: passages of twelve words from the training parts of "
        "20 Newsgroups, Reuters and OHSUMED.",
        "",
        *rows_of("| collection | candidate | measured, CPU s | expected | times |", rows),
    ]


def cold_start(found: dict[str, Any]) -> Lines:
    command, running = found["command"], found["running"]["models"]
    peer = running["sklearn"]["predict"]
    first, warm = command["first"]
    names = {"multinomial": "rubricate, multinomial", "linear_svm": "rubricate, linear SVM", "sklearn": "scikit-learn"}

    def both(pair: list[float] | None) -> str:
        return "– | –" if pair is None else f"{pair[0]:.2f} | {pair[1]:.0f}"

    return [
        "## One document",
        "",
        "Whole processes, start included: the sample (8 labels, 5,027 terms; 190 documents to evaluate and to look at), medians "
        "of 5. scikit-learn loads a pickled TF-IDF + LinearSVC and does the same; `explain` and `inspect` there are sorted "
        f"coefficients. `import numpy` alone takes {command['numpy'][0]:.2f} CPU s and {command['numpy'][1]:.0f} MB.",
        "",
        *rows_of(
            "| command | rubricate, CPU s | peak RSS, MB | scikit-learn, CPU s | peak RSS, MB |",
            (
                f"| `{name}` | {both(row['ours'])} | {both(row['sklearn'])} |"
                for name, row in command["commands"].items()
            ),
        ),
        f"First use after installation, without compiled Python files: `predict` {first:.2f} CPU s, then {warm:.2f}.",
        "",
        "Small input goes by the plain definition of terms, larger input by compiled loops, which must be loaded (CPU s, one run "
        "each):",
        "",
        *rows_of(
            "| command | input, bytes | plain | compiled |",
            (
                f"| `{name}` | {size:,} | {plain:.2f} | {compiled:.2f} |"
                for name, sizes in command["switch"].items()
                for size, plain, compiled in sizes
            ),
        ),
        f"In a running process, one document of 200 words at a time ({found['running']['name']}; some of them learned), CPU "
        "ms, best and median of 20 rounds over 100 documents:",
        "",
        *rows_of(
            "| | labels | terms | predict: best | median | times scikit-learn | explain: best | median |",
            (
                f"| {names[kind]} | {row['labels']} | {row['terms']:,} | {row['predict'][0]:.2f} | {row['predict'][1]:.2f} | "
                f"{peer[1] / row['predict'][1]:.1f} | "
                + (" | ".join(f"{ms:.2f}" for ms in row["explain"]) if "explain" in row else "– | –")
                + " |"
                for kind, row in running.items()
            ),
        ),
    ]


def linear_solver(found: dict[str, Any]) -> Lines:
    names = {
        "squared_hinge": "linear SVM, squared hinge; OneVsRestClassifier(LinearSVC())",
        "hinge": 'linear SVM, hinge; OneVsRestClassifier(LinearSVC(loss="hinge"))',
        "logistic": "logistic; OneVsRestClassifier(LogisticRegression(max_iter=1000))",
        "squares": "ridge; Ridge(fit_intercept=False)",
    }
    rows = [
        f"| {name}: {own['documents']:,} x {own['terms']:,}, {own['labels']} labels | {names[loss]} | {each['fits']} | "
        f"{each['ours']:.2f} | {each['peer']:.2f} | {each['peer'] / each['ours']:.1f} | {each['above']:.1e} | "
        f"{each['peer_above']:.1e} |"
        for name, own in found.items()
        for loss, each in own["losses"].items()
    ]
    cores = ", ".join(
        f"{name} {own['cores']['one']:.2f} s on one thread, {own['cores']['all']:.2f} on {own['cores']['threads']} "
        f"({own['cores']['one'] / own['cores']['all']:.1f} times)"
        for name, own in found.items()
    )
    rounds = next(iter(found.values()))["losses"]["squared_hinge"]["rounds"]
    return [
        "## Linear models, against scikit-learn's solvers on the same matrices",
        "",
        f"CPU seconds on one thread, one process, medians over {rounds} round(s) in turn: all labels, on all documents "
        "and (six fits) without each of five folds. Ours ends at a gap of 1e-3; «above»: the worst label's objective above the "
        "least, as a share of it, ours and theirs.",
        "",
        *rows_of("| | | fits | ours, s | scikit-learn, s | times | above | theirs |", rows),
        f"- wall time, squared hinge, six fits: {cores}",
        "",
    ]


PARTS: dict[str, Callable[[dict[str, Any]], Lines]] = {
    "text": text,
    "count_models": count_models,
    "neighbours": neighbours,
    "online": online,
    "linear_solver": linear_solver,
    "thresholds": thresholds,
    "significance": significance,
    "density": density,
    "streaming": streaming,
    "routing": routing,
    "cold_start": cold_start,
    "trial_costs": trial_costs,
}
