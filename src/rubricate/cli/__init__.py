"""The command line: `rubricate COMMAND`. The only package that prints or exits; each command is imported when it is called.

Exit codes: 0 done; 2 the command was wrong; 65 the data was; 66 it was not there; 70 a fault of ours; 74 writing failed.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from .. import __version__
from ..errors import InputError, InvalidSetting, MissingData, RubricateError, UnknownName
from .output import say, visible

__all__ = ["main"]

TRACEBACK = "RUBRICATE_TRACEBACK"  # set to anything, the traceback of a fault is shown

COMMANDS = {
    "collections": "the papers' collections, and where a person gets them",
    "compare": "several models, or their predictions, on the same documents: which is better?",
    "count": "statistics of labelled documents, in one pass, into one file",
    "demo": "a tour with the sample that ships inside: train, evaluate, explain, predict",
    "drift": "whether new documents are like those a model was trained on, with tests",
    "evaluate": "how good a model is on labelled documents, as text, JSON or a page",
    "explain": "why a text has its labels: what each term adds",
    "forget": "take documents back out of a model",
    "info": "a first look: documents, labels, lengths, terms, duplicates, rejects",
    "inspect": "what a model is, how it was chosen, its thresholds and its top terms",
    "label-errors": "labelled documents whose labels are probably wrong, the worst first",
    "learn": "add labelled documents to a model",
    "merge": "add, or take away, statistics that were counted apart",
    "page": "a model as one HTML file that sorts texts in a browser, without Python",
    "predict": "labels for new documents, as a stream",
    "replicate": "the papers' experiments, run again on real data, ours beside theirs",
    "route": "send each document of a stream to the topics whose threshold it passes",
    "screen": "what to judge next in a pile, what is probably left, when to stop",
    "serve": "models over HTTP: predict, explain, metrics, a page to try a text",
    "simulate": "replay screening on labelled documents: work saved, with tests",
    "split": "training and test parts of labelled documents",
    "terms": "the terms of a collection: most frequent, or most telling for a label",
    "topic": "follow topics: new, judge, rank, evaluate, list, show, background",
    "train": "learn from labelled documents; the model into one file",
    "warm": "compile all loops ahead: for an image, or a machine that others use",
}

ALIASES = {"noise": "label-errors"}  # names of before, which the help does not list
HOMES = {
    "collections": "papers.show_collections",
    "forget": "learn.forget",
    "label-errors": "label_errors.command",
    "merge": "count.merge",
    "replicate": "papers.run_replication",
}


def command_of(name: str) -> click.Command:
    """The command of that name or alias, from NAME.command if HOMES has no other place; its module is imported now."""
    name = ALIASES.get(name, name)
    module, _, attribute = HOMES.get(name, f"{name}.command").partition(".")
    command: click.Command = getattr(import_module(f".commands.{module}", __name__), attribute)
    return command


class Commands(click.Group):
    """Commands by name; their modules are imported when they run, so that --help answers at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return command_of(cmd_name) if cmd_name in COMMANDS or cmd_name in ALIASES else None

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        with our_errors():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        with our_errors():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@contextlib.contextmanager
def our_errors() -> Iterator[None]:
    """Two errors are dealt with before click sees them: it would exit with 1 for a broken pipe, and take the end of a file for
    somebody who pressed ^D (130)."""
    try:
        yield
    except BrokenPipeError:  # the reader of our output has gone: say nothing more
        discard_output()
        raise click.exceptions.Exit(0) from None
    except EOFError as error:
        raise InputError("a file", f"ends in the middle ({error})", "fetch or write it again") from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="rubricate")
def rubricate() -> None:
    """Sort documents into your own categories, and answer for it.

    Start with `rubricate demo`, then `rubricate info YOUR-FILE`.
    """


def exit_code(error: BaseException) -> int:
    if isinstance(error, MissingData):
        return 66
    if isinstance(error, UnknownName | InvalidSetting):
        return 2
    if isinstance(error, RubricateError):
        return 65
    return 74 if isinstance(error, OSError) else 70


def main(arguments: Sequence[str] | None = None) -> Any:
    """Run a command; whatever goes wrong becomes one sentence and an exit code."""
    open_streams()
    try:
        code = rubricate.main(args=arguments, prog_name="rubricate", standalone_mode=False)
        sys.stdout.flush()  # now, while a failure can still be reported
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except click.ClickException as error:
        show_usage(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        discard_output()
        sys.exit(0)
    except Exception as error:
        report_error(error)
        sys.exit(exit_code(error))
    sys.exit(code if isinstance(code, int) else 0)  # of --help and --version, and where a command ended itself


def show_usage(error: click.ClickException) -> None:
    """click's message about a wrong command, without control characters and line breaks that the person typed."""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        for line in error.ctx.get_usage().splitlines():
            say(line)
        say(f"Try '{error.ctx.command_path} --help' for help.")
        say()
    say(f"Error: {' '.join(error.format_message().split())}")


def report_error(error: Exception) -> None:
    """One sentence on standard error; the traceback only if RUBRICATE_TRACEBACK is set."""
    if isinstance(error, RubricateError):
        sentence = str(error)
    elif isinstance(error, OSError):
        sentence = str(error)
        discard_output()  # if standard output could not be written, what is buffered for it cannot be either
    elif isinstance(error, MemoryError):
        sentence = f"not enough memory ({error}); give fewer documents, or fewer terms (--select)"
    else:
        sentence = f"a fault of ours: {type(error).__name__}: {error}; please report it with what {TRACEBACK}=1 shows"
    if os.environ.get(TRACEBACK):
        for line in "".join(traceback.format_exception(error)).splitlines():
            say(line)
    say(visible(f"rubricate: {sentence}"))


class ClosedOutput(io.RawIOBase):
    """Standard output that somebody closed (`>&-`): writing there is an error."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        raise OSError(errno.EBADF, "standard output is closed: nobody would see the results")


def open_streams() -> None:
    """Python has no object at all for a stream that was closed before it started."""
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(ClosedOutput(), "utf-8", write_through=True)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 -- it lives as long as the program


def discard_output() -> None:
    """Drop what is buffered for standard output: Python would try to write it at exit, and complain."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
