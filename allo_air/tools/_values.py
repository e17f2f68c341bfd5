"""Parses scalar arguments of runtime sequences: `--arg n=4`, or `--arg 4` for the next argument without a value."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import Any

from allo_air.errors import OptionError, counted


def add_values(parser: ArgumentParser) -> None:
    """Adds the option."""
    parser.add_argument(
        "--arg",
        action="append",
        default=[],
        metavar="[NAME=]NUMBER",
        help="a scalar argument of the runtime sequence, by its name or number (n=4, 1=4) or the next one (4)",
    )


def values_of(texts: Sequence[str], arguments: Callable[[], Sequence[tuple[str, Any]]]) -> dict[str, Any]:
    """The numbers from the options, by name. Numbers without a name are assigned to the scalar `arguments` in order."""
    from allo_air.target.npu_numbers import number_in

    values: dict[str, Any] = {}
    unnamed = []
    for text in texts:
        name, is_named, number = text.rpartition("=")
        try:
            value = number_in(number)
        except ValueError:
            raise OptionError(f"--arg is '{text}', expected a number, or NAME=NUMBER as in n=4") from None
        if is_named:
            values[name.removeprefix("%")] = value
        else:
            unnamed.append(value)
    if unnamed:
        free = [name for name, a in arguments() if not {name, str(a.arg_number)} & set(values)]
        if len(unnamed) > len(free):
            raise OptionError(
                f"--arg gives {counted(len(unnamed), 'number')} without a name, more than the "
                f"{counted(len(free), 'scalar')} left"
            )
        values |= dict(zip(free, unnamed, strict=False))
    return values


def parameters_of(texts: Sequence[str]) -> dict[str, Any]:
    """The values of scratchpad parameters from the options, by name."""
    from allo_air.target.npu_numbers import number_in

    parameters: dict[str, Any] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            parameters[name.removeprefix("@")] = number_in(number)
        except ValueError:
            name = ""
        if not name:
            raise OptionError(f"--parameter is '{text}', expected NAME=NUMBER as in n=4")
    return parameters
