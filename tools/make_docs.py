"""Make the generated pages of docs/reference from the code; with --check, only say whether they are fresh."""

from __future__ import annotations

import inspect
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

import rubricate as rb
from command_examples import EXAMPLES
from rubricate import (
    agreement,
    calibration,
    collections,
    density,
    evaluation,
    metrics,
    report,
    significance,
    term_scores,
    thresholds,
)
from rubricate import cli as cli_module
from rubricate.cli import COMMANDS, command_of, rubricate
from rubricate.decisions.rules import RULES
from rubricate.models import ALIASES, MODELS
from rubricate.models.vectors import FORMS
from rubricate.terms.recipe import PRESETS, Recipe
from rubricate.training.candidates import shortlist
from rubricate.training.text_classifier import CALIBRATE

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "reference"
NOTE = "<!-- made by tools/make_docs.py: change the code, then run `make docs` -->\n\n"
MARGIN = re.compile(r"\[(00[0-4] (?:eq|sec)\. [0-9][0-9., -]*)\]")


ARGUMENTS = {
    "files": "Counts that `rubricate count` wrote.",
    "model": "A file that `rubricate train` wrote.",
    "name": "One collection; all if not given.",
    "paper": "joachims, lewis, schneider, wilbur_kim or sable, its number (000 to 004), or all.",
    "path": "A file, a folder, `-` for standard input, or a collection by its name.",
    "systems": "Models, or answers that `rubricate predict` wrote.",
    "text": "A text, or `-` for standard input.",
}


def cli_page() -> str:
    out = [
        "# The commands\n",
        "```text\n" + inspect.cleandoc(rubricate.help or "") + "\n```\n",
        "| command | what it does |",
        "|---|---|",
        *(f"| [`rubricate {name}`](commands/{name}.md) | {about} |" for name, about in sorted(COMMANDS.items())),
        "",
        "Results go to standard output, remarks and progress to standard error; `--json` prints results for programs. Every "
        "command that reads documents says how many rows came in, were kept and were rejected; `--rejects FILE` keeps the last, "
        "with the reason. Input of 20 rows or more is refused (65) if over a tenth of them cannot be used for one and the same "
        "reason; `--keep-going` goes on without them. Text that nobody named an encoding for is UTF-8, or cp1252 (Windows) where "
        "a table, JSON Lines or fastText is that: it is told.\n",
        inspect.cleandoc(cli_module.__doc__ or "").split("\n\n")[-1],
    ]
    return "\n".join(out)


def command_page(name: str) -> str:
    command = command_of(name)
    out = [f"# `rubricate {name}`\n", *described(command, f"rubricate {name}")]
    if name in EXAMPLES:
        sentence, shown = EXAMPLES[name]
        kind = "console" if shown.startswith("$ ") else "text"
        out += ["## Example\n", sentence + "\n", f"```{kind}\n{shown}```\n"]
    out.append("All commands: [the commands](../cli.md).")
    return "\n".join(out)


def described(command: click.Command, called: str) -> list[str]:
    """Text, usage, arguments and options; of a group, the same of each of its commands. Nothing depends on a terminal's width."""
    context = click.Context(command, info_name=called)
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    out = [" ".join(text.split()) + "\n" for text in paragraphs]
    if isinstance(command, click.Group):
        for own in command.list_commands(context):
            inside = command.get_command(context, own)
            if inside is not None and not inside.hidden:
                out += [f"## `{called} {own}`\n", *described(inside, f"{called} {own}")]
        return out
    usage = " ".join([called, *command.collect_usage_pieces(context)])
    out += [f"```text\n{usage}\n```\n", "| argument or option | what it is |", "|---|---|"]
    for own in command.params:
        if isinstance(own, click.Argument):
            out.append(f"| `{own.make_metavar(context)}` | {ARGUMENTS.get(own.name or '', '')} |")
    for own in command.params:
        record = own.get_help_record(context) if isinstance(own, click.Option) else None
        if record is not None:
            out.append(f"| `{cell(record[0])}` | {cell(record[1])} |")
    return [*out, ""]


def cell(text: str) -> str:
    """Text inside a table."""
    return " ".join(text.split()).replace("|", "\\|")


