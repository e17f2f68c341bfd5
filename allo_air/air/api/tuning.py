"""The search over the symbols of a program: simulates each choice, and compares its results with those of the program's own
values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from time import monotonic
from typing import Any

from allo_air.air.api.launch import LaunchContext
from allo_air.air.api.symbol import symbols_set_to
from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.user_errors import run_file

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """Values of the symbols, and the `cycles` of the simulation; None if it failed, for the reason `why`."""

    values: Mapping[str, int]
    cycles: int | None
    why: str = ""


@dataclass
class Searched:
    """The rows of a search. The first row has the program's own values; `left` counts the choices that were not tried in the
    time."""

    name: str
    device: str
    rows: list[Row] = field(default_factory=list)
    left: int = 0

    @property
    def best(self) -> Row:
        """The row with the fewest cycles; the program's own if several are equal."""
        return min((r for r in self.rows if r.cycles is not None), key=lambda r: r.cycles or 0)

    def as_dict(self) -> dict[str, Any]:
        """As data."""
        rows = [{"symbols": dict(r.values), "cycles": r.cycles, "why": r.why, "best": r is self.best} for r in self.rows]
        return {"program": self.name, "device": self.device, "left": self.left, "rows": rows}

    def __str__(self) -> str:
        names = list(self.rows[0].values)
        cells = [[*names, "simulated", "outcome"]]
        for row in self.rows:
            cycles = "" if row.cycles is None else f"{row.cycles:,}"
            outcome = "best" if row is self.best else row.why or ("as it is" if row is self.rows[0] else "")
            cells.append([*map(str, row.values.values()), cycles, outcome])
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in cells]
        hints = ", ".join(f"{name} = air.symbol(hint={value}, ...)" for name, value in self.best.values.items())
        rest = f"; {self.left} left" if self.left else ""
        return "\n".join([f"symbols of {self.name} on {self.device}{rest}", *lines, f"write {hints}"])


def is_program(path: str, name: str) -> bool:
    """Whether `name` in the Python file `path` is a launch of air.api, or a function without parameters in a file of it."""
    if not Path(path).is_file() or "air" not in Path(path).read_text(encoding="utf-8", errors="replace"):
        return False
    names = run_file(Path(path))
    result = names.get(name)
    uses_air = any(str(getattr(v, "__name__", "")).startswith("allo_air.air.api") for v in names.values())
    return isinstance(result, LaunchContext) or (uses_air and inspect.isfunction(result) and not _required(result))


def search_symbols(
    path: str, name: str, device: str = "npu1", *, budget: float = 60.0, candidates: int = 32, progress: Progress | None = None
) -> Searched:
    """Simulates a launch with each combination of its symbols' choices. The launch is `name` in the file `path`, or the
    result of the function `name`. The file is run again for each combination. The search ends after `budget` seconds or
    `candidates` combinations, in addition to the program's own. Raises AlloAirError if no symbol has choices, or if the
    unchanged program does not compile.
    """
    launch = _launch(path, name)
    choices = {s.name: s.choices for s in launch.symbols if s.name and s.choices and len(s.choices) > 1}
    if not choices:
        raise AlloAirError(f"{path}:{name} has no symbols with choices; declare them with air.symbol(choices=[...])")
    own = {n: v for n, v in launch.search_space.items() if n in choices}
    end = monotonic() + budget
    reference, cycles = _simulated(launch, device)
    searched = Searched(name, device, [Row(own, cycles)])
    rest = [v for v in _combinations(choices) if v != own][:candidates]
    for done, values in enumerate(rest):
        if monotonic() > end:
            searched.left = len(rest) - done
            break
        if progress is not None:
            progress(f"{done + 1} of {len(rest)}: {', '.join(f'{n}={v}' for n, v in values.items())}")
        searched.rows.append(_row(path, name, device, values, reference))
    return searched


def _combinations(choices: Mapping[str, tuple[int, ...]]) -> Iterator[dict[str, int]]:
    for values in product(*choices.values()):
        yield dict(zip(choices, values, strict=True))


def _row(path: str, name: str, device: str, values: dict[str, int], reference: Sequence[object]) -> Row:
    try:
        with symbols_set_to(values):
            result, cycles = _simulated(_launch(path, name), device)
    except (AlloAirError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        return Row(values, None, (str(error) or type(error).__name__).splitlines()[0])
    return Row(values, cycles) if _agree(result, reference) else Row(values, None, "other results than the program as it is")


def _simulated(launch: LaunchContext, device: str) -> tuple[list[Any], int]:
    """The outputs for seeded inputs, and the cycles that they took."""
    import numpy as np

    kernel = launch.compile(target=device)
    rng = np.random.default_rng(0)
    outputs = kernel(*(rng.integers(0, 8, t.shape).astype(t.dtype.np_dtype) for t in launch.inputs))
    return list(outputs) if isinstance(outputs, tuple) else [outputs], int(kernel.program.report().cycles)


def _agree(results: Sequence[object], reference: Sequence[object]) -> bool:
    """Whether integers are equal, and floats differ by no more than another order of additions explains."""
    import numpy as np

    def close(a: Any, b: Any) -> bool:
        if a.shape != b.shape:
            return False
        if np.issubdtype(a.dtype, np.integer):
            return bool(np.array_equal(a, b))
        tolerance = 2.0**-6 if a.dtype.itemsize == 2 else 2.0**-16
        return bool(np.allclose(a.astype(np.float64), b.astype(np.float64), rtol=tolerance, atol=tolerance))

    return len(results) == len(reference) and all(map(close, results, reference))


def _launch(path: str, name: str) -> LaunchContext:
    names = run_file(Path(path))
    if name not in names:
        raise UnknownNameError(f"launch in {path}", name, [n for n, v in names.items() if isinstance(v, LaunchContext)])
    launch = names[name]() if inspect.isfunction(names[name]) else names[name]
    if not isinstance(launch, LaunchContext):
        raise AlloAirError(
            f"{path}:{name} is {type(launch).__name__}, expected a launch of air.api, or a function that returns one"
        )
    return launch


def _required(function: Callable[..., object]) -> bool:
    return any(p.default is p.empty for p in inspect.signature(function).parameters.values())
