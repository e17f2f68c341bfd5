"""Runs torch-mlir's passes on a model in a separate process. If they crash, the crash becomes an error."""

from __future__ import annotations

import os
import pickle
import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.core.cloning import clone
from allo_air.core.diagnostics import translate
from allo_air.core.elements import handle_of, is_resource, resource, resource_of
from allo_air.core.functions import new_function
from allo_air.core.names import set_function_type
from allo_air.core.processes import Process, answer
from allo_air.core.user_lines import line_of
from allo_air.core.walking import defining_op, walk_named, walk_pre_order
from allo_air.errors import AlloAirError, DiagnosticError, placeless
from allo_air.mlir import PassManager, func, ir

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_OPERATION, _OPERATOR = re.compile(r"operation '(torch\.[\w.]+)'"), re.compile(r'\bname = "([\w.:]+)"')
"""Patterns of messages in which torch-mlir names an operation; and for an operation of another dialect."""

_MODELS = ("torch.aten.", "torch.prims.", "torch.quantized", "torch.torchvision.", "onnx.")
"""Prefixes of the names of model operations, other than constants and structure."""

_lock = threading.Lock()
_process: Process | None = None
"""The process, started for the first model. Starting takes as long as importing the bindings again."""


def lower(module: ir.Module, *pipelines: str, model: str) -> Any:
    """`module` after torch-mlir's passes, in its context.

    Raises DiagnosticError if an operation has no lowering, at the line of the model if known; AlloAirError if the passes crash.
    """
    global _process
    data = _withhold(module)
    question = pickle.dumps((_bytes(module), pipelines, model))
    with _lock:
        process = _started()
        try:
            info = process.ask(question)
        except BaseException:  # if interrupted, the answer would be read as that to the next question
            process.end()
            _process = None
            raise
        if not info:
            words, _process = process.last_words(), None
            process = _started()
            named = process.ask(pickle.dumps((_bytes(module), pipelines, None)))
            raise _crash(module, words, model, pickle.loads(named) if named else None)
    diagnostics, result = pickle.loads(info)
    if diagnostics:
        raise DiagnosticError(diagnostics)
    _load_dialects(module.context)
    lowered = ir.Module.parse(result, context=module.context)
    with lowered.context, ir.Location.unknown():
        _give_back(lowered, data)
    return lowered


_LARGE = 1 << 14
"""Number of elements from which on weights do not go to the process: its passes read no data of floats."""
_WITHHELD = re.compile(r"allo_weights_(\d+)(_\d+)*")
"""The names of such weights meanwhile; MLIR appends a number each time that it reads a name again."""


def _withhold(module: ir.Module) -> list[ir.Attribute]:
    """Replaces the data of large weights in `module` by names, and returns it, by the names' numbers."""
    names = dict[Any, Any]()
    with module.context, ir.Location.unknown():
        for op in walk_named(module, "torch.vtensor.literal"):
            value = op.attributes["value"]
            kind = value.type
            if not is_resource(value) or not isinstance(kind.element_type, ir.FloatType) or prod(kind.shape) < _LARGE:
                continue
            if value not in names:
                names[value] = ir.Attribute.parse(f"dense_resource<allo_weights_{len(names)}> : {kind}")
            op.attributes["value"] = names[value]
    return list(names)


def _give_back(module: ir.Module, data: list[ir.Attribute]) -> None:
    """Gives the constants of `module` copies of the data that was withheld."""
    import numpy as np

    copies = dict[tuple[int, Any], Any]()
    for op in walk_named(module, "arith.constant") if data else ():
        value = op.attributes["value"]
        match = _WITHHELD.fullmatch(handle_of(value)) if is_resource(value) else None
        if match is None:
            continue
        key = int(match[1]), value.type
        if key not in copies:
            original = data[key[0]]
            array = np.frombuffer(resource_of(original), f"u{value.type.element_type.width // 8}").copy()
            copies[key] = resource(array, handle_of(original), value.type)
        op.attributes["value"] = copies[key]


def start() -> None:
    """Starts the process for `lower` early. Calling it is optional."""
    with _lock:
        _started()


