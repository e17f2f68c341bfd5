"""MLIR's own C++ passes: their names, checking their options before anything runs, and running them."""

from __future__ import annotations

import os
import re
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from allo_air.core.diagnostics import translate
from allo_air.errors import OptionError, counted, nearest, suggestion
from allo_air.mlir import PassManager, ir

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_UNKNOWN = "does not refer to a registered pass"
_RESTRICTED = re.compile(r"restricted to '([\w.]+)'")
_NO_OPTION = re.compile(r"no such option ([^\s]+)")
_NUMBERS = MappingProxyType({("linalg-block-pack-matmul", "block-factors"): 3})
"""Options that MLIR declares as texts although its pass requires a fixed count of integers, each at least 1."""


@cache
def _table() -> Mapping[str, str]:
    """The operation on which each upstream pass runs; "" if it runs on any, or if the pipeline parser reports it.

    The bindings cannot enumerate the passes (and `torch-mlir-opt` registers a smaller set), so `_scan_upstream.py` writes
    them to a file. The bindings still decide whether a name exists.
    """
    rows = (line.partition(" ") for line in (Path(__file__).parent / "upstream_passes.txt").read_text().splitlines())
    return MappingProxyType({name: needed for name, _, needed in rows})


def names() -> tuple[str, ...]:
    """Names of all upstream passes and pass pipelines, sorted."""
    return tuple(_table())


def exists(name: str) -> bool:
    """Whether the bindings know a pass or pass pipeline called `name`; needs an active context."""
    return _UNKNOWN not in (_problem("any", name) or "")


def anchor(name: str, options: str, parent: str = "builtin.module") -> str:
    """The operation that pass `name` must run on, in a pipeline on operations `parent`: `parent` itself if possible.

    Raises OptionError on bad options, and when the pass cannot run on `parent` or below.
    """
    problem = _problem(parent, f"{name}{{{options}}}")
    restricted = _RESTRICTED.search(problem or "")
    needed = restricted[1] if restricted else (problem is None and parent == "builtin.module" and _table().get(name)) or parent
    if needed == "builtin.module" != parent:
        raise OptionError(f"pass '{name}' runs on {needed}, not on {parent}")
    if needed != parent:
        problem = _problem(needed, f"{name}{{{options}}}")
    if problem is None:
        _check_numbers(name, options)
        return needed
    if result := _NO_OPTION.search(problem):
        option_names_of_pass = option_names(name)
        offered = (
            suggestion(nearest(result[1], option_names_of_pass))
            or f"; its options: {', '.join(option_names_of_pass) or 'none'}"
        )
        raise OptionError(f"pass '{name}' has no option '{result[1]}'{offered}")
    problem_text = "; ".join(line.strip(": ") for line in problem.splitlines() if line.strip() and "failed to add" not in line)
    raise OptionError(f"pass '{name}' cannot take the options '{options}'" + (f": {problem_text}" if problem_text else ""))


def _check_numbers(name: str, options: str) -> None:
    """Raises OptionError if an option has another count of numbers than the pass requires: the pass would crash, or do
    nothing.
    """
    for (owner, option), count in _NUMBERS.items():
        values = re.search(rf"{option}=([^\s}}]*)", options) if owner == name else None
        if values and not re.fullmatch(rf"{{?0*[1-9]\d*(,0*[1-9]\d*){{{count - 1}}}", values[1]):
            raise OptionError(
                f"pass '{name}': option '{option}' is '{values[1]}', expected {counted(count, 'whole number')}, at least 1"
            )


def may_hold_passes(name: str) -> bool:
    """Whether passes can be nested in operations called `name` ("any": all operations); false for a name that no dialect of
    MLIR has.

    Other dialects are unknown before a file that uses them is read. Needs an active context.
    """
    context = ir.Context.current
    if name == "any" or context.is_registered_operation(name):
        return True
    dialect, dot, _ = name.partition(".")
    try:
        context.get_dialect_descriptor(dialect)
    except ValueError:
        return dot == "."
    return False


def option_names(name: str) -> tuple[str, ...]:
    """The options of upstream pass `name` that have a default to print; MLIR offers no complete list."""
    return tuple(option_defaults(name))


def option_defaults(name: str) -> dict[str, str]:
    """The options with their defaults, as MLIR prints them; for a pass pipeline, those of all its passes."""
    for op in ("any", "builtin.module", "func.func"):
        if _problem(op, name) is None:
            return dict(re.findall(r"([\w-]+)=(\{[^{}]*\}|[^\s{}]*)", str(PassManager.parse(f"{op}({name})"))))
    return {}


def option_texts(name: str) -> dict[str, str]:
    """The descriptions of options of upstream pass `name`, if they are recorded here, since the bindings lack MLIR's
    descriptions.
    """
    rows = (line.split(" ", 2) for line in (Path(__file__).parent / "upstream_options.txt").read_text().splitlines())
    return {option: text for owner, option, text in rows if owner == name}


def _problem(op: str, element: str) -> str | None:
    with _stderr() as stderr_text:
        try:
            PassManager.parse(f"{op}({element})")
        except ValueError as wrong:
            return f"{stderr_text()}\n{wrong}"
    return None


@contextmanager
def _stderr() -> Iterator[Callable[[], str]]:
    """Captures output of C++ to file descriptor 2, where LLVM's option parser reports bad values."""
    saved, caught = os.dup(2), os.memfd_create("stderr")
    os.dup2(caught, 2)
    try:
        yield lambda: os.pread(caught, 1 << 16, 0).decode(errors="replace")
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(caught)


def run_upstream(op: AnyOp | ir.Module, text: str) -> None:
    """Runs the upstream passes of `text`, as in `canonicalize,cse`, on `op`; raises DiagnosticError when one fails.

    The result is not verified: the driver does that after each step, with the dialects' own rules. Our own passes are not
    looked up here: one of our passes may wrap the upstream pass of the same name.
    """
    operation: ir.Operation = op.operation
    with operation.context:
        try:
            _manager(f"{operation.name}({text})").run(operation)
        except ir.MLIRError as error:
            raise translate(error) from None


_managers: tuple[weakref.ref[ir.Context], dict[str, PassManager]] | None = None
"""The pass pipelines of the context that was used last. They are kept since canonicalization collects its patterns once per
pipeline, which takes 1.6 ms.
"""


def _manager(text: str) -> PassManager:
    """The pass manager for the passes of `text` in the current context; it is destroyed before the context."""
    global _managers
    context = ir.Context.current
    if _managers is None or _managers[0]() is not context:
        pass_managers: dict[str, PassManager] = {}
        _managers = weakref.ref(context, lambda _: pass_managers.clear()), pass_managers
    managers = _managers[1]
    if text not in managers:
        managers[text] = PassManager.parse(text)
        managers[text].enable_verifier(False)
    return managers[text]