def collections_page() -> str:
    out = [
        "# The collections\n",
        "Say `data=` (or `--data`, or `RUBRICATE_DATA`) where the files lie, packed as they come.\n",
    ]
    for own in collections.available():
        out += [
            f"## {own.name}: {own.title}\n",
            f"{own.about}. Used by: {', '.join(own.papers) or 'demo, docs and tests'}.\n",
        ]
        out += ["| version | documents | what |", "|---|---|---|"]
        for version in own.versions:
            sizes = " / ".join(f"{part.documents:,} {name}" for name, part in version.parts.items())
            out.append(f"| `{version.name}` | {sizes} | {version.about} |")
        if own.options:
            choices = (
                f"`{name}=` {' / '.join(map(str, value)) if isinstance(value, tuple) else value}"
                for name, value in own.options.items()
            )
            out += ["", f"Options, default first: {'; '.join(choices)}."]
        out += ["", f"From: {own.source}. {own.terms}\n"]
    return "\n".join(out)


def recipes_page() -> str:
    out = ["# Recipes\n", "How text becomes terms. The settings:\n", "```text", str(Recipe.__doc__).strip(), "```\n"]
    out += ["| preset | settings | after |", "|---|---|---|"]
    for name in PRESETS:
        made = getattr(Recipe, name)()
        about = " ".join(str(getattr(Recipe, name).__doc__).split())
        out.append(f"| `{name}` | `{made.to_dict()}` | {about} |")
    return "\n".join(out) + "\n"


def models_page() -> str:
    out = ["# Models\n", "| name | class | settings | after | learns from |", "|---|---|---|---|---|"]
    for row in MODELS.values():
        settings = ", ".join(f"{name}={value!r}" for name, value in row.kind().get_params().items())
        out.append(f"| `{row.name}` | `models.{row.kind.__name__}` | `{settings}` | {row.source} | {row.learns_from} |")
    out += [
        "",
        'A model is asked for by its name, also as `TextClassifier("svm")` and `rubricate train -m svm`; other names for it:\n',
        "| name | also | class, also |",
        "|---|---|---|",
    ]
    for row in MODELS.values():
        names = ", ".join(f"`{alias}`" for alias, name in ALIASES.items() if name == row.name)
        kinds = [
            name for name in rb.models.__all__ if getattr(rb.models, name) is row.kind and name != row.kind.__name__
        ]
        if names or kinds:
            out.append(f"| `{row.name}` | {names} | {', '.join(f'`models.{name}`' for name in kinds)} |")
    out += [
        "",
        "Models of counts forget documents as exactly as they learn them: `forget(X, y)`, also called `unlearn`.",
        "",
    ]
    for row in MODELS.values():
        out.append(f"## {row.kind.__name__}\n\n```text\n{inspect.cleandoc(row.kind.__doc__ or '')}\n```\n")
    return "\n".join(out)


def scores_page() -> str:
    out = [
        "# Term scores\n",
        "```text",
        inspect.cleandoc(term_scores.__doc__ or ""),
        "```\n",
        "| `by=` | what |",
        "|---|---|",
    ]
    for name, function in sorted(term_scores.SCORES.items()):
        about = " ".join(inspect.cleandoc(function.__doc__ or "").split("\n\n")[0].split())
        out.append(f"| `{name}` | {about} |".replace("|d|", "\\|d\\|"))
    return "\n".join(out) + "\n"


def judging_page() -> str:
    out = ["# Judging: measures, thresholds, tests, probabilities, agreement\n", "Arrays in, arrays out, no text.\n"]
    for module in (metrics, thresholds, significance, calibration, density, agreement, evaluation, report):
        name = module.__name__.rpartition(".")[2]  # as it is imported from rubricate
        out += [f"## `{name}`\n", "```text", inspect.cleandoc(module.__doc__ or ""), "```\n"]
        if module is metrics:
            out += ["Measures by name, `metrics.measure(NAME)`:\n", "| name | needs | better |", "|---|---|---|"]
            for shown, row in metrics.MEASURES.items():
                better = "higher" if row.higher_is_better else "lower"
                out.append(f"| `{shown}` | {row.needs} | {better} |")
            out.append("")
        out += ["| name | what it is |", "|---|---|"]
        for own in module.__all__:
            value = getattr(module, own)
            if inspect.isroutine(value) or inspect.isclass(value):
                about = (value.__doc__ or "").strip().split("\n\n")[0]
                out.append(f"| `{name}.{own}` | {' '.join(MARGIN.sub('', about).split())} |".replace("|D|", "\\|D\\|"))
        out.append("")
    return "\n".join(out) + "\n"