def _started() -> Process:
    global _process
    if _process is None or not _process.is_mine:
        _process = Process(__name__)
    return _process


def _load_dialects(context: ir.Context) -> None:
    """Loads the dialects of the passes' results, which the passes load in their own process."""
    with context, ir.Location.unknown():
        PassManager.parse("builtin.module(func.func(convert-torch-to-tmtensor,convert-torch-to-linalg))").run(
            ir.Module.create().operation
        )


def serve() -> None:
    """Lowers modules from standard input until it ends."""
    answer(_answer_to)


def _answer_to(question: bytes) -> bytes:
    from allo_air.mlir import torch

    code, pipelines, model = pickle.loads(question)
    if model is None:
        return pickle.dumps(_first_crash(code, pipelines))
    context = ir.Context()
    torch.register_dialect(context)
    module = ir.Module.parse(code, context=context)
    try:
        _lower(module, code, pipelines, model)
    except DiagnosticError as error:
        return pickle.dumps((error.diagnostics, b""))
    return pickle.dumps(((), _bytes(module)))


def _bytes(module: ir.Module) -> bytes:
    import io

    file = io.BytesIO()
    module.operation.write_bytecode(file)
    return file.getvalue()


def _lower(module: ir.Module, code: bytes, pipelines: Sequence[str], model: str) -> None:
    """Runs `pipelines` on `module`, which was read from `code`. After an error, reads it again to find the operation."""
    with module.operation.context:
        for number, pipeline in enumerate(pipelines):
            try:
                PassManager.parse(pipeline).run(module.operation)
            except ir.MLIRError as error:
                before = ir.Module.parse(code)
                for earlier in pipelines[:number]:
                    PassManager.parse(earlier).run(before.operation)
                raise _no_lowering(
                    error, _first_without_lowering(before.operation, pipeline), _operations_by_location(before), model
                ) from None


def _first_without_lowering(module: AnyOp, pipeline: str) -> Any:
    """The first operation of the model that cannot be lowered by itself; the error for the whole model often names none."""
    for op in _kinds_of_operations(module):
        try:
            PassManager.parse(pipeline).run(_alone(op).operation)
        except ir.MLIRError:
            return op
    return None


def _kinds_of_operations(module: AnyOp) -> list[Any]:
    """The model's operations, one of each kind with the same attributes and types."""
    results: dict[str, Any] = {}
    for op in walk_pre_order(module):
        if _name_of(op).startswith(_MODELS) and not op.regions:
            results.setdefault(f"{op.name} {op.attributes} {[str(v.type) for v in (*op.operands, *op.results)]}", op)
    return list(results.values())


def _alone(op: AnyOp) -> ir.Module:
    """A module with a function of `op` only."""
    with op.location:
        result = ir.Module.create()
        function, block = new_function("main", [], [], is_private=False, ip=ir.InsertionPoint(result.body))
        values: dict[Any, Any] = {}
        for value in op.operands:
            _add_replacement(value, block, values)
        results = list(clone(op, values, ir.InsertionPoint(block)).results)
        func.ReturnOp(results, ip=ir.InsertionPoint(block))
        set_function_type(function)
        for name, attribute in _enclosing_attributes(op).items():
            function.attributes[name] = attribute
    return result


def _enclosing_attributes(op: AnyOp) -> dict[str, Any]:
    """The attributes of the function around `op` that say which opset its operators have."""
    function = op.operation.parent
    return {name: function.attributes[name] for name in function.attributes if name.startswith("torch.onnx_meta")}


def _first_crash(code: bytes, pipelines: Sequence[str]) -> tuple[str, str] | None:
    """The name and the line of the first operation on which the passes crash by itself, each in a process of its own."""
    from allo_air.mlir import torch

    number = 0
    while True:
        child = os.fork()
        if child == 0:
            with open(os.devnull, "w") as nowhere:
                os.dup2(nowhere.fileno(), 2)
            context = ir.Context()
            torch.register_dialect(context)
            module = ir.Module.parse(code, context=context)
            operations = _kinds_of_operations(module.operation)
            if number >= len(operations):
                os._exit(_NO_MORE)
            alone = _alone(operations[number])
            with context:
                for pipeline in pipelines:
                    try:
                        PassManager.parse(pipeline).run(alone.operation)
                    except ir.MLIRError:
                        os._exit(0)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            context = ir.Context()
            torch.register_dialect(context)
            op = _kinds_of_operations(ir.Module.parse(code, context=context).operation)[number]
            return _name_of(op), line_of(op.location)
        if os.WEXITSTATUS(status) == _NO_MORE:
            return None
        number += 1


