"""Schedules as transform scripts: primitives as steps, their text, and their execution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from allo_air.core.diagnostics import translate
from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.scheduling import dialect

_ANY = "!transform.any_op"
_CLEAN_UP = f"""  transform.named_sequence @clean_up(%module: {_ANY} {{transform.readonly}}) {{
    %functions = transform.structured.match ops{{["func.func"]}} in %module : ({_ANY}) -> {_ANY}
    transform.apply_patterns to %functions {{ transform.apply_patterns.canonicalization }} : {_ANY}
    transform.apply_cse to %functions : {_ANY}
    transform.yield
  }}
"""


@dataclass(frozen=True)
class Place:
    """A loop, by its name (`band:loop`) and its function; or a function, without a loop."""

    function: str
    loop: str = ""


@dataclass(frozen=True)
class Step:
    """One primitive. `text` is the user's call; `op` is the operation of dialect `schedule`, or transform's `annotate`."""

    text: str
    op: str
    places: tuple[Place, ...]
    attributes: dict[str, str | int | tuple[int, ...]] = field(default_factory=dict)

    def renamed(self, name: Callable[[str], str]) -> Step:
        """The step for functions with other names."""
        return replace(self, places=tuple(replace(p, function=name(p.function)) for p in self.places))

    def lines(self) -> list[str]:
        """The operations of the transform dialect, on `%module`, as lines."""
        lines, handles = [], []
        for number, place in enumerate(self.places):
            handle = f"%{number}"
            kind, attributes = "function", [f'function = "{place.function}"']
            if place.loop:
                kind = "loop"
                attributes.append(f'loop = "{place.loop}"')
            lines.append(f'{handle} = "schedule.{kind}"(%module) {{{", ".join(attributes)}}} : ({_ANY}) -> {_ANY}')
            handles.append(handle)
        if self.op == "annotate":
            for name, value in self.attributes.items():
                lines.append(f"%{name} = transform.param.constant {value} : i32 -> !transform.param<i32>")
                lines.append(f'transform.annotate {handles[0]} "{name}" = %{name} : {_ANY}, !transform.param<i32>')
        else:
            attributes = [f"{name} = {_text(value)}" for name, value in self.attributes.items()]
            kinds = ", ".join([_ANY] * len(handles))
            lines.append(f'"schedule.{self.op}"({", ".join(handles)}) {{{", ".join(attributes)}}} : ({kinds}) -> ()')
        return lines


def _text(value: str | int | tuple[int, ...]) -> str:
    if isinstance(value, str):
        return str(ir.StringAttr.get(value))
    if isinstance(value, int):
        return f"{value} : i64"
    return f"[{', '.join(map(str, value))}]"


def script(steps: Sequence[Step]) -> str:
    """The transform script of all steps, in order."""
    parts, included = [], []
    for number, step in enumerate(steps):
        name = f"step_{number}"
        lines = "".join(f"    {line}\n" for line in step.lines())
        parts.append(
            f"  // {step.text}\n  transform.named_sequence @{name}(%module: {_ANY} {{transform.readonly}}) {{\n{lines}"
            "    transform.yield\n  }\n"
        )
        for called in (name, "clean_up"):
            included.append(f"    transform.include @{called} failures(propagate) (%module) : ({_ANY}) -> ()\n")
    main = f"  transform.named_sequence @__transform_main(%module: {_ANY} {{transform.readonly}}) {{\n{''.join(included)}    transform.yield\n  }}\n"  # noqa: E501
    return f"module attributes {{transform.with_named_sequence}} {{\n{_CLEAN_UP}{''.join(parts)}{main}}}\n"


def run(step: Step, module: ir.Module) -> None:
    """Executes one step on a module. If it fails, the module may be partly rewritten; the original exception is raised."""
    dialect.load()
    parsed = ir.Module.parse(script([step]))
    mains: list[Any] = [o for o in parsed.body.operations if o.operation.name == "transform.named_sequence"]
    try:
        mains[-1].apply(module.operation)
        module.operation.verify()
    except ir.MLIRError as error:
        raise AlloAirError(f"{step.text}: {translate(error)}") from None
    except ValueError as error:
        raise AlloAirError(f"{step.text}: {error}") from None