def classifier_page() -> str:
    kind = rb.TextClassifier
    out = [
        "# TextClassifier\n",
        "[The guide](../guide.md) shows it at work. Its settings:\n",
        f"```text\nTextClassifier{signature(kind)}\n\n{inspect.cleandoc(kind.__doc__ or '')}\n```\n",
        "| what it can do | |",
        "|---|---|",
    ]
    for name, value in vars(kind).items():
        if name.startswith("_") or not (inspect.isfunction(value) or isinstance(value, property)):
            continue
        shown = name if isinstance(value, property) else f"{name}{signature(value)}"
        out.append(f"| `{cell(shown)}` | {cell(inspect.cleandoc(value.__doc__ or ''))} |")
    out += ["", "| `decide=` | what |", "|---|---|", *(f"| `{name}` | {about} |" for name, about in RULES.items())]
    out += ["", 'Tried by `model="auto"`, the simplest first:\n', *(f"- {own}" for own in shortlist())]
    out += ["", f"`calibrate=` {', '.join(CALIBRATE)}. `weighting=` {', '.join(FORMS)}."]
    return "\n".join(out)


def signature(value: Any) -> str:
    """Names and defaults of the arguments, without types."""
    given = inspect.signature(value)
    bare = [own.replace(annotation=own.empty) for own in given.parameters.values() if own.name != "self"]
    return str(given.replace(parameters=bare, return_annotation=given.empty))


def names_page() -> str:
    out = ["# Public names\n", "| name | what it is |", "|---|---|"]
    for name in rb.__all__:
        if name.startswith("__"):
            continue
        about = (getattr(rb, name).__doc__ or "").strip().split("\n\n")[0]
        out.append(f"| `rubricate.{name}` | {' '.join(about.split())} |")
    return "\n".join(out) + "\n"


def equations_page() -> str:
    out = ["# Equations and where they live\n", "| paper and equation | function |", "|---|---|"]
    rows = []
    for path in sorted((ROOT / "src" / "rubricate").rglob("*.py")):
        where = path.relative_to(ROOT / "src").with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        function = ""
        for line in path.read_text("utf-8").splitlines():
            if found := re.match(r"\s*(?:def|class) (\w+)", line):
                function = "." + found.group(1)
            rows += [(mark, f"`{where}{function}`") for mark in MARGIN.findall(line)]
    return "\n".join(out + [f"| {mark} | {place} |" for mark, place in sorted(set(rows))]) + "\n"


PAGES = {
    "cli.md": cli_page,
    "collections.md": collections_page,
    "equations.md": equations_page,
    "judging.md": judging_page,
    "models.md": models_page,
    "names.md": names_page,
    "recipes.md": recipes_page,
    "term-scores.md": scores_page,
    "text-classifier.md": classifier_page,
    **{f"commands/{name}.md": partial(command_page, name) for name in sorted(COMMANDS)},
}


def main() -> int:
    stale = []
    for name, make in PAGES.items():
        page = NOTE + make().rstrip() + "\n"
        path = TARGET / name
        if not path.exists() or path.read_text("utf-8") != page:
            stale.append(name)
            if "--check" not in sys.argv:
                path.parent.mkdir(exist_ok=True)
                path.write_text(page, "utf-8")
    for path in sorted(TARGET.rglob("*.md")):
        name = path.relative_to(TARGET).as_posix()
        if name not in PAGES:
            stale.append(f"{name} (of nothing)")
            if "--check" not in sys.argv:
                path.unlink()
    if "--check" in sys.argv:
        print(f"stale: {', '.join(stale)}; run `make docs`" if stale else "docs/reference is fresh")
        return 1 if stale else 0
    print(f"docs/reference: {', '.join(stale) or 'nothing'} made anew")
    return 0


if __name__ == "__main__":
    sys.exit(main())
