"""Named pipelines as data: stages of passes that can be shared by splicing, and typed options that passes refer to."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from allo_air.core import levels, options, pipeline, syntax
from allo_air.core.options import Option
from allo_air.core.pass_ import Pass
from allo_air.core.pipeline import Passes, Pipeline, Step
from allo_air.errors import AlloAirError, OptionError, counted, nearest, suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class LazyPass:
    """Pass `name` with values of its fields. It is imported when a pipeline that runs it is bound, so other pipelines start
    faster.
    """

    name: str
    fields: tuple[tuple[str, Any], ...]

    def create(self, passes: Passes) -> Pass:
        """The pass, which may have placeholders."""
        result = passes.find_pass(self.name)
        if result is None:
            raise OptionError(f"there is no pass '{self.name}'")
        return result(**dict(self.fields))

    def __str__(self) -> str:
        argument = " ".join(f"{name.replace('_', '-')}={options.value_text(value)}" for name, value in self.fields)
        return f"{self.name}{{{argument}}}" if argument else self.name


def late(name: str, /, **fields: object) -> LazyPass:
    """The element of a stage that is pass `name` with these fields, as in `late("plan-tiles", device=option("device"))`."""
    return LazyPass(name, tuple(fields.items()))


@dataclass(frozen=True)
class Stage:
    """Passes with a common purpose. `level` is the IR level (`core.levels`) after them; "" for no particular level.

    An element of `passes` is a Pass (its options may be `option("name")` placeholders), a pass that is imported late, or
    pipeline text such as "cse" or "func.func(cse)". `when` is a condition on the options under which the stage is present;
    None means always.
    """

    name: str
    level: str
    passes: tuple[Pass | LazyPass | str, ...]
    when: Callable[[Any], bool] | None = None

    def place(self, name: str) -> int:
        """The index of the one element of `passes` that is pass `name` or that text."""
        results = [i for i, p in enumerate(self.passes) if name in (p, getattr(p, "name", None))]
        if len(results) != 1:
            raise OptionError(f"stage '{self.name}' has '{name}' {counted(len(results), 'time')}, expected once")
        return results[0]

    def up_to(self, name: str) -> tuple[Pass | LazyPass | str, ...]:
        """The passes up to `name`, and it."""
        return self.passes[: self.place(name) + 1]

    def between(self, first: str, last: str) -> tuple[Pass | LazyPass | str, ...]:
        """The passes after `first` and before `last`."""
        return self.passes[self.place(first) + 1 : self.place(last)]

    def after(self, name: str) -> tuple[Pass | LazyPass | str, ...]:
        """The passes after `name`."""
        return self.passes[self.place(name) + 1 :]


_KEPT = 64
"""Instances of a pipeline that are kept."""


@dataclass(frozen=True)
class NoOptions:
    """Options of a pipeline that has none."""


@dataclass(frozen=True)
class NamedPipeline:
    """A pipeline with a name. `stages` is a tuple, so that pipelines can share stages: `(*TILE, *MAP, own)`.

    `options` is a frozen dataclass type. Its fields are the options with their defaults; passes may also refer to its
    properties. `scheduled` returns the stages for a user's transform script (a path or text), which replaces the stages that
    tile; None if the pipeline accepts no script.
    """

    name: str
    title: str
    stages: tuple[Stage, ...]
    options: type = field(default=NoOptions)
    scheduled: Callable[[str], tuple[Stage, ...]] | None = None
    _bound: dict[tuple[Passes, object], Pipeline] = field(default_factory=dict, init=False, repr=False, compare=False)

    def with_schedule(self, script: str) -> NamedPipeline:
        """The pipeline with the transform script `script` instead of its own tiling; itself without a script."""
        if not script:
            return self
        if self.scheduled is None:
            raise OptionError(f"pipeline '{self.name}' has no tiling that a schedule could take over")
        return dataclasses.replace(self, stages=self.scheduled(script))

    def __post_init__(self) -> None:
        derived = (name for name in dir(self.options) if isinstance(getattr(self.options, name), property))
        option_names = (*(s.name for s in options.specs(self.options)), *derived)
        for stage in self.stages:
            _check_level(self.name, stage)
        for p in (p for stage in self.stages for p in stage.passes if not isinstance(p, str)):
            for name in _placeholders(p).values():
                if name not in option_names:
                    offered = suggestion(nearest(name, option_names))
                    raise OptionError(f"pipeline '{self.name}', pass '{p.name}': no pipeline option '{name}'{offered}")

    def instantiate(self, passes: Passes, text: str = "") -> Pipeline:
        """The pipeline with the options written in `text`; needs an active context to check upstream's passes."""
        return self.bind(passes, options.parse(f"pipeline '{self.name}'", self.options, text))

    def bind(self, passes: Passes, values: Mapping[str, object]) -> Pipeline:
        """The pipeline with `values`, an instance of its options."""
        key = passes, values
        try:
            hash(key)
        except TypeError:  # options that are not frozen
            return self._with(passes, values)
        if key not in self._bound:
            if len(self._bound) == _KEPT:
                self._bound.clear()
            self._bound[key] = self._with(passes, values)
        return self._bound[key]

    def _with(self, passes: Passes, values: Mapping[str, object]) -> Pipeline:
        options.check(f"pipeline '{self.name}'", values)
        steps: list[Step] = []
        above = ""
        for stage in (s for s in self.stages if s.when is None or s.when(values)):
            stage_steps = [s for element in stage.passes for s in self._steps(stage, element, passes, values)]
            stage_steps = [dataclasses.replace(s, above=above) for s in stage_steps]
            steps += [*stage_steps[:-1], *(dataclasses.replace(s, ends_stage=True) for s in stage_steps[-1:])]
            above = stage.level or above
        return Pipeline(tuple(steps))

    def _steps(self, stage: Stage, element: Pass | LazyPass | str, passes: Passes, values: Mapping[str, object]) -> list[Step]:
        try:
            if isinstance(element, LazyPass):
                element = element.create(passes)
            if isinstance(element, Pass):
                steps: tuple[Step, ...] = (Step((), resolve(element, values)),)
            else:
                steps = _parsed(element, passes)
        except AlloAirError as wrong:
            raise OptionError(f"pipeline '{self.name}', stage '{stage.name}': {wrong}") from None
        return [dataclasses.replace(s, stage=stage.name, level=stage.level) for s in steps]


