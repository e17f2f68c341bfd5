"""Applies `transform.apply_registered_pass` with passes of this library: names, options and targets."""

from __future__ import annotations

from typing import Any

from allo_air.core import driver, pipeline
from allo_air.core.registry import Registry
from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.transform.operations import Application, python_value


def is_ours(op: ir.Operation) -> bool:
    """Whether the pass that `op` names belongs to this library."""
    return Registry().find_pass(op.attributes["pass_name"].value) is not None


def run(call: Application, parameters: list[list[object]]) -> None:
    """Runs the pass of `call` on each target, or on the operations of the pass's kind in it."""
    name = call.op.attributes["pass_name"].value
    options = call.op.attributes.get("options", None)
    text = " ".join(f"{entry.name}={_text(entry.attr, parameters)}" for entry in options or ())
    for target in call.targets[0]:
        try:
            result = pipeline.parse(
                f"{target.name}({name}{{{text}}})" if target.name != "builtin.module" else f"{name}{{{text}}}", Registry()
            )
            steps = tuple(
                pipeline.Step(s.path[1:] if target.name != "builtin.module" else s.path, s.action) for s in result.steps
            )
            driver.run(pipeline.Pipeline(steps, "any"), target)
        except AlloAirError as error:
            raise call.failure(error, target) from None


def _text(attribute: ir.Attribute, parameters: list[list[Any]]) -> str:
    """An option as pipeline text writes it."""
    if "param_operand" in str(attribute):
        index = int(str(attribute).split("<")[1].split("=")[1].split(":")[0].strip(" >"))
        values = parameters[index]
        return ",".join(_text(v, parameters) for v in values)
    value = python_value(attribute)
    several = value if isinstance(value, list) else [value]
    return ",".join(str(v).lower() if isinstance(v, bool) else str(v) for v in several)
