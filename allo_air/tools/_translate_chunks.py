"""Splits files of several modules for `allo-translate` and checks expected diagnostics in comments, as mlir-translate does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from allo_air.core import expected
from allo_air.core.opt import split
from allo_air.errors import AlloAirError, Diagnostic

_MARKER = "// -----"


def add_to(parser: ArgumentParser) -> None:
    """Adds mlir-translate's options for the input."""
    parser.add_argument(
        "--split-input-file", metavar="MARKER", nargs="?", const=_MARKER, help=f"translate the parts between {_MARKER} lines"
    )
    parser.add_argument("--output-split-marker", metavar="TEXT", default="", help="text between the outputs of the parts")
    parser.add_argument("--verify-diagnostics", action="store_true", help="match diagnostics with expected-error comments")
    parser.add_argument("--allow-unregistered-dialect", action="store_true", help="read operations of unknown dialects, too")


def translated(
    text: str,
    options: Namespace,
    translate: Callable[[str, int, Namespace, Callable[[Diagnostic], None]], bytes | None],
    say: Callable[[Diagnostic], None],
) -> tuple[bytes | None, bool]:
    """Translates each part of `text`; returns the outputs in order (None without any) and whether all succeeded."""
    outputs, good = [], True
    for part, first_line in split(text, options.split_input_file):
        heard: list[Diagnostic] = []
        output = None
        try:
            output = translate(part, first_line, options, heard.append if options.verify_diagnostics else say)
        except AlloAirError as error:
            heard += error.diagnostics
            good = options.verify_diagnostics and good
        if options.verify_diagnostics:
            name = "<stdin>" if options.file == "-" else options.file
            heard = expected.mismatches(heard, expected.expectations(part, first_line), name)
            good = good and not heard
        for diagnostic in heard:
            say(diagnostic)
        if output is not None:
            outputs.append(output)
    return f"{options.output_split_marker}".encode().join(outputs) if outputs else None, good
