"""A pipeline with its options: from a name and options, or from pipeline text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from allo_air.core import named, options, pipeline
from allo_air.core.pipeline import Pipeline
from allo_air.core.registry import Registry, standard
from allo_air.errors import OptionError

TEXT = ("builtin.module(", "any(")
"""How pipeline text begins; anything else is a pipeline's name."""


@dataclass(frozen=True)
class Recipe:
    """A pipeline with options: `name` as the user wrote it, its `steps`, and its `device` if it has one."""

    name: str
    steps: Pipeline
    device: str = ""

    @property
    def text(self) -> str:
        """The pipeline as text, with all options."""
        return str(self.steps) if self.steps.steps else ""

    def with_plans(self, plans: str, ranking: int = 0) -> Recipe:
        """The recipe with planners that read plans from the folder `plans` ("": none) and list `ranking` best plans."""
        info: Any = {"plans": plans, "ranking": ranking}
        steps = [replace(s, action=replace(s.action, **info)) if hasattr(s.action, "plans") else s for s in self.steps.steps]
        return replace(self, steps=replace(self.steps, steps=tuple(steps)))

    @property
    def plans(self) -> bool:
        """Whether one of its passes plans kernels."""
        return any(hasattr(step.action, "plans") for step in self.steps.steps)

    @property
    def bfp16(self) -> bool:
        """Whether a pass plans for block floating point."""
        return any(getattr(step.action, "bfp16", False) for step in self.steps.steps)


def recipe_of(
    name: str, device: str, value: dict[str, Any] | str, registry: Registry | None = None, schedule: str = ""
) -> Recipe:
    """The pipeline `name` (or pipeline text) with the user's options. Needs an active context.

    `device` is used if the pipeline has this option and `name` does not set it. `schedule` is a transform script (path or text)
    that replaces the pipeline's tiling.
    """
    registry = registry or standard()
    if schedule and (not name or name.startswith(TEXT)):
        raise OptionError("a schedule replaces the tiling of a named pipeline; name one, as in pipeline='tiled-npu'")
    if not name:
        if value:
            raise OptionError("options belong to a pipeline, and none is named: the source is a device already")
        return Recipe("", Pipeline(()))
    if name.startswith(TEXT):
        if value:
            raise OptionError("options go into the pipeline's text, or with the name of a pipeline")
        return Recipe(name, pipeline.parse(name, registry))
    short, text = named.parse_reference(name)
    result = registry.pipeline(short).with_schedule(schedule)
    owner = f"pipeline '{short}'"
    option_names = {s.name for s in options.specs(result.options)}
    written = [n.replace("-", "_") for n, _ in options.split(owner, text)]
    more = value if isinstance(value, str) else options_text(value)
    written += [n.replace("-", "_") for n, _ in options.split(owner, more)]
    if "device" in option_names and "device" not in written:
        more = f"device={device} {more}"
    values = options.parse(owner, result.options, f"{text} {more}".strip())
    return Recipe(short, result.bind(registry, values), getattr(values, "device", ""))


def options_text(values: dict[str, int | str | tuple[int, ...]]) -> str:
    """Options as pipeline text."""
    return " ".join(f"{n.replace('_', '-')}={_text(v)}" for n, v in values.items())


def _text(value: int | str | tuple[int, ...]) -> str:
    """An option's value as pipeline text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "{" + ",".join(map(_text, value)) + "}"
    return options._quote(value) if isinstance(value, str) else str(value)
