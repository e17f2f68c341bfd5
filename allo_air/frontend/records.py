"""Structs in kernels: each field is a separate variable or tensor."""

from __future__ import annotations

import ast
from typing import Any

from allo_air.frontend import indexing
from allo_air.frontend.nodes import as_scalar, compiles, describe, expression
from allo_air.frontend.numbers import Number
from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, evaluate
from allo_air.frontend.values import Buffer, Record, Variable
from allo_air.mlir import memref


@compiles(ast.Dict)
def _struct(state: State, node: ast.Dict, target: Buffer | None) -> Record:
    """Builds a struct from `{"x": a, "y": b}`."""
    names = [evaluate(state, k) if k is not None else UNKNOWN for k in node.keys]
    if not all(isinstance(n, str) for n in names):
        raise state.error(node, "fields of a struct are named by text that is known when the kernel is compiled")
    return Record({str(n): as_scalar(state, v, expression(state, v)) for n, v in zip(names, node.values, strict=True)})


def field(state: State, record: Record, node: ast.AST) -> Any:
    """The field `s["x"]` as it is in memory; of an element `s[i]` for an array."""
    name = evaluate(state, node)
    if isinstance(name, str):
        if name not in record.fields:
            raise state.error(node, f"a struct has no field '{name}'; it has {', '.join(record.fields)}")
        return record.fields[name]
    return Record({f: _element(state, value, node) for f, value in record.fields.items()})


def _element(state: State, value: object, node: ast.AST) -> Any:
    if not isinstance(value, Buffer):
        raise state.error(node, f"{describe(value)} is not an array of structs")
    return indexing.view(state, value, node) if indexing.is_view(value, node) else indexing.element_of(state, value, node)


def loaded(value: object) -> Any:
    """The value of a field."""
    if isinstance(value, Variable):
        return Number(memref.load(value.value, []), value.type)
    return value.load() if isinstance(value, indexing.Place) else value
