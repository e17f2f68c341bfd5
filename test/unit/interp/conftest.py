"""Programs as text, run by the interpreter."""

from collections.abc import Callable
from typing import Any

import pytest

from allo_air import asm, interp
from allo_air.core.contexts import reused_context
from allo_air.interp.errors import RunError


def run_text(text: str, *inputs: Any, **options: Any) -> list[Any]:
    with reused_context():
        return interp.run(asm.read(text, "program.mlir"), list(inputs), **options)


@pytest.fixture
def run() -> Callable[..., list[Any]]:
    """`run(text, *inputs, seed=0, ...)`: what `interp.run` returns."""
    return run_text


@pytest.fixture
def fails() -> Callable[..., tuple[str, list[str]]]:
    """`fails(Kind, text, *inputs)`: the message and the notes of the error that the run ends in, each with its line."""

    def check(kind: type[RunError], text: str, *inputs: Any, **options: Any) -> tuple[str, list[str]]:
        with pytest.raises(kind) as caught:
            run_text(text, *inputs, **options)
        [found] = caught.value.diagnostics
        return str(found), [str(n) for n in found.notes]

    return check
