"""Listings and help texts for passes and pipelines."""

from __future__ import annotations

import inspect
import textwrap

from allo_air.core import field_docs, options, renamed, upstream
from allo_air.core.registry import Registry
from allo_air.errors import AlloAirError, unknown_name


def list_passes(registry: Registry) -> str:
    """All passes: ours with their summaries, the peers' that are not here with what to use instead, then upstream's names."""
    own_passes = [(name, _summary(registry, name)) for name in registry.pass_names()]
    upstream_passes = [name for name in upstream.names() if name not in dict(own_passes)]
    return "\n".join(
        [
            "allo_air passes and schedules:",
            *_table(own_passes),
            "",
            "passes of mlir-aie and mlir-air that are not here:",
            *_table(sorted(registry.absent_passes().items())),
            "",
            "upstream passes:",
            *(f"  {n}" for n in upstream_passes),
            "",
        ]
    )


def list_pipelines(registry: Registry) -> str:
    """All named pipelines with their titles."""
    rows = [(name, registry.pipeline(name).title) for name in registry.pipeline_names()]
    return "\n".join(["pipelines:", *(_table(rows) or ["  none"]), ""])


def help_for(registry: Registry, name: str) -> str:
    """Returns the docstring and options of pass or pipeline `name`, or MLIR's description of an upstream pass. Needs an
    active context.
    """
    if cls := registry.find_pass(name) or registry.find_late(name):
        doc = inspect.cleandoc(cls.__doc__ or "") if cls.summary() else "No description."
        return f"{cls.name}\n\n{doc}\n\n{_options(cls)}\n"
    if upstream.exists(name):
        help_texts = upstream.option_texts(name)
        options = dict.fromkeys(help_texts, "") | upstream.option_defaults(name)
        rows = [(o, _with_values(help_texts.get(o, ""), f"default {d}" if d else "")) for o, d in sorted(options.items())]
        shown = _table(rows, _LINE) or ["  none that MLIR prints"]
        return "\n".join([name, "", "A pass of upstream MLIR.", "", "options:", *shown, ""])
    if renamed.PIPELINES.get(name, name) in registry.pipeline_names():
        named = registry.pipeline(name)
        stages = [f"  {s.name} -> {s.level}: {', '.join(map(str, s.passes))}" for s in named.stages]
        return "\n".join([name, "", named.title, "", _options(named.options), "", "stages:", *stages, ""])
    names = (*registry.pass_names(), *registry.pipeline_names(), *upstream.names())
    raise unknown_name("pass or pipeline", name, names, registry.why_absent(name))


def _summary(registry: Registry, name: str) -> str:
    try:
        return registry.pass_class(name).summary()
    except AlloAirError as error:
        return f"({error})"


def _options(cls: type) -> str:
    help_texts = field_docs.of(cls)
    rows = []
    for spec in options.specs(cls):
        default = "required" if spec.required else f"default {options.default_text(spec)}"
        rows.append(
            (spec.text_name, _with_values(spec.help or help_texts.get(spec.name, ""), f"{spec.allowed_text}; {default}"))
        )
    return "\n".join(["options:", *(_table(rows, _LINE) or ["  none"])])


def _with_values(meaning: str, values: str) -> str:
    """The meaning of an option, with its values in brackets."""
    bare = meaning.removesuffix(".")
    return f"{bare} ({values})" if bare and values else bare or values


_LINE = 120
"""Columns of a line of help."""


def _table(rows: list[tuple[str, str]], line: int = 1 << 20) -> list[str]:
    """Two columns of names and texts; long texts are wrapped."""
    width = max((len(name) for name, _ in rows), default=0) + 2
    lines = []
    for name, text in rows:
        first, *more = textwrap.wrap(text, max(line - width - 2, 40), break_on_hyphens=False) or [""]
        lines += [f"  {name:{width}}{first}".rstrip(), *(" " * (width + 2) + words for words in more)]
    return lines
