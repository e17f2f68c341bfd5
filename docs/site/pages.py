"""The reference pages of the site, written from the code: passes by room, pipelines, dialects, findings, Python API."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from allo_air import codes
from allo_air.core import field_docs, options
from allo_air.core.pass_ import Pass
from allo_air.core.registry import Registry
from allo_air.dialects._op import OPS, Op
from allo_air.mlir import new_context

ROOT = Path(__file__).resolve().parents[2]
MODULES = (
    "allo_air",
    "allo_air.torch",
    "allo_air.onnx",
    "allo_air.dataflow",
    "allo_air.testing",
    "allo_air.errors",
    "allo_air.device",
    "allo_air.codes",
)
"""The modules of the Python API."""
DIALECTS = {
    "air": "Hierarchies (launch, segment, herd), channels and asynchronous copies.",
    "airrt": "The host program of AIR: copies and waits of the runtime sequence.",
    "aie": "Tiles, buffers, locks, DMA programs, flows and cores of an array.",
    "aiex": "Operations of runtime sequences.",
    "aievec": "Vector instructions of cores.",
    "aievec_aie1": "Vector instructions of AIE1's cores.",
}


def generated() -> dict[str, str]:
    """All reference pages by name."""
    registry = Registry()
    with new_context():
        found = {"reference/passes.md": passes_index(registry), "reference/pipelines.md": pipelines(registry)}
        for room, classes in rooms(registry).items():
            found[f"reference/passes/{room}.md"] = passes_of(room, classes)
    found["reference/scripts.md"] = scripts()
    found["reference/codes.md"] = findings()
    found["reference/python.md"] = python_api()
    for dialect, title in DIALECTS.items():
        found[f"reference/dialects/{dialect}.md"] = operations(dialect, title)
    return {name: f"{text.rstrip()}\n" for name, text in found.items()}


def rooms(registry: Registry) -> dict[str, list[type[Pass]]]:
    """The passes of each room, by room and by name."""
    found: dict[str, list[type[Pass]]] = {}
    for name in registry.pass_names():
        cls = registry.find_pass(name)
        if cls is not None and (match := re.match(r"allo_air\.passes\.(\w+)\.", cls.__module__)):
            found.setdefault(match[1], []).append(cls)
    return dict(sorted(found.items()))


def room_title(room: str) -> str:
    """The sentence of a room's package."""
    return inspect.cleandoc(import_module(f"allo_air.passes.{room}").__doc__ or "").split("\n\n")[0]


def passes_index(registry: Registry) -> str:
    """All passes with a sentence each, by room."""
    lines = [
        "# Passes",
        "",
        "Run one with `allo-opt --NAME`, or in the text of a pipeline. `allo-opt --help-pass=NAME` prints the same.",
        "",
    ]
    for room, classes in rooms(registry).items():
        lines += [f"## {room}", "", escaped(room_title(room)), "", "| pass | does |", "|---|---|"]
        lines += [f"| [`{c.name}`](passes/{room}.md#{c.name.lower()}) | {cell(c.summary())} |" for c in classes]
        lines.append("")
    return "\n".join(lines)


def passes_of(room: str, classes: list[type[Pass]]) -> str:
    """The page of a room: docstring, options and lit tests of each pass."""
    lines = [f"# Passes: {room}", "", escaped(room_title(room)), ""]
    for cls in classes:
        lines += [f"## {cls.name}", "", markdown(cls.__doc__ or ""), "", *option_table(cls)]
        folder = f"test/lit/passes/{room}/{cls.name}"
        tests = (f"[`{name}`](../../tests/{room}/{cls.name}/{name})" for name in sorted(lit_tests(folder)))
        lines += [f"Runs on `{cls.anchor}`. Tests in `{folder}`: {', '.join(tests)}.", ""]
    return "\n".join(lines)


def lit_tests(folder: str) -> list[str]:
    """The names of the lit tests in `folder`."""
    return [path.name for path in (ROOT / folder).glob("*.mlir")]


