"""Schedules: transform scripts with typed parameters, each usable as a pass whose options are the parameters.

`transform_scripts/tile_matmul.mlir` holds `transform.named_sequence @tile_matmul(%root, %m: !transform.param<i64>, ...)` and
becomes the pass `tile-matmul{m=32 n=64}`. The parameters are bound as constants: no text is ever substituted.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar

from allo_air.core.diagnostics import Listener, translate
from allo_air.core.pass_ import Pass
from allo_air.core.texts import read_bytes
from allo_air.core.walking import walk_pre_order
from allo_air.errors import AlloAirError, Diagnostic, DiagnosticError, placeless, split_position
from allo_air.mlir import ir

_ARGUMENT = re.compile(r"%(\w+)\s*:\s*(![\w.]+(?:<[^{},]*>)?)")
_SAID = re.compile(r"^(?:Diagnostic message )?at (loc\(.*?\)+): ((?:(?!^at loc|^Diagnostic message).*\n?)*)", re.MULTILINE)
"""A pattern for the location and the text in the transform interpreter's exception."""
_PARAM = re.compile(r"!transform\.param<(i\d+|index|f\d+)>")
_BIND = "allo.bind"
"""Attribute of an operation of a script: which of its attributes are the values of which parameter."""
_LIST = "!transform.any_param"
"""The type of a parameter that is a list of integers."""


class Schedule(Pass):
    """Applies the named sequence of a transform script to the operation."""

    script: ClassVar[Path]
    sequence: ClassVar[str]

    def run(self, op: ir.Operation, /) -> None:
        module = parse_script(self.script)
        values = [getattr(self, f.name) for f in dataclasses.fields(self)]
        _bind(module, {f.name: value for f, value in zip(dataclasses.fields(self), values, strict=True)})
        apply(module, self.sequence, values, op)


def schedule(name: str, **params: object) -> Pass:
    """The pass that applies `transform_scripts/NAME.mlir` with `params`; a value may be `option("name")`."""
    folder = Path(__file__).parents[1] / "transform_scripts"
    return script_pass(folder / f"{name.replace('-', '_')}.mlir")(**params)


@cache
def script_pass(path: Path) -> type[Pass]:
    """The Pass subclass for the transform script in file `path`: one required option per parameter."""
    text = _read(path)
    header = re.search(rf"transform\.named_sequence\s+@{path.stem}\s*\(", text)
    if header is None:
        raise _error_at(path, 1, f"expected 'transform.named_sequence @{path.stem}', named after the file")
    line = text.count("\n", 0, header.start()) + 1
    [*arguments] = _ARGUMENT.findall(text[header.end() : _closing_parenthesis(text, header.end())])
    if not arguments or not arguments[0][1].startswith(("!transform.any_op", "!transform.op")):
        raise _error_at(
            path, line, f"expected '@{path.stem}' to take a handle to the root operation first, as in %root: !transform.any_op"
        )
    if reserved := [name for name, _ in arguments[1:] if hasattr(Schedule, name) or name in ("script", "sequence")]:
        raise _error_at(path, line, f"a parameter cannot be called '%{reserved[0]}'")
    help_texts = _parameters(text)
    fields = [
        (name, _python_type(path, line, name, kind), dataclasses.field(metadata={"help": help_texts.get(name, "")}))
        for name, kind in arguments[1:]
    ]
    namespace = {
        "__doc__": " ".join(_summary(text).split()) or f"Applies transform script {path.name}.",
        "name": path.stem.replace("_", "-"),
        "script": path,
        "sequence": path.stem,
    }
    camel = "".join(word.capitalize() for word in path.stem.split("_"))
    type_: type[Pass] = dataclasses.make_dataclass(camel, fields, bases=(Schedule,), namespace=namespace, frozen=True)
    return type_


def parse_script(path: Path) -> Any:
    """The module of transform script `path`; raises DiagnosticError at its line. Needs an active context."""
    return parse_text(_read(path), str(path))


def parse_text(text: str, name: str) -> Any:
    """The module of the transform script `text`, which diagnostics call `name`."""
    try:
        parsed = ir.Operation.parse(text, source_name=name)
    except ir.MLIRError as error:
        diagnostics = translate(error).diagnostics
        raise DiagnosticError([dataclasses.replace(d, file=name if d.line else "") for d in diagnostics]) from None
    if parsed.operation.name == "builtin.module":
        return parsed
    with parsed.location:
        module = ir.Module.create()
    module.body.append(parsed)
    return module


def _bind(script: Any, values: dict[str, Any]) -> None:
    """Sets the attributes that operations take from parameters: `allo.bind` names the parameter of each attribute.

    Before (with micro = 4, 4, 8):
        transform.structured.pack %op packed_sizes = [1, 1, 1] {allo.bind = {static_packed_sizes = "micro"}}
    After:
        transform.structured.pack %op packed_sizes = [4, 4, 8]
    """
    for op in walk_pre_order(script):
        if _BIND in op.attributes:
            bound = op.attributes[_BIND]
            del op.attributes[_BIND]
            for entry in bound:
                value = values[entry.attr.value]
                is_number = isinstance(value, int)
                whole = ir.IntegerType.get_signless(64)
                op.attributes[entry.name] = (
                    ir.IntegerAttr.get(whole, value) if is_number else ir.DenseI64ArrayAttr.get(list(value))
                )
                if entry.name == "static_sizes" and "scalable_sizes" in op.attributes:
                    op.attributes["scalable_sizes"] = ir.DenseBoolArrayAttr.get([False] * len(value))


