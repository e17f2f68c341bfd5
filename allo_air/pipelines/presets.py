"""Presets: an existing pipeline under another name, with other options, fixed settings of passes, and fewer stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from allo_air.core.named import LazyPass, NamedPipeline, Stage, late
from allo_air.core.pass_ import Pass


def preset(
    of: NamedPipeline,
    name: str,
    title: str,
    options: type | None = None,
    *,
    keep: Mapping[str, Sequence[str]] | None = None,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    inserted_after: Mapping[str, Pass] | None = None,
) -> NamedPipeline:
    """The pipeline `of` as a preset called `name`.

    `keep` lists, for some stages, the passes that stay (none: the stage is dropped). `settings` are fields of passes.
    `inserted_after` has passes, by the name of the pass that each follows.
    """
    kept_stages, fields, inserted = keep or {}, settings or {}, inserted_after or {}
    stages = [_edited(stage, kept_stages.get(stage.name), fields, inserted) for stage in of.stages]
    return replace(
        of,
        name=name,
        title=title,
        stages=tuple(s for s in stages if s.passes),
        options=of.options if options is None else options,
    )


def _edited(
    stage: Stage, keep: Sequence[str] | None, settings: Mapping[str, Mapping[str, Any]], inserted_after: Mapping[str, Pass]
) -> Stage:
    passes: list[Pass | LazyPass | str] = []
    for step in stage.passes:
        name = step if isinstance(step, str) else step.name
        if keep is not None and name not in keep:
            continue
        more = settings.get(name, {})
        if isinstance(step, LazyPass):
            step = late(name, **{**dict(step.fields), **more})
        passes.append(replace(step, **more) if isinstance(step, Pass) else step)
        passes += [inserted_after[name]] if name in inserted_after else []
    return replace(stage, passes=tuple(passes))
