"""Bodies: functions with one parameter for each coordinate, traced once into a hierarchy's block."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

from allo_air.air.api.errors import RuntimeError, TypeError
from allo_air.air.api.lifetime import end_lifetimes
from allo_air.air.api.trace import Frame, Trace
from allo_air.mlir import ir


def check_arity(function: object, arity: int, who: str) -> None:
    """TypeError unless `function` takes exactly `arity` positional parameters."""
    if not callable(function):
        raise TypeError(f"{who}.body registers a function, got {function!r}")
    kinds = [p.kind for p in inspect.signature(function).parameters.values()]
    result = sum(k in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for k in kinds)
    if inspect.Parameter.VAR_POSITIONAL in kinds:  # `*coordinates` accepts any number
        result = max(result, arity)
        kinds.remove(inspect.Parameter.VAR_POSITIONAL)
        kinds += [inspect.Parameter.POSITIONAL_ONLY] * (result - len(kinds))
    if result != arity or len(kinds) != result:
        parameters = f"{len(kinds)} parameter{'s' * (len(kinds) != 1)}"
        raise TypeError(
            f"the body of the {who} has {parameters}, and its grid has {arity} dimension{'s' * (arity != 1)}: it takes "
            "exactly one coordinate for each (one with a default counts, too: use the enclosing function's variable)"
        )


def trace_body(trace: Trace, frame: Frame, function: Callable[..., object], arguments: Sequence[object]) -> None:
    """Runs `function` as the body of `frame`, frees the buffers that it allocated, and adds captured values as operands."""
    with trace.inside(frame):
        function(*arguments)
        if frame.open_loops:
            raise RuntimeError(
                f"the body of the {frame.kind} left air.sequential{frame.open_loops[-1]} early: a loop runs to its end; break "
                "and return cannot leave it"
            )
        for block in {id(block): block for _, block in frame.buffers}.values():
            end_lifetimes([b for b, owner in frame.buffers if owner is block], block)
    if frame.captured:
        _with_captures(frame)


def _with_captures(frame: Frame) -> None:
    """The hierarchy operation of `frame`, rebuilt with the values of outer bodies that its body uses as further operands."""
    old = frame.op
    with old.operation.context, old.location, ir.InsertionPoint(old.operation):
        operands = {"deps": [], "sizes": list(old.sizes), "args": [*old.args, *frame.captured]}
        new = type(old)(token=False, sym_name=old.sym_name, **operands)
        for name in ("link_with",):
            if name in old.operation.attributes:
                new.operation.attributes[name] = old.operation.attributes[name]
    old.operation.regions[0].blocks[0].append_to(new.operation.regions[0])
    old.operation.erase()
    frame.op = new
