"""Computes the arguments that rerun a command line's pipeline from a pass in its middle, with the levels of its stages."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from allo_air.tools._flags import Parsed

if TYPE_CHECKING:
    from allo_air.core.pipeline import Pipeline


def rerun_arguments(parsed: Parsed, whole: "Pipeline") -> Callable[[int], tuple[str, ...]]:
    """Returns a function from the index of a pass to arguments. The index counts the passes that run, in `whole`, the
    pipeline that `parsed` names.
    """
    from allo_air.core.select import first_of

    names = [step.name for step in whole.steps]
    skipped = first_of(whole, parsed.last("start-from"))

    def arguments(index: int) -> tuple[str, ...]:
        position = skipped + index
        arguments = [_flag_text(*argument) for argument in parsed.order]
        arguments.append(f"--start-from={names[position]}#{names[: position + 1].count(names[position])}")
        if stop := parsed.last("stop-after"):
            arguments.append(f"--stop-after={stop}")
        return tuple(arguments)

    return arguments


def _flag_text(kind: str, text: str, options: str) -> str:
    if kind == "pass":
        return f"--{text}={options}" if options else f"--{text}"
    return f"--{kind}={text}"
