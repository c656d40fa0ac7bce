"""The command line: `rubricate COMMAND`. The only room that prints or exits; each command is imported when it is called.

Exit codes: 0 done; 2 the command was wrong; 65 the data was; 66 it was not there; 70 a fault of ours; 74 writing failed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from .. import __version__
from ..errors import (
    BadChoice,
    DamagedFile,
    InputError,
    MissingData,
    NeedsRecount,
    RecipesDiffer,
    RubricateError,
    UnknownName,
)

__all__ = ["main"]

COMMANDS = {
    "collections": "the papers' collections, and where a person gets them",
    "compare": "several models, or their answers, on the same documents: which is better?",
    "count": "statistics of labelled documents, in one pass, into one file",
    "demo": "a tour with the sample that ships inside: train, evaluate, explain, predict",
    "evaluate": "how good a model is on labelled documents, as text, JSON or a page",
    "explain": "why a text has its labels: what each term adds",
    "forget": "take documents back out of a model",
    "info": "a first look: documents, labels, lengths, terms, duplicates, rejects",
    "inspect": "what a model is, how it was chosen, its cuts and its top terms",
    "learn": "add labelled documents to a model",
    "merge": "add, or take away, statistics that were counted apart",
    "noise": "labelled documents whose labels are probably wrong, the worst first",
    "predict": "labels for new documents, as a stream",
    "replicate": "the papers' experiments, run again on real data, ours beside theirs",
    "route": "send each document of a stream to the topics whose cut it passes",
    "screen": "what to judge next in a pile, what is probably left, when to stop",
    "simulate": "replay screening on labelled documents: work saved, with tests",
    "split": "training and test parts of labelled documents",
    "terms": "the terms of a collection: most frequent, or most telling for a label",
    "topic": "follow topics: new, judge, rank, evaluate, list, show, collection",
    "train": "learn from labelled documents; the model into one file",
}


class Commands(click.Group):
    """Commands by name; their modules are imported when they run, so that --help answers at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f".{cmd_name}", __name__).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Names and one line each, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="rubricate")
def rubricate() -> None:
    """Sort documents into your own categories, and answer for it.

    Start with `rubricate demo`, then `rubricate info YOUR-FILE`.
    """


def exit_code(error: BaseException) -> int:
    """What the shell is told."""
    if isinstance(error, MissingData):
        return 66
    if isinstance(error, InputError | DamagedFile | RecipesDiffer | NeedsRecount):
        return 65
    if isinstance(error, UnknownName | BadChoice):
        return 2
    if isinstance(error, OSError):
        return 74
    return 65 if isinstance(error, RubricateError) else 70


def main(arguments: Sequence[str] | None = None) -> Any:
    """Run a command; errors become one sentence and an exit code."""
    try:
        return rubricate.main(args=arguments, prog_name="rubricate", standalone_mode=False) or sys.exit(0)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone: say nothing more
        sys.exit(0)
    except (RubricateError, OSError) as error:
        click.echo(f"rubricate: {error}", err=True)
        sys.exit(exit_code(error))
