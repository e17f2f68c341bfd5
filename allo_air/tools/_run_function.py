"""`allo-run kernel.py:function`: runs a Python function on the array with random inputs and compares it with the CPU."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from allo_air.errors import AlloAirError, OptionError, UnknownNameError
from allo_air.user_errors import run_file

_TARGET = re.compile(r"(.*\.py):(\w+)")
_SHAPE = re.compile(r"((?:\d+x)*)(\d+|[a-z]+\d+)")
_USED = {"target", "shape", "device", "seed", "json", "verbose", "no_check", "no_cache", "explain", "option", "save"}
_USED |= {"estimate"}


def is_function(target: str) -> bool:
    """Whether a target names a function of a Python file."""
    return _TARGET.fullmatch(target) is not None


def schedule_of(target: str, shape: str | None) -> tuple[Any, str]:
    """The schedule of a function for arguments of these shapes, and its default device."""
    from allo_air.program.jit import Jit

    function = _load(target)
    jit = function if isinstance(function, Jit) else Jit(function, "npu1", (), {})
    return jit.schedule([_kind(text) for text in shape.split(",")] if shape else []), jit.device


def run_function(options: argparse.Namespace) -> int:
    """Compiles, runs and checks the function; returns 1 for a wrong result."""
    _refuse(options)
    from allo_air.frontend.schedule.verify import draw, have_same_results
    from allo_air.program.array_function import build_schedule

    schedule, device = schedule_of(options.target, options.shape)
    device = options.device or device
    whole = build_schedule(schedule, device, **_options(options.option))
    if options.save:
        whole.program.save(options.save)
    if options.estimate:
        report = whole.program.estimate()
        cost = f"{report.cycles:,} cycles, {report.microseconds:.1f} us (estimated: nothing was run)"
        print(json.dumps(report.as_dict(), default=str) if options.json else f"{options.target} on {device}: {cost}")
        return 0
    inputs = draw(schedule.original.parameters, options.seed)
    compared = have_same_results(schedule.build(), whole, inputs, schedule.original, "on the array", "on the CPU")
    report = whole.program.report()
    if options.json:
        print(json.dumps({**report.as_dict(), "expected": {"equal": compared.equal, "message": compared.message}}, default=str))
        return 0 if compared.equal or options.no_check else 1
    print(f"{options.target} on {device}: {report.cycles:,} cycles, {report.microseconds:.1f} us (predicted by the simulator)")
    if whole.why:
        print(f"on one core, scalar code: {whole.why}")
    if options.explain:
        print(whole.program.explain())
    if options.verbose:
        print(report)
    if not options.no_check:
        print(f"{'correct' if compared else 'wrong'}: {compared}")
    return 0 if compared.equal or options.no_check else 1


def _refuse(options: argparse.Namespace) -> None:
    for name, value in vars(options).items():
        if value and name not in _USED and value != "sim":
            raise OptionError(f"--{name.replace('_', '-')} does not go with a function in Python")


def _load(target: str) -> Any:
    match = _TARGET.fullmatch(target)
    assert match, "is_function has said so"
    path, name = Path(match[1]), match[2]
    if not path.is_file():
        raise AlloAirError(f"there is no file '{path}'")
    names = run_file(path)
    if name not in names:
        functions = functions_of(path)
        there = f"'{path}' has {', '.join(functions)}" if functions else f"'{path}' has none"
        raise UnknownNameError("function", name, functions, there)
    if not callable(names[name]) or type(names[name]).__name__ == "Region":
        raise AlloAirError(f"'{name}' is not a function of tensors; a region is run by the program that builds it")
    return names[name]


def functions_of(path: Path) -> list[str]:
    """The names of the functions that a Python file defines."""
    return re.findall(r"^def ([a-zA-Z]\w*)", path.read_text(errors="replace"), re.MULTILINE)


def refuse_python(target: str) -> None:
    """Raises OptionError for a Python file without a function's name."""
    path = Path(target)
    if path.suffix == ".py" and path.is_file():
        there = functions_of(path)
        text = f"there {'is' if len(there) == 1 else 'are'} {', '.join(there)}" if there else "it has none"
        raise OptionError(f"'{target}' is a file in Python: name a function of it, as {target}:{(there or ['f'])[0]} ({text})")


def _kind(text: str) -> Any:
    """The shape and type in a text such as `8x4xi32`; the default type is f32."""
    import numpy as np

    from allo_air.dtypes import numpy_dtype
    from allo_air.frontend.constants import element_of
    from allo_air.frontend.types import TensorType, UInt

    match = _SHAPE.fullmatch(text.strip())
    if match is None:
        raise OptionError(f"--shape is '{text}', expected shapes as in 8x4xi32,4xf32")
    sizes, last = [int(n) for n in match[1].split("x") if n], match[2]
    if last.isdecimal():
        return TensorType(element_of(np.float32), (*sizes, int(last)))
    try:
        element = UInt(int(last[2:])) if last.startswith("ui") else element_of(numpy_dtype(last))
    except AlloAirError:
        raise OptionError(f"--shape is '{text}': '{last}' is not a type; there are i8, ui8, i32, f32, bf16, ...") from None
    return TensorType(element, tuple(sizes)) if sizes else element


def _options(texts: list[str]) -> dict[str, str]:
    return {name.replace("-", "_"): value for name, _, value in (text.partition("=") for text in texts)}
