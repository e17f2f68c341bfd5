"""A call of a function without a body becomes a call of the engine, which runs the kernel registered under its name."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.names import callee_of
from allo_air.core_model.access import element_bytes
from allo_air.errors import counted
from allo_air.mlir import arith, ir, memref, scf
from allo_air.sim.cores.build import as_integer, cast, i32, index, load, mul, store
from allo_air.sim.cores.kernel import DYNAMIC, Argument, Signature
from allo_air.sim.cores.ports import CASCADE_GET, CASCADE_PUT, DATA_WORDS, DONE, HEAD_WORDS, NEW, STREAM_GET, STREAM_PUT
from allo_air.sim.cores.ranges import Dimension, address, check


def signature_of(call: ir.Operation) -> Signature:
    """The signature of the `func.call` operation `call`; raises DiagnosticError for arguments that a kernel cannot take."""
    arguments = tuple(_argument(call, v.type) for v in call.operands)
    if len(call.results) > 1:
        raise error_at(call, f"takes {counted(len(call.results), 'result')}; an external function returns one number or none")
    return Signature(callee_of(call), arguments, tuple(str(r.type) for r in call.results))


def _argument(call: ir.Operation, kind: ir.Type) -> Argument:
    if isinstance(kind, ir.MemRefType):
        strides, _ = kind.get_strides_and_offset()
        shape = tuple(DYNAMIC if kind.is_dynamic_dim(i) else kind.get_dim_size(i) for i in range(kind.rank))
        steps = tuple(DYNAMIC if kind.is_dynamic_stride_or_offset(s) else s for s in strides)
        return Argument("memref", str(kind.element_type), shape, steps)
    if isinstance(kind, ir.IntegerType | ir.FloatType | ir.IndexType):
        return Argument("scalar", str(kind))
    if str(kind).startswith("!llvm.ptr"):
        return Argument("pointer", "")
    raise error_at(call, f"passes a {kind}; an external function takes memrefs, pointers and numbers")


def lower_call(call: ir.Operation, lowering: Any) -> None:
    """Lowers `call`: stores the arguments as 64-bit words, and marks the memory that the kernel reads and writes."""
    kernel = lowering.effects[callee_of(call)]
    signature = signature_of(call)
    i64 = ir.IntegerType.get_signless(64)
    memrefs = {i: v for i, v in enumerate(call.operands) if isinstance(v.type, ir.MemRefType)}
    site = lowering.site(call)
    for i in kernel.reads:
        if i in memrefs:
            _mark(lowering, "read", memrefs[i], site)
    words: list[Any] = [cast(site, i64)]
    for value, argument in zip(call.operands, signature.arguments, strict=True):
        words += _words(value, argument)
    count = len(words)
    extra = (1 if call.results else 0) + (1 if kernel.writes is None else 0)
    answer_slot = count + 2 * extra + 1
    slot = lowering.slot(answer_slot + HEAD_WORDS + DATA_WORDS if kernel.ports else count + 2 * extra)
    for k in range(extra):
        words.append(as_integer(_word_address(slot, count + extra + kernel.ports + k)))
    if kernel.ports:
        words.append(as_integer(_word_address(slot, answer_slot)))
    for k, word in enumerate(words):
        store(word, _word_address(slot, k))
    if signature not in lowering.kernels:
        lowering.kernels.append(signature)
    number = arith.addi(lowering.kernel_base, i32(lowering.kernels.index(signature)))
    if kernel.ports:
        _serve_requests(lowering, _word_address(slot, answer_slot), site, number, slot, i32(len(words)))
    else:
        lowering.calls("allo_sim_kernel", number, slot, i32(len(words)), site)
    results = count + extra + kernel.ports
    if kernel.writes is None:
        _mark_found(lowering, memrefs, _word_address(slot, results + extra - 1), site)
    for i in kernel.writes or ():
        if i in memrefs:
            _mark(lowering, "write", memrefs[i], site)
    if call.results:
        kind = call.results[0].type
        loaded_type = i64 if isinstance(kind, ir.IndexType) else kind
        loaded = load(loaded_type, _word_address(slot, results))
        call.results[0].replace_all_uses_with(cast(loaded, kind) if isinstance(kind, ir.IndexType) else loaded)
    call.erase()


def _serve_requests(
    lowering: Any, request: ir.Value, site: ir.Value, number: ir.Value, slot: ir.Value, count: ir.Value
) -> None:
    """Calls the kernel until it returns; in between, executes its requests to ports, which it stores at `request`."""
    i64 = ir.IntegerType.get_signless(64)
    head = [_word_address(request, k) for k in range(HEAD_WORDS)]
    data = _word_address(request, HEAD_WORDS)
    store(arith.constant(i64, NEW), head[0])
    loop = scf.WhileOp([], [])
    with ir.InsertionPoint(loop.regions[0].blocks.append()):
        lowering.calls("allo_sim_kernel", number, slot, count, site)
        kind = load(i64, head[0])
        more = arith.cmpi(arith.CmpIPredicate.ne, kind, arith.constant(i64, DONE))
        scf.ConditionOp(more, [])
    with ir.InsertionPoint(loop.regions[1].blocks.append()):
        kind, channel, words = (load(i64, a) for a in head)
        channel, words = (cast(v, ir.IntegerType.get_signless(32)) for v in (channel, words))
        for code, name, arguments in (
            (CASCADE_GET, "allo_sim_cascade_get", (data, site)),
            (CASCADE_PUT, "allo_sim_cascade_put", (data, site)),
            (STREAM_GET, "allo_sim_stream_get", (channel, data, words, site)),
            (STREAM_PUT, "allo_sim_stream_put", (channel, data, words, site)),
        ):
            branch = scf.IfOp(arith.cmpi(arith.CmpIPredicate.eq, kind, arith.constant(i64, code)))
            with ir.InsertionPoint(branch.then_block):
                lowering.calls(name, *arguments)
                scf.yield_([])
        scf.yield_([])


def _word_address(slot: ir.Value, word: int) -> Any:
    i64 = ir.IntegerType.get_signless(64)
    attributes = {"rawConstantIndices": ir.DenseI32ArrayAttr.get([word]), "elem_type": ir.TypeAttr.get(i64)}
    return ir.Operation.create("llvm.getelementptr", [slot.type], [slot], attributes).results[0]


def _words(value: ir.Value, argument: Argument) -> list[Any]:
    """The 64-bit words that encode one argument."""
    i64 = ir.IntegerType.get_signless(64)
    if argument.kind == "pointer":
        return [as_integer(value)]
    if argument.kind == "scalar":
        if isinstance(value.type, ir.FloatType):
            whole = ir.IntegerType.get_signless(value.type.width)
            value = arith.bitcast(whole, value)
        return [cast(value, i64)]
    rank = len(argument.shape)
    metadata = list(memref.extract_strided_metadata(value)) if argument.dynamic else []
    sizes = [metadata[2 + i] for i in range(rank) if argument.shape[i] == DYNAMIC]
    strides = [metadata[2 + rank + i] for i in range(rank) if argument.strides[i] == DYNAMIC]
    return [cast(index(v), i64) for v in (address(value, 0), *sizes, *strides)]


def _mark(lowering: Any, kind: str, value: ir.Value, site: ir.Value) -> None:
    """A shadow check of all elements of memref `value`."""
    rank = value.type.rank
    shape = [
        value.type.get_dim_size(i) if not value.type.is_dynamic_dim(i) else memref.dim(value, index(i)) for i in range(rank)
    ]
    strides, _ = value.type.get_strides_and_offset()
    metadata = list(memref.extract_strided_metadata(value)) if rank else []
    steps = [metadata[2 + rank + i] if value.type.is_dynamic_stride_or_offset(s) else s for i, s in enumerate(strides)]
    size = element_bytes(value.type.element_type)
    dimensions = [Dimension(n, mul(s, size)) for n, s in zip(shape, steps, strict=True)]
    check(lowering.calls, kind, address(value, 0), dimensions, size, site)


def _mark_found(lowering: object, memrefs: dict[int, ir.Value], mask: ir.Value, site: ir.Value) -> None:
    """Marks memrefs as written if the kernel's wrapper has set their bits, the others as read."""
    i64 = ir.IntegerType.get_signless(64)
    bits = load(i64, mask)
    for i, value in memrefs.items():
        bit = arith.andi(bits, arith.constant(i64, 1 << i))
        branch = scf.IfOp(arith.cmpi(arith.CmpIPredicate.ne, bit, arith.constant(i64, 0)), has_else=True)
        for kind, block in (("write", branch.then_block), ("read", branch.else_block)):
            with ir.InsertionPoint(block):
                _mark(lowering, kind, value, site)
                scf.yield_([])
