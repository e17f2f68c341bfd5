"""Converts arithmetic of a runtime sequence to C++ expressions on wrapping integers of the same width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.core.diagnostics import error_at
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

WORDS = {
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char16_t", "char32_t", "class", "compl", "const", "const_cast", "constexpr", "continue", "decltype", "default",
    "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
    "friend", "goto", "if", "inline", "int", "int16_t", "int32_t", "int64_t", "int8_t", "long", "mutable", "namespace",
    "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "put",
    "register", "reinterpret_cast", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
    "std", "struct", "switch", "take", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid",
    "typename", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "union", "unsigned", "using", "virtual", "void",
    "volatile", "wchar_t", "while", "words", "xor", "xor_eq",
}  # fmt: skip
"""Reserved names, which arguments cannot have."""
_WRAPS = {"addi": "+", "subi": "-", "muli": "*", "andi": "&", "ori": "|", "xori": "^", "shli": "<<"}
_UNSIGNED = {"divui": "/", "remui": "%", "shrui": ">>"}
_SIGNED = {"divsi": "/", "remsi": "%", "shrsi": ">>"}
_EXTREMA = {"maxsi": (">", False), "minsi": ("<", False), "maxui": (">", True), "minui": ("<", True)}
_PREDICATES = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")


def type_of(kind: object, op: object) -> str:
    """The C++ type of a value; DiagnosticError at `op` for other types."""
    if isinstance(kind, ir.IndexType):
        return "int64_t"
    if isinstance(kind, ir.IntegerType) and kind.width in (1, 8, 16, 32, 64):
        return "bool" if kind.width == 1 else f"int{kind.width}_t"
    if isinstance(kind, ir.F64Type):
        return "double"
    if isinstance(kind, ir.FloatType):
        return "float"
    raise error_at(op, f"has a value of type {kind}; the words of a sequence are computed of integers and indices")


def expression(op: AnyOp, operands: list[str]) -> str:
    """The C++ expression of an arith operation on `operands`."""
    name = op.name.removeprefix("arith.")
    kind = type_of(op.results[0].type, op)
    if name == "constant":
        value = op.attributes["value"]
        number = int(value.value)
        return str(bool(number)).lower() if kind == "bool" else f"static_cast<{kind}>({number & (1 << 64) - 1:#x}ull)"
    if name == "select":
        return f"{operands[0]} ? {operands[1]} : {operands[2]}"
    if name == "cmpi":
        predicate = op.attributes["predicate"].value
        a, b = (_unsigned(v, op.operands[0].type, op) for v in operands) if predicate >= 6 else operands
        return f"{a} {_PREDICATES[predicate]} {b}"
    if name in ("index_cast", "extsi", "trunci", "index_castui", "extui"):
        type_ = op.operands[0].type
        narrows = isinstance(type_, ir.IndexType) or name in ("index_cast", "extsi", "trunci")
        value = operands[0] if narrows else _unsigned(operands[0], type_, op)
        if type_of(type_, op) == "bool" and name in ("index_cast", "extsi"):
            return f"{operands[0]} ? {kind}(-1) : {kind}(0)"
        return f"({value}) & 1" if kind == "bool" else f"static_cast<{kind}>({value})"
    if kind == "bool" and name in ("andi", "ori", "xori"):
        return f"{operands[0]} {_WRAPS[name]} {operands[1]}"
    if name in _WRAPS or name in _UNSIGNED:
        a, b = (_unsigned(v, op.results[0].type, op) for v in operands)
        return f"static_cast<{kind}>({a} {_WRAPS.get(name) or _UNSIGNED[name]} {b})"
    if name in _SIGNED:
        return f"static_cast<{kind}>({operands[0]} {_SIGNED[name]} {operands[1]})"
    if name in _EXTREMA:
        sign, unsigned = _EXTREMA[name]
        a, b = (_unsigned(v, op.results[0].type, op) for v in operands) if unsigned else operands
        return f"{a} {sign} {b} ? {operands[0]} : {operands[1]}"
    raise error_at(op, "has no counterpart in the C++ of a sequence; compute with the integer operations of arith")


def _unsigned(value: str, kind: object, op: object) -> str:
    return f"static_cast<u{type_of(kind, op)}>({value})" if type_of(kind, op) != "bool" else value