def apply(script: Any, sequence: str, values: list[ir.Value], op: ir.Operation) -> None:
    """Applies `@sequence` of module `script` to `op` with constant parameters `values`."""
    from allo_air.mlir import transform

    [*result] = [o for o in script.body if o.operation.name == "transform.named_sequence" and o.sym_name.value == sequence]
    if len(result) != 1:
        raise AlloAirError(f"transform script has no sequence '@{sequence}'")
    kinds = [a.type for a in result[0].body.arguments][1:]
    with ir.InsertionPoint(script.body), ir.Location.name(sequence):
        root = result[0].body.arguments[0].type
        main = transform.NamedSequenceOp("__allo_main", [root], [], arg_attrs=[{"transform.readonly": ir.UnitAttr.get()}])
        with ir.InsertionPoint(main.body):
            constants = [_constant(kind, value) for kind, value in zip(kinds, values, strict=True)]
            propagate = transform.FailurePropagationMode.Propagate
            transform.IncludeOp([], ir.FlatSymbolRefAttr.get(sequence), propagate, [main.bodyTarget, *constants])
            transform.yield_([])
    _run(script, lambda: main.apply(op.operation), f"transform script '@{sequence}'", op)


def run_patterns(script: Any, op: ir.Operation) -> None:
    """Runs the `transform.with_pdl_patterns` of module `script`, its only operation, on `op`."""
    from allo_air.mlir import transform_interpreter as interpreter

    [sequence] = [o.operation for o in script.body]
    _run(script, partial(interpreter.apply_named_sequence, op.operation, sequence, script.operation), "transform script", op)


def _run(script: ir.OpView, start: Callable[[], None], what: str, op: ir.Operation) -> None:
    heard: list[Diagnostic] = []
    try:
        with Listener(op.context, heard.append):
            script.operation.verify()
            start()
    except ir.MLIRError as error:
        raise translate(error) from None
    except ValueError as error:
        note = placeless("note", f"{what} failed: it may have changed part of the module")
        raise DiagnosticError(heard or [failure(str(error), note)]) from None


def _constant(kind: ir.Type, value: object) -> ir.Value:
    """A parameter of one value, or of several for a tuple."""
    from allo_air.mlir import transform

    if not isinstance(value, tuple):
        return transform.ParamConstantOp(kind, _attribute(kind, value)).param
    i64 = ir.IntegerType.get_signless(64)
    each = [transform.ParamConstantOp(kind, ir.IntegerAttr.get(i64, v)).param for v in value]
    return transform.MergeHandlesOp(each).result


def _attribute(kind: ir.Type, value: object) -> ir.Attribute:
    inner = ir.Type.parse(_PARAM.fullmatch(str(kind))[1])  # type: ignore[index]
    return ir.FloatAttr.get(inner, value) if isinstance(value, float) else ir.IntegerAttr.get(inner, value)


def _python_type(path: Path, line: int, name: str, kind: str) -> Any:
    if kind == _LIST:
        return tuple[int, ...]
    match = _PARAM.fullmatch(kind)
    if match is None:
        raise _error_at(
            path,
            line,
            f"parameter '%{name}' has type {kind}, expected !transform.param of an integer, index or float type, or {_LIST}",
        )
    return bool if match[1] == "i1" else float if match[1].startswith("f") else int


def _closing_parenthesis(text: str, position: int) -> int:
    depth = 1
    while depth and position < len(text):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position - 1


def _parameters(text: str) -> dict[str, str]:
    """The texts of the script's parameters, from lines `// NAME: TEXT` of its first comment."""
    head = re.match(r"(?://.*\n)*", text)
    return dict(re.findall(r"^// (\w+): (.+)$", head[0], re.MULTILINE)) if head else {}


def _summary(text: str) -> str:
    """The first paragraph of the comment that opens the script."""
    lines: list[str] = []
    for line in text.splitlines():
        words = line.removeprefix("//").strip()
        if not line.startswith("//") or not words or words.startswith("RUN:"):
            if lines:
                break
            continue
        lines.append(words)
    return " ".join(lines)


def failure(text: str, note: Diagnostic) -> Diagnostic:
    """The interpreter's message, at the operation of the script that failed; the payload's operations become notes."""
    results = [(split_position(m[1]), m[2].strip()) for m in _SAID.finditer(text)]
    if not results:
        return placeless("error", text.strip() or "the transform script failed", (note,))
    (place, message), *rest = results
    return Diagnostic("error", *place, message, (*(Diagnostic("note", *p, m) for p, m in rest), note))


def _read(path: Path) -> str:
    try:
        return read_bytes(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise AlloAirError(f"cannot read transform script '{path}': {error}") from None


def _error_at(path: Path, line: int, message: str) -> DiagnosticError:
    return DiagnosticError([Diagnostic("error", str(path), line, 0, message)])
