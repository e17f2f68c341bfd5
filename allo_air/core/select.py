"""Parts of a pipeline: `--start-from` and `--stop-after` name a pass, its nth occurrence (`cse#2`), a stage or a level."""

import dataclasses
import re

from allo_air.core import renamed
from allo_air.core.pipeline import Pipeline
from allo_air.errors import OptionError, UnknownNameError, counted

MOST = 12
"""The largest number of names in an error."""


def select(pipeline: Pipeline, start_from: str | None = None, stop_after: str | None = None) -> Pipeline:
    """The steps from the first of `start_from` to the last of `stop_after`; a pass without `#n` means its first occurrence."""
    first = first_of(pipeline, start_from)
    last = _find(pipeline, stop_after)[-1] if stop_after else len(pipeline.steps) - 1
    if last < first and pipeline.steps:
        raise OptionError(f"'{stop_after}', where the pipeline stops, comes before '{start_from}', where it starts")
    return dataclasses.replace(pipeline, steps=pipeline.steps[first : last + 1])


def first_of(pipeline: Pipeline, start_from: str | None) -> int:
    """The index of the step that `start_from` names; 0 without one."""
    return _find(pipeline, start_from)[0] if start_from else 0


def _find(pipeline: Pipeline, step_name: str) -> list[int]:
    name, count = re.fullmatch(r"(.*?)(?:#(\d+))?", step_name, re.DOTALL).groups()  # type: ignore[union-attr]
    steps = list(enumerate(pipeline.steps))
    if name not in {s.name for _, s in steps}:
        name = renamed.current("pass", name)
    if by_pass := [i for i, s in steps if s.name == name]:
        if not 1 <= int(count or 1) <= len(by_pass):
            raise OptionError(f"'{step_name}': the pipeline runs pass '{name}' {counted(len(by_pass), 'time')}")
        return [by_pass[int(count or 1) - 1]]
    for by_place in ([i for i, s in steps if s.stage == name], [i for i, s in steps if s.level == name]):
        if by_place and count is None:
            return by_place
    step_names = {n for _, s in steps for n in (s.name, s.stage, s.level) if n}
    raise UnknownNameError("pass, stage or level of this pipeline", name, step_names, _what_it_runs(pipeline))


def _what_it_runs(pipeline: Pipeline) -> str:
    names = [step.name for step in pipeline.steps]
    if len(names) <= MOST:
        return f"it runs {', '.join(names) or 'nothing'}"
    stages = list(dict.fromkeys(step.stage for step in pipeline.steps if step.stage))
    of_stages = f" in the stages {', '.join(stages)}" if 0 < len(stages) <= MOST else ""
    return f"it runs {len(names)} passes{of_stages}; --print-pipeline shows all"
