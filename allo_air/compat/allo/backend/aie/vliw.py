"""Core code written in Python, under the names that Allo's programs import."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.frontend.calls import RESULTS_GIVEN, Order


def kernel(
    project: object = None, input_idx: Sequence[int] = (), output_idx: Sequence[int] = (), **options: object
) -> Callable[..., Any]:
    """A decorator for functions that kernels call: `f(a, b, c)` or `c = f(a, b)` for `def f(a, b)` that returns c.

    `input_idx` and `output_idx` are the positions of inputs and results in a call of the first form, if results are not last.
    """
    del options
    order = (tuple(input_idx), tuple(output_idx))

    def marked(function: Callable[..., object]) -> Callable[..., Any]:
        return _marked(function, order)

    return marked(project) if callable(project) else marked


def _marked(function: Callable[..., object], order: Order) -> Callable[..., Any]:
    setattr(function, RESULTS_GIVEN, order)
    return function


@dataclass(frozen=True)
class VliwModule:
    """A Python function that cores execute."""

    function: Callable[..., Any]
    order: Order = ((), ())

    def get_external_module(self) -> Callable[..., Any]:
        """The function in the form of a C++ kernel, with its results as arguments."""
        return _marked(self.function, self.order)


def create_vliw_module(
    function: Callable[..., object],
    *args: object,
    input_idx: Sequence[int] = (),
    output_idx: Sequence[int] = (),
    **options: object,
) -> VliwModule:
    """`function`, compiled with the kernel that calls it."""
    del args, options
    order = (tuple(input_idx), tuple(output_idx))
    return VliwModule(function, order if any(order) else getattr(function, RESULTS_GIVEN, order))