@lru_cache(maxsize=512)
def _parsed(element: str, passes: Passes) -> tuple[Step, ...]:
    return pipeline.parse(element, passes).steps


def _check_level(pipeline_name: str, stage: Stage) -> None:
    try:
        if stage.level:
            levels.find(stage.level)
    except AlloAirError as wrong:
        raise OptionError(f"pipeline '{pipeline_name}', stage '{stage.name}': {wrong}") from None


def _placeholders(p: Pass | LazyPass) -> dict[str, str]:
    """Maps field names to the pipeline options whose values they take."""
    values = dict(p.fields) if isinstance(p, LazyPass) else {s.name: getattr(p, s.name) for s in options.specs(type(p))}
    return {name: value.name for name, value in values.items() if isinstance(value, Option)}


def resolve(p: Pass, values: Mapping[str, object]) -> Pass:
    """Pass `p` with its placeholders replaced by the fields of `values`."""
    arguments = {name: getattr(values, source) for name, source in _placeholders(p).items()}
    return dataclasses.replace(p, **arguments) if arguments else p


def parse_reference(text: str) -> tuple[str, str]:
    """Splits `gemm-bf16{device=npu1}` into name and option text."""
    [*nodes] = syntax.parse(text)
    if len(nodes) != 1 or nodes[0].children is not None:
        raise OptionError(f"expected one pipeline as in NAME or NAME{{option=value}}, found '{text}'")
    return nodes[0].name, nodes[0].options
