"""Splits tensors of i64 that cannot be narrowed into two tensors of i32: the low and the high words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.diagnostics import error_at
from allo_air.core.elements import array_of, elements_attr, is_elements
from allo_air.core.walking import body_of, defining_op, is_result_of, is_unused, walk_pre_order
from allo_air.errors import counted
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._ir.generic import Generic, drop_unused, extents, generic
from allo_air.passes._ir.named import generalize_named
from allo_air.passes._ir.tensors import empty, filled
from allo_air.passes.simplify._boundary import cast
from allo_air.passes.simplify._ranges import EMPTY, WORD, ranges
from allo_air.passes.simplify._scalars import constant
from allo_air.passes.simplify._words import DIVISIONS, Words, add, apply, shifted_left

_SAME = ("tensor.empty", "tensor.expand_shape", "tensor.collapse_shape", "tensor.extract_slice", "tensor.insert_slice",
         "tensor.concat", "tensor.extract", "tensor.cast")  # fmt: skip
"""Operations that do the same to the low and the high words."""
_PARTS = {16: 1 << 16, 8: 1 << 24}
"""For unsigned sums: the bits of a part, and the largest number of parts whose sum fits one word."""


def split_words(function: AnyOp) -> None:
    """Computes the remaining i64 operations in i32 words, since their values may exceed a word.

    A sum becomes sums of both halves of the low words, and one of the high words. These are ordinary sums, which many cores
    compute in parts. i64 results are joined from two words before the return, which the caller does.

    Before:

        %s = linalg.generic ins(%a, %b : tensor<8xi64>, tensor<8xi64>) outs(%e : tensor<8xi64>) { yield (arith.addi %x, %y) }

    After:

        %s:2 = linalg.generic ins(%al, %ah, %bl, %bh : tensor<8xi32>, ...) outs(%e0, %e1 : tensor<8xi32>, tensor<8xi32>) {
          %l = arith.addi %xl, %yl
          %h = arith.addi (arith.addi %xh, %yh), (arith.cmpi ult, %l, %xl)
          yield %l, %h
        }
        %r = linalg.generic ins(%s#0, %s#1) outs(%g : tensor<8xi64>) { yield (%high << 32 | %low) }
    """
    if not any(_is_split(o) for o in body_of(function) if o.name != "func.return"):
        return
    generalize_named(function, [o for o in body_of(function) if _is_split(o) and o.name.startswith("linalg.") and _is_named(o)])
    range_of = ranges(function)
    words: dict[Any, Any] = {}
    old = [o for o in body_of(function) if _is_split(o)]
    divides = any(o.name in DIVISIONS for op in old for o in walk_pre_order(op))
    for op in old:
        with ir.InsertionPoint(op), op.location:
            whole = None if divides else _argument(op)
            if whole is not None:
                words[op.results[0]] = _words_of(whole)
            else:
                _split(op, words, range_of)
    for op in reversed(old):
        if op.name != "func.return" and all(map(is_unused, op.results)):
            op.erase()
    drop_unused(function)


def _argument(op: AnyOp) -> Any:
    """The i64 argument whose words `op` extends, so that its values may be truncated. None for other operations."""
    if op.name != "linalg.generic" or [o.name for o in Generic.of(op).body] != ["arith.extsi"]:
        return None
    result = defining_op(op.operands[0], "linalg.generic")
    if result is None or [o.name for o in Generic.of(result).body] != ["arith.trunci"]:
        return None
    value = result.operands[0]
    return value if isinstance(value, ir.BlockArgument) and _is_wide(value) else None


def _words_of(argument: ir.Value) -> Words:
    """The words of an argument, which the caller splits."""
    word, wide = ir.IntegerType.get_signless(32), argument.type.element_type
    rank = len(argument.type.shape)

    def high(values: list[ir.Value]) -> list[Any]:
        return [arith.trunci(word, arith.shrui(values[0], constant(32, wide)))]

    result = generic(
        [argument], [empty(_word_type(argument.type))], [ir.AffineMap.get_identity(rank)] * 2, ["parallel"] * rank, high
    )
    return Words(cast(argument, word, "arith.trunci"), result.results[0])


def _is_wide(value: ir.Value) -> bool:
    kind = value.type.element_type if isinstance(value.type, ir.RankedTensorType) else value.type
    return isinstance(kind, ir.IntegerType) and kind.width == 64


def _is_named(op: AnyOp) -> bool:
    return op.name not in ("linalg.generic", "linalg.fill", "linalg.yield", "linalg.index")


def _is_split(op: AnyOp) -> bool:
    """Whether `op` involves i64, other than in casts of the function's arguments and results."""
    names = [o.name for o in Generic.of(op).body] if op.name == "linalg.generic" else []
    if names == ["arith.trunci"] and isinstance(op.operands[0], ir.BlockArgument):
        return False
    bits = names == ["arith.extsi"] and op.operands[0].type.element_type.width == 1
    if names == ["arith.extsi"] and not bits and all(u.owner.operation.name == "func.return" for u in op.results[0].uses):
        return False
    inner_ops = [o.operation for region in op.regions for block in region.blocks for o in block.operations]
    return any(_is_wide(v) for o in (op, *inner_ops) for v in (*o.operands, *o.results))


def _split(op: AnyOp, words: dict[Any, Any], range_of: dict[Any, Any]) -> None:
    """Emits `op` in words, and records the words of its results."""
    if op.name == "func.return":
        for n, value in enumerate(op.operands):
            if value in words:
                op.operands[n] = _joined(words[value], value.type)
    elif op.name == "arith.constant":
        words[op.results[0]] = _constant(op)
    elif op.name == "linalg.fill":
        words[op.results[0]] = _fill(op, words)
    elif op.name == "linalg.generic":
        (_sums if _is_sum(op) else _generic)(op, words, range_of)
    elif op.name in _SAME:
        words[op.results[0]] = _apply_to_both_words(op, words)
    elif op.name == "tensor.pad":
        words[op.results[0]] = _pad(op, words)
    else:
        raise error_at(
            op, "of i64, which the array computes as two words of i32, but not for this operation; cast to i32 first"
        )


def _word_type(kind: ir.Type) -> Any:
    word = ir.IntegerType.get_signless(32)
    return ir.RankedTensorType.get(kind.shape, word) if isinstance(kind, ir.RankedTensorType) else word


def _constant(op: AnyOp) -> Words:
    value, kind = op.attributes["value"], _word_type(op.results[0].type)
    if not is_elements(value):
        return Words.of(int(value.value))
    array = array_of(value)
    parts = [elements_attr(a.astype("int32"), kind) for a in (array & 0xFFFFFFFF, array >> 32)]
    return Words(*(arith.constant(kind, p) for p in parts))


def _fill(op: AnyOp, words: dict[Any, Any]) -> Words:
    number, out = words[op.operands[0]], words[op.operands[1]]
    return Words(linalg.fill(number.low, outs=[out.low]), linalg.fill(number.high, outs=[out.high]))


def _apply_to_both_words(op: AnyOp, words: dict[ir.Value, ir.Value]) -> Words:
    """Applies the operation to both words. Positions in a tensor, which a body computes, are the same for both."""
    results = []
    for part in ("low", "high"):
        copy = clone(op, {v: getattr(words[v], part, words[v]) for v in op.operands if v in words})
        copy.results[0].set_type(_word_type(op.results[0].type))
        results.append(copy.results[0])
    return Words(*results)


def _pad(op: AnyOp, words: dict[ir.Value, ir.Value]) -> Words:
    """Pads each word with the corresponding word of the number."""
    block = op.regions[0].blocks[0]
    number = block.operations[-1].operands[0]
    results = []
    for part in ("low", "high"):
        if number not in words:
            raise error_at(op, "pads i64 with a computed number; pad with a constant, or cast to i32 first")
        copy = clone(op, {op.operands[0]: getattr(words[op.operands[0]], part), number: getattr(words[number], part)})
        copy.results[0].set_type(_word_type(op.results[0].type))
        results.append(copy.results[0])
    return Words(*results)


def _with_both_words(values: tuple[ir.Value, ...], words: dict[Any, Any]) -> list[Any]:
    """The values, with i64 values replaced by both words."""
    return [w for v in values for w in ((words[v].low, words[v].high) if v in words else (v,))]


def _maps_of_words(maps: tuple[ir.AffineMap, ...], values: ir.OpOperandList | tuple[ir.Value, ...]) -> list[Any]:
    """The maps, repeated for both words."""
    return [m for m, v in zip(maps, values, strict=True) for _ in range(2 if _is_wide(v) else 1)]


def _body(
    generic_op: Generic,
    arguments: list[ir.Value],
    words: Mapping[ir.OpResult, Words],
    range_of: Mapping[ir.BlockArgument | ir.OpResult, tuple[int, ...]],
) -> list[Any]:
    """The yielded values of the body for arguments `arguments`; i64 values are Words."""
    rest = iter(arguments)
    values: dict[Any, Any] = dict(words)
    for argument in generic_op.arguments:
        values[argument] = Words(next(rest), next(rest)) if _is_wide(argument) else next(rest)
    for op in generic_op.body:
        if op.name == "tensor.extract":
            values |= {r: _apply_to_both_words(op, values) for r in op.results} if _is_wide(op.results[0]) else {}
            if _is_wide(op.results[0]):
                continue
        if op.name == "arith.constant" and _is_wide(op.results[0]):
            values[op.results[0]] = _constant(op)
        elif any(map(_is_wide, (*op.operands, *op.results))):
            fits = all(_fits_word(range_of.get(v)) for v in op.operands if _is_wide(v))
            values[op.results[0]] = apply(op, [values.get(v, v) for v in op.operands], fits)
        else:
            clone(op, values)
    return [values.get(v, v) for v in generic_op.yielded]


def _fits_word(item: tuple[int, ...] | None) -> bool:
    return item is not None and (item == EMPTY or (WORD[0] <= item[0] and item[1] <= WORD[1]))


def _generic(op: AnyOp, words: dict[Any, Any], range_of: dict[Any, Any]) -> None:
    match = Generic.of(op)
    maps = _maps_of_words(match.maps, op.operands)
    outs = _with_both_words(match.outs, words)

    def body(values: list[ir.Value]) -> list[Any]:
        result = _body(match, values, words, range_of)
        return [w for v in result for w in ((v.low, v.high) if isinstance(v, Words) else (v,))]

    results = iter(generic(_with_both_words(match.inputs, words), outs, maps, match.iterators, body).results)
    for result in op.results:
        if _is_wide(result):
            words[result] = Words(next(results), next(results))
        else:
            result.replace_all_uses_with(next(results))


def _is_sum(op: AnyOp) -> bool:
    """Whether `op` is a sum: it adds to its only result, an i64, and does not use the accumulator otherwise."""
    result = Generic.of(op)
    if len(op.results) != 1 or not _is_wide(op.results[0]) or "reduction" not in result.iterators:
        return False
    [out], [value] = result.arguments[len(result.inputs) :], result.yielded
    is_sum = is_result_of(value, "arith.addi") and out in value.owner.operands
    return is_sum and len(list(out.uses)) == 1 and len(list(value.uses)) == 1


def _sums(op: AnyOp, words: dict[Any, Any], range_of: dict[Any, Any]) -> None:
    """The sums of unsigned parts of the low words, and of the high words, added to the initial value."""
    result = Generic.of(op)
    count = prod(n for n, i in zip(extents(result), result.iterators, strict=True) if i == "reduction")
    bits = next((b for b, most in _PARTS.items() if count <= most), 0)
    if not bits:
        raise error_at(op, f"adds {counted(count, 'number')} of i64, and at most 2^24 are supported; add them in two steps")
    parts = [_sum(result, words, range_of, _low_word_bits(first_bit, bits)) for first_bit in range(0, 32, bits)]
    high = _sum(result, words, range_of, lambda w: w.high)
    before = words[result.outs[0]]
    kind = op.results[0].type
    outs = [empty(_word_type(kind)) for _ in range(2)]
    inputs = [*parts, high, before.low, before.high]

    def body(values: list[ir.Value]) -> list[Any]:
        *low, high, first, second = values[: len(inputs)]
        total = Words(first, arith.addi(high, second))
        for n, part in enumerate(low):
            total = add(total, shifted_left(part, n * bits))
        return [total.low, total.high]

    rank = len(kind.shape)
    maps = [ir.AffineMap.get_identity(rank)] * (len(inputs) + 2)
    words[op.results[0]] = Words(*generic(inputs, outs, maps, ["parallel"] * rank, body).results)


def _low_word_bits(first_bit: int, bits: int) -> Callable[[Words], Any]:
    """Bits of the low word from `first_bit` on, unsigned."""

    def cut(number: Words) -> Any:
        kind = number.low.type
        moved = arith.shrui(number.low, constant(first_bit, kind)) if first_bit else number.low
        return moved if first_bit + bits == 32 else arith.andi(moved, constant((1 << bits) - 1, kind))

    return cut


def _sum(generic_op: Generic, words: dict[Any, Any], range_of: dict[Any, Any], part: Callable[[Words], ir.Value]) -> Any:
    """The sum, modulo 2^32, of a part of each number that `generic_op` adds."""
    kind = _word_type(generic_op.op.results[0].type)
    out = filled(constant(0, kind.element_type), kind)
    count = len(_with_both_words(generic_op.inputs, words))

    def body(values: list[ir.Value]) -> list[Any]:
        zero = constant(0, kind.element_type)
        [total] = _body(generic_op, [*values[:count], zero, zero], words, range_of)
        return [arith.addi(values[count], part(total))]

    maps = [*_maps_of_words(generic_op.maps[: len(generic_op.inputs)], generic_op.inputs), generic_op.maps[-1]]
    return generic(_with_both_words(generic_op.inputs, words), [out], maps, generic_op.iterators, body).results[0]


def _joined(value: Words, kind: ir.RankedTensorType) -> Any:
    """An i64 tensor from its words."""
    rank, wide = len(kind.shape), kind.element_type

    def body(values: list[ir.Value]) -> list[Any]:
        high = arith.shli(arith.extsi(wide, values[1]), constant(32, wide))
        return [arith.ori(high, arith.extui(wide, values[0]))]

    maps = [ir.AffineMap.get_identity(rank)] * 3
    return generic([value.low, value.high], [empty(kind)], maps, ["parallel"] * rank, body).results[0]
