"""Rules that convert AIEVec operations to AIE2 instructions: parts of registers, conversions, lanes, sums and extrema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.dialects.xllvm import declare
from allo_air.mlir import ir, vector
from allo_air.passes.kernel._aievec_registers import bit_width, bits, is_bf16, is_f32, is_float, lanes

Rule = Callable[[Any], Any]

_EXTRACTS = {(512, 256): "ext.I256.I512", (1024, 512): "ext.I512.I1024", (1024, 256): "ext.I256.I1024"}
_CONCATS = {(256, 2): "concat.I512.I256", (256, 4): "concat.I1024.I256", (512, 2): "concat.I1024.I512"}
_NARROW = {  # lanes, bits before and after
    (16, 32, 16): "I256.v16.acc32.srs", (32, 32, 8): "I256.v32.acc32.srs", (32, 32, 16): "I512.v32.acc32.srs",
    (8, 64, 32): "I256.v8.acc64.srs", (16, 64, 16): "I256.v16.acc64.srs", (16, 64, 32): "I512.v16.acc64.srs",
    (16, 32, 32): "I512.v16.acc64.srs",
}  # fmt: skip
_WIDE = {
    (16, 16, 32): "acc32.v16.I256.ups", (32, 8, 32): "acc32.v32.I256.ups", (32, 16, 32): "acc32.v32.I512.ups",
    (8, 32, 64): "acc64.v8.I256.ups", (16, 16, 64): "acc64.v16.I256.ups", (16, 32, 64): "acc64.v16.I512.ups",
}  # fmt: skip
_SUM_OF_FLOATS = 28
"""The configuration word of a sum of 16 lanes of f32."""
_F32 = 2
"""The mode of sums in f32. Modes 0 and 1 are sums in 32 and 64 bits (docs/sources.md#vector-kernels)."""
_INTEGER_PRODUCTS = {(8, 8, 32, 4, 8, 8), (16, 16, 32, 4, 2, 8), (16, 16, 64, 4, 4, 4)}
"""For integer products: the bits of factors and sums, and M, K and N."""


def number(value: int) -> Any:
    """A constant of i32."""
    i32 = ir.IntegerType.get_signless(32)
    return ir.Operation.create("llvm.mlir.constant", [i32], [], {"value": ir.IntegerAttr.get(i32, value)}).results[0]


def as_bits(value: ir.Value, kind: ir.Type) -> Any:
    """`value` with its bits reinterpreted as another type; `value` itself if it has that type."""
    return value if value.type == kind else ir.Operation.create("llvm.bitcast", [kind], [value]).results[0]


def word_vector(size: int, each: int = 32) -> ir.VectorType:
    """A vector type of `size` bits, of integers with `each` bits."""
    return ir.VectorType.get([size // each], ir.IntegerType.get_signless(each))


def instruction(name: str, type_: ir.Type, *operands: ir.Value) -> Any:
    """The operation `xllvm.intr.aie2.NAME`."""
    declare(type_.context, {f"intr.aie2.{name}": (len(operands), 1)})
    return ir.Operation.create(f"xllvm.intr.aie2.{name}", [type_], list(operands)).results[0]


def part(op: ir.OpView) -> Any:
    """Extracts a part of a register, or of two."""
    source, new = op.source, op.result.type
    name = _EXTRACTS.get((bits(source.type), bits(new)))
    if name is None:
        return None
    which = number(op.index)
    result = instruction(name, word_vector(bits(new)), as_bits(source, word_vector(bits(source.type))), which)
    return as_bits(result, new)


def concat(op: ir.OpView) -> Any:
    """Concatenates two or four parts of registers."""
    sources, result = list(op.sources), op.result.type
    name = _CONCATS.get((bits(sources[0].type), len(sources)))
    if name is None:
        return None
    parts = [as_bits(v, word_vector(bits(v.type))) for v in sources]
    return as_bits(instruction(name, word_vector(bits(result)), *parts), result)


def shift(op: ir.OpView) -> Any:
    """Extracts consecutive bytes of two registers from an offset on."""
    type_ = op.result.type
    if bits(type_) != 512 or lanes(type_) == 0:
        return None
    step = number(0)
    if is_bf16(type_):
        return instruction("vshift.bf512.bf512", type_, op.lhs, op.rhs, step, op.shift)
    kind = word_vector(512)
    left, right = as_bits(op.lhs, kind), as_bits(op.rhs, kind)
    return as_bits(instruction("vshift.I512.I512", kind, left, right, step, op.shift), type_)


def shuffle(op: ir.OpView) -> Any:
    """Permutes the lanes of one or two registers."""
    type_ = op.result.type
    if bits(type_) != 512:
        return None
    mode, kind = number(op.mode), word_vector(512)
    left = as_bits(op.lhs, kind)
    right = as_bits(op.rhs, kind) if op.rhs is not None else ir.Operation.create("llvm.mlir.undef", [kind]).results[0]
    return as_bits(instruction("vshuffle", kind, left, right, mode), type_)


def narrow(op: ir.OpView) -> Any:
    """Shifts the lanes of an accumulator and narrows them to a register."""
    source, result = op.source, op.result.type
    input_type = source.type
    if is_float(result):
        if not is_bf16(result) or not is_f32(input_type) or lanes(result) != 16:
            return None
        return instruction("v16accfloat.to.v16bf16", result, as_bits(source, word_vector(512, 64)))
    name = _NARROW.get((lanes(result), bit_width(input_type), bit_width(result)))
    if name is None:
        return None
    sign = number(1 if op.sign is None else op.sign)
    return instruction(name, result, as_bits(source, word_vector(bits(input_type), 64)), op.amount, sign)


def widen(op: ir.OpView) -> Any:
    """Shifts the lanes of a register and widens them to an accumulator."""
    source, result = op.source, op.result.type
    if is_float(result):
        if not is_bf16(source.type) or not is_f32(result) or lanes(result) != 16:
            return None
        return as_bits(instruction("v16bf16.to.v16accfloat", word_vector(512, 64), source), result)
    name = _WIDE.get((lanes(result), bit_width(source.type), bit_width(result)))
    if name is None:
        return None
    sign, amount = number(1), number(op.shift or 0)
    return as_bits(instruction(name, word_vector(bits(result), 64), source, amount, sign), result)


def splat(op: ir.OpView) -> Any:
    """A number in all lanes of half a register, of a register, or of two."""
    value, new = op.source, op.result.type
    size, each = bits(new), bit_width(value.type)
    if size not in (256, 512, 1024) or each not in (8, 16, 32):
        return None
    whole = ir.VectorType.get([512 // each], value.type)
    if is_float(value.type):
        name = "vbroadcast16.bf512" if each == 16 else "vbroadcastfloat.I512"
        if each == 16 and not is_bf16(value.type):
            return None
        result = instruction(name, whole, value)
    else:
        i32 = ir.IntegerType.get_signless(32)
        wide = value if each == 32 else ir.Operation.create("llvm.sext", [i32], [value]).results[0]
        result = instruction(f"vbroadcast{each}.I512", whole, wide)
    if size == 256:
        which = number(0)
        return as_bits(instruction("ext.I256.I512", word_vector(256), as_bits(result, word_vector(512)), which), new)
    if size == 1024:
        half = as_bits(result, word_vector(512))
        return as_bits(instruction("concat.I1024.I512", word_vector(1024), half, half), new)
    return result


def lane(op: ir.OpView) -> Any:
    """Extracts one lane of a register."""
    source, new = op.source, op.result.type
    each = bit_width(source.type)
    if bits(source.type) != 512 or each not in (8, 16, 32):
        return None
    sign, i32 = number(1), ir.IntegerType.get_signless(32)
    result = instruction(f"vextract.elem{each}.I512", i32, as_bits(source, word_vector(512, each)), op.index, sign)
    if each < 32:
        result = ir.Operation.create("llvm.trunc", [ir.IntegerType.get_signless(each)], [result]).results[0]
    return as_bits(result, new)


def extremum(name: str) -> Rule:
    """The rule of minima or maxima: `name` is `vmin.ge` or `vmax.lt`. The comparison's bits are dropped."""

    def rule(op: ir.OpView) -> Any:
        type_ = op.result.type
        each = bit_width(type_)
        if bits(type_) != 512 or is_f32(type_) or each not in (8, 16, 32):
            return None
        flags = "vector<2xi32>" if each == 8 else "i32"
        both = ir.Type.parse(f"!llvm.struct<({type_}, {flags})>")
        if is_bf16(type_):
            result = instruction(f"{name}bf16", both, op.lhs, op.rhs)
        else:
            result = instruction(f"{name}{each}", both, op.lhs, op.rhs, number(1))
        position = ir.DenseI64ArrayAttr.get([0])
        return ir.Operation.create("llvm.extractvalue", [type_], [result], {"position": position}).results[0]

    return rule


def sum_of_floats(name: str) -> Rule:
    """The rule of sums or differences in accumulators of f32."""

    def rule(op: ir.OpView) -> Any:
        type_ = op.result.type
        if not is_f32(type_) or lanes(type_) != 16:
            return None
        conf, kind = number(_SUM_OF_FLOATS), word_vector(512, 64)
        left, right = as_bits(op.lhs, kind), as_bits(op.rhs, kind)
        return as_bits(instruction(name, kind, left, right, conf), type_)

    return rule


def matrix_product(op: ir.OpView) -> Any:
    """A product of two matrices in a supported shape, added to an accumulator.

    For integers, the tool chain treats the lanes of the first factor as unsigned and those of the second as signed.
    """
    left, right, total = op.lhs, op.rhs, op.acc
    kinds = bit_width(left.type), bit_width(right.type), bit_width(total.type)
    shapes = (*left.type.shape, right.type.shape[-1])
    if is_float(left.type):
        if shapes != (4, 8, 4) or not is_bf16(left.type) or not is_bf16(right.type) or not is_f32(total.type):
            return None
        return _product(op, _configuration_word(_F32, 3), "bf.mac16.conf", _flattened(left), _flattened(right))
    if (*kinds, *shapes) not in _INTEGER_PRODUCTS:
        return None
    mode = int(kinds[2] == 64)
    name = f"I512.I512.ACC1024.acc{kinds[2]}.mac.conf"
    first = as_bits(_full_register(_flattened(left)), word_vector(512, 8))
    return _product(
        op, _configuration_word(mode, 1 if kinds[0] == 8 else 3, signs=1), name, first, _full_register(_flattened(right))
    )


def _configuration_word(accumulator: int, factors: int, *, variant: int = 0, signs: int = 0) -> int:
    """The configuration word of a multiplication. In `signs`, 2 means a signed first factor and 1 a signed second factor."""
    return signs << 8 | variant << 5 | factors << 3 | accumulator << 1


def _full_register(value: ir.Value) -> Any:
    """A register that begins with the lanes of `value`."""
    size = bits(value.type)
    raw = as_bits(value, word_vector(size))
    return raw if size == 512 else instruction(f"set.I512.I{size}", word_vector(512), raw, number(0))


def _padded(value: ir.Value) -> Any:
    """Half a register, extended with zeros."""
    half = word_vector(256)
    zero = ir.DenseElementsAttr.get_splat(half, ir.IntegerAttr.get(half.element_type, 0))
    none = ir.Operation.create("llvm.mlir.constant", [half], [], {"value": zero}).results[0]
    return instruction("concat.I512.I256", word_vector(512), as_bits(value, half), none)


def lane_product(op: ir.OpView) -> Any:
    """Products of 32 lanes of i8 or i16, or of 16 of bf16, optionally added to an accumulator. Lanes are signed.

    For i8 and bf16, a lane is the sum of two products, of which the second is of zeros.
    """
    left, right, result = op.lhs, op.rhs, op.result.type
    total = getattr(op, "acc", None)
    if left.type != right.type or (total is not None and op.fmsub):
        return None
    kinds = lanes(result), bit_width(left.type), bit_width(result)
    if is_bf16(left.type) and kinds == (16, 16, 32) and is_f32(result):
        kind = ir.VectorType.get([32], left.type.element_type)
        factors = [as_bits(_padded(v), kind) for v in (left, right)]
        word, name, sums = _configuration_word(_F32, 3, variant=1), "bf.{}16.conf", word_vector(512, 64)
    elif kinds in ((32, 8, 32), (32, 16, 32)) and not is_float(result):
        first, second = (_padded(v) if kinds[1] == 8 else as_bits(v, word_vector(512)) for v in (left, right))
        factors = [as_bits(first, word_vector(512, 8)), second]
        word = _configuration_word(0, 1 if kinds[1] == 8 else 3, variant=1, signs=3)
        name, sums = "I512.I512.ACC1024.acc32.{}.conf", word_vector(1024, 64)
    else:
        return None
    if total is None:
        return as_bits(instruction(name.format("mul"), sums, *factors, number(word)), result)
    return as_bits(instruction(name.format("mac"), sums, *factors, as_bits(total, sums), number(word)), result)


def _product(op: ir.OpView, word: int, name: str, first: ir.Value, second: ir.Value) -> Any:
    total = _flattened(op.acc)
    conf, kind = number(word), word_vector(bits(total.type), 64)
    result = instruction(name, kind, first, second, as_bits(total, kind), conf)
    return vector.shape_cast(op.result.type, as_bits(result, total.type))


def _flattened(value: ir.Value) -> Any:
    """A matrix as a one-dimensional vector."""
    shape = list(value.type.shape)
    return vector.shape_cast(ir.VectorType.get([shape[0] * shape[1]], value.type.element_type), value)


def same(op: ir.OpView) -> Any:
    """Converts a register to an accumulator or back, without a change of its bits."""
    return as_bits(op.source, op.result.type)


RULES: dict[str, Rule] = {
    "aievec.ext": part,
    "aievec.concat": concat,
    "aievec.shift": shift,
    "aievec.shuffle": shuffle,
    "aievec.srs": narrow,
    "aievec.ups": widen,
    "aievec.broadcast_scalar": splat,
    "aievec.ext_elem": lane,
    "aievec.min": extremum("vmin.ge"),
    "aievec.max": extremum("vmax.lt"),
    "aievec.add_elem": sum_of_floats("add.accfloat"),
    "aievec.sub_elem": sum_of_floats("sub.accfloat"),
    "aievec.matmul": matrix_product,
    "aievec.mul_elem": lane_product,
    "aievec.mac_elem": lane_product,
    "aievec.cast": same,
}