_NO_MORE = 3
"""The exit code of a process that was asked for an operation after the last one."""


def _name_of(op: AnyOp) -> str:
    """The name of an operation of the model in torch or ONNX."""
    return op.attributes["name"].value if op.name == "torch.operator" else op.name


def _add_replacement(value: ir.Value, block: ir.Block, values: dict[ir.Value, ir.Value]) -> None:
    """Adds to `values` the representation of `value` in `block`: a copy of a constant or list, or a block argument."""
    if value in values:
        return
    op = defining_op(value)
    if op is None or not op.name.startswith(("torch.constant.", "torch.prim.List", "torch.vtensor.literal")):
        values[value] = block.add_argument(value.type, value.location)
        return
    for operand in op.operands:
        _add_replacement(operand, block, values)
    clone(op, values, ir.InsertionPoint(block))


def _operations_by_location(module: Any) -> dict[str, list[str]]:
    """For each location, the model's operations by their names in torch or ONNX, without constants."""
    results: dict[str, list[str]] = {}
    for op in walk_pre_order(module.operation):
        name = _name_of(op)
        if name.startswith(_MODELS):
            names = results.setdefault(str(op.location), [])
            names.append(name) if name not in names else None
    return results


def _no_lowering(error: ir.MLIRError, failed: AnyOp, written: dict[str, list[str]], model: str) -> DiagnosticError:
    """The error that names `failed`, or the operation in MLIR's messages, or else the operations at the model's line."""
    messages = " ".join(d.message for d in error.error_diagnostics)
    places = [str(d.location) for d in error.error_diagnostics]
    named = [n for n in _OPERATION.findall(messages) if not n.startswith("torch.constant.") and n != "torch.operator"]
    if failed is not None:
        named = [_name_of(failed)]
    names = [*_OPERATOR.findall(messages), *named] or [name for place in places for name in written.get(place, [])]
    subject = f"{_one_of(names)} has" if names else "it has"
    message = f"{model}: {subject} no lowering to linalg in torch-mlir; write it with other operations in the model"
    [first, *_] = translate(error).diagnostics
    locations = [failed.location] if failed is not None else [d.location for d in error.error_diagnostics]
    line = next((line for location in locations if (line := line_of(location))), "")
    if line:
        file, _, number = line.rpartition(":")
        first = replace(first, file=file, line=int(number), column=0) if number.isdigit() else first
    return DiagnosticError([replace(first, message=message, notes=(placeless("note", first.message[:300]),))])


def _one_of(names: Sequence[str]) -> str:
    first, *rest = dict.fromkeys(n.removeprefix("torch.") for n in names)
    return f"operation {first}" if not rest else f"one of the operations {', '.join((first, *rest))}"


def _crash(module: object, words: list[str], model: str, named: tuple[str, str] | None) -> AlloAirError:
    """The message for a crash: torch-mlir's last output, and the operation `named` with its line, or all operations."""
    ended, *lines = words
    why = next((line for line in lines if "ERROR" in line or "Assertion" in line), ended)
    names = sorted({n.removeprefix("torch.") for each in _operations_by_location(module).values() for n in each})
    subject = "it" if named is None else f"operation {named[0].removeprefix('torch.')}"
    notes = (placeless("note", f"its operations are {', '.join(names[:40])}{', ...' if len(names) > 40 else ''}"),)
    first = placeless(
        "error",
        f"{model}: torch-mlir's passes crash on {subject} ({why.strip()}); write it with other operations, or of other types",
        notes if named is None else (),
    )
    file, _, number = named[1].rpartition(":") if named is not None else ("", "", "")
    return DiagnosticError([replace(first, file=file, line=int(number), column=0) if number.isdigit() else first])