def test_files() -> dict[str, Path]:
    """The lit tests of passes, by the name of their copy in the site."""
    folder = ROOT / "test/lit/passes"
    return {f"tests/{path.relative_to(folder).as_posix()}": path for path in sorted(folder.glob("*/*/*.mlir"))}


def option_table(cls: Any) -> list[str]:
    """The options of a pass or pipeline."""
    meant = field_docs.of(cls)
    rows = []
    for spec in options.specs(cls):
        default = "required" if spec.required else f"`{options.default_text(spec)}`"
        meaning = spec.help or meant.get(spec.name, "")
        rows.append(f"| `{spec.text_name}` | {cell(spec.allowed_text)} | {cell(default)} | {cell(meaning)} |")
    return ["| option | values | default | meaning |", "|---|---|---|---|", *rows, ""] if rows else []


def pipelines(registry: Registry) -> str:
    """All pipelines with options, stages and passes."""
    lines = [
        "# Pipelines",
        "",
        "`allo-opt --pipeline=NAME`, `allo-run --pipeline=NAME` and `allo_air.compile(..., pipeline=NAME)` run one.",
        "",
    ]
    for name in registry.pipeline_names():
        named = registry.pipeline(name)
        lines += [f"## {name}", "", escaped(named.title), "", *option_table(named.options)]
        lines += ["| stage | leaves the level | passes |", "|---|---|---|"]
        lines += [f"| {s.name} | {s.level or '-'} | {cell(', '.join(f'`{p}`' for p in s.passes))} |" for s in named.stages]
        lines.append("")
    return "\n".join(lines)


def scripts() -> str:
    """The transform scripts that are passes."""
    lines = [
        "# Transform scripts",
        "",
        "Each is a pass by its name, and a text to copy and change ([tiling](../tiling.md)).",
        "",
    ]
    for path in sorted((ROOT / "transform_scripts").glob("*.mlir")):
        head = re.match(r"(?:// ?.*\n)*", path.read_text(encoding="utf-8"))
        comment = re.sub(r"^// ?", "", head[0] if head else "", flags=re.MULTILINE)
        lines += [f"## {path.stem.replace('_', '-')}", "", markdown(comment), ""]
    return "\n".join(lines)


def operations(dialect: str, title: str) -> str:
    """The operations of a dialect: fields, and the notation of both states of the assembly."""
    lines = [f"# Dialect {dialect}", "", title, ""]
    lines += [
        "[Assembly](../../assembly.md) explains the notation. `--syntax` chooses the state that is printed; both are read.",
        "",
    ]
    for name, op in sorted(OPS.items()):
        if name.startswith(f"{dialect}."):
            lines += [f"## {name}", "", markdown(own_doc(op)), "", *fields(op), *notation(op)]
    return "\n".join(lines)


def own_doc(op: type[Op]) -> str:
    """The docstring of an operation, not that of the class that all share."""
    return op.__doc__ or "" if op.__doc__ != Op.__doc__ else ""


def fields(op: type[Op]) -> list[str]:
    """The fields of an operation as a table."""
    declared = op.DECL
    rows = [f"| operand | `{o.name}` | {cell(arity(o.arity))} |" for o in declared.operands]
    rows += [f"| result | `{r.name}` | {cell(arity(r.arity))} |" for r in declared.results]
    rows += [f"| attribute | `{a}` | {'optional' if v.optional else 'required'} |" for a, v in declared.attrs.items()]
    rows += [f"| region | `{r.name}` | |" for r in declared.regions]
    return ["| field | name | |", "|---|---|---|", *rows, ""] if rows else []


def arity(word: str) -> str:
    """How many values a field has, in words."""
    return {"single": "one", "": "one"}.get(word, word)


def notation(op: type[Op]) -> list[str]:
    """The notation of an operation, by state where the states differ."""
    texts = {state: text for state, text in op.DECL.assemblies.items() if text}
    if not texts:
        return ["Generic form only.", ""]
    if len(texts) == 1:
        return ["```text", *texts.values(), "```", ""]
    return [line for state, text in texts.items() for line in (f"State {state}:", "", "```text", text, "```", "")]


def findings() -> str:
    """The codes of findings, by group."""
    lines = [
        "# Codes of findings",
        "",
        "What each code means and what to do; [findings](../findings.md) has an example of each.",
        "",
    ]
    group = ""
    for code in codes.CODES.values():
        if (now := code.name.partition(".")[0]) != group:
            group = now
            lines += ["", f"## {group}", "", "| code | severity | verdict | meaning | cure |", "|---|---|---|---|---|"]
        lines.append(f"| `{code.name}` | {code.severity} | {code.verdict} | {cell(code.sentence)} | {cell(code.cure)} |")
    return "\n".join(lines)


def python_api() -> str:
    """Public names of the Python API with signatures and docstrings."""
    lines = ["# Python API", "", "[Python](../python-api.md) is the guide; here is every public name.", ""]
    for name in MODULES:
        module = import_module(name)
        lines += [f"## {name}", "", markdown(module.__doc__ or ""), ""]
        for public, value in public_names(module):
            lines += [f"### {name}.{public}", "", *signature(public, value), markdown(inspect.getdoc(value) or ""), ""]
            lines += members(value) if inspect.isclass(value) else []
    return "\n".join(lines)


def public_names(module: Any) -> Iterator[tuple[str, Any]]:
    """The functions and classes that a module offers."""
    offered = getattr(module, "__all__", None)
    for name in sorted(offered or vars(module)):
        value = getattr(module, name)
        mine = offered is not None or getattr(value, "__module__", "") == module.__name__
        if not name.startswith("_") and mine and (inspect.isclass(value) or inspect.isroutine(value)):
            yield name, value


def members(cls: type) -> list[str]:
    """The public methods and properties of a class."""
    lines = []
    for name, value in vars(cls).items():
        got = value.fget if isinstance(value, property) else getattr(cls, name)
        if name.startswith("_") or not (isinstance(value, property) or inspect.isroutine(got)) or not inspect.getdoc(got):
            continue
        shown = f"`{name}`" if isinstance(value, property) else f"`{name}{parameters(got)}`"
        lines.append(f"* {shown}: {escaped(inspect.getdoc(got) or '').splitlines()[0]}")
    return [*lines, ""] if lines else []


def parameters(value: Any) -> str:
    """A signature without types, which the text has."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in found.parameters.values() if p.name != "self"]
    return str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))


def signature(name: str, value: Any) -> list[str]:
    """A call as code; nothing for classes of errors."""
    if inspect.isclass(value) and issubclass(value, BaseException):
        return []
    return ["```text", f"{name}{parameters(value)}", "```", ""]


def markdown(doc: str) -> str:
    """A docstring as Markdown: indented blocks become fenced ones."""
    lines, found, block = inspect.cleandoc(doc).split("\n"), list[str](), list[str]()
    for line in [*lines, ""]:
        if block and (line.startswith("    ") or not line.strip()):
            block.append(line[4:])
            continue
        if block:
            found += ["```mlir", *_trimmed(block), "```", ""]
            block = []
        if line.startswith("    ") and not (found and found[-1].startswith("*")):
            block = [line[4:]]
        else:
            found.append(escaped(line))
    if block:
        found += ["```mlir", *_trimmed(block), "```"]
    return "\n".join(found)


def _trimmed(block: list[str]) -> list[str]:
    while block and not block[-1].strip():
        block = block[:-1]
    return block


def escaped(text: str) -> str:
    """Text whose angle brackets are no tags, but in code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else p.replace("<", "&lt;").replace("[", "\\[").replace("*", "\\*") for p in parts)


def cell(text: str) -> str:
    """Text in a table."""
    return escaped(" ".join(text.split())).replace("|", "\\|")
