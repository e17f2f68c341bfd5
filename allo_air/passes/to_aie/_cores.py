"""Clones a herd's body into the `aie.core` of each of its tiles, specialized to the tile's ids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard

from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Loop
from allo_air.core.walking import walk_named, walk_post_order, walk_pre_order
from allo_air.dialects.air import L1, HerdOp, WaitAllOp
from allo_air.dialects.air_values import is_token
from allo_air.mlir import AnyOp, arith, ir, scf
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._ir.core_constants import CONSTANTS, content
from allo_air.passes.to_aie._bundles import Bundle
from allo_air.passes.to_aie._design import Buffer, Transfer
from allo_air.passes.to_aie._interpret import TRANSFERS, Interpreter
from allo_air.passes.to_aie._mmio import Constants
from allo_air.passes.to_aie._refeed import refeed_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MARK = "air_to_aie.transfer"
"""Attribute of the `air.wait_all` that marks a transfer in a core until the locks are placed."""
FREE = "air_to_aie.free"
"""Attribute of the `air.wait_all` that marks the deallocation of a buffer: the buffer's number."""

_AIR = (*TRANSFERS, "air.execute", "air.wait_all", "air.dma_memcpy_nd", "air.affine_if", "memref.alloc", "memref.dealloc")


@dataclass
class SharedCaches:
    """Caches that all cores share: loops that vary by iteration, loops without transfers, foldable functions, the operations
    of blocks, and templates of cloned operations."""

    varying: dict[Any, bool] = field(default_factory=dict)
    plain: dict[Any, bool] = field(default_factory=dict)
    templates: dict[Any, _Template] = field(default_factory=dict)
    functions: dict[Any, Any] = field(default_factory=dict)
    blocks: dict[ir.Block, list[tuple[ir.Operation, str]]] = field(default_factory=dict)


@dataclass
class _Template:
    """An operation that cores clone, and the `symbols` that it uses.

    `holder` contains a copy of it that uses arguments of its block instead of the values from `outside`; each of these is
    replaced in one step in a clone of the holder, where the operation uses them hundreds of times. None if the operation has
    no regions. `direct` is the number of values of `outside` that the operation uses itself: these come first.
    """

    symbols: list[str]
    outside: list[ir.Value]
    direct: int
    holder: ir.Operation | None


def _template_of(op: ir.Operation) -> _Template:
    nested, outside = walk_pre_order(op), dict[ir.Value, int]()
    inside: set[ir.Value] = {a for o in nested for region in o.regions for block in region for a in block.arguments}
    inside.update(r for o in nested[1:] for r in o.results)
    symbols = [
        inner.attributes[name].value
        for inner in nested
        if inner.name in ("func.call", "memref.get_global")
        for name in ("callee", "name")
        if name in inner.attributes
    ]
    if not len(op.regions):
        return _Template(symbols, list(op.operands), len(op.operands), None)
    uses = [(n, k, v) for n, o in enumerate(nested) for k, v in enumerate(o.operands) if v not in inside]
    for *_, value in uses:
        outside.setdefault(value, len(outside))
    holder = ir.Operation.create("builtin.module", regions=1, loc=op.location, ip=False)
    block = holder.regions[0].blocks.append(*[v.type for v in outside], arg_locs=[op.location] * len(outside))
    copied = walk_pre_order(op.clone(ip=ir.InsertionPoint(block)))
    for n, k, value in uses:
        copied[n].operands[k] = block.arguments[outside[value]]
    return _Template(symbols, list(outside), len(set(op.operands)), holder)


class CoreClone(Interpreter):
    """Clones herd bodies, one after another, into the block of a core's code."""

    where = "a core"

    def __init__(
        self,
        block: ir.Block,
        constants: ir.Block,
        bundles: dict[str, Bundle],
        make_buffer: Callable[[Any], tuple[Buffer, Any]],
        cascade: Callable[[Any, Bundle, Any, Any], None],
        parameter: Callable[[ir.BlockArgument, AnyOp], ir.Value],
        values: SharedCaches,
        mmio: Constants,
    ):
        self.mmio = mmio
        super().__init__({})
        self._varying, self._plain, self._templates = values.varying, values.plain, values.templates
        self._functions, self._blocks = values.functions, values.blocks
        self.block, self.constants, self.bundles = block, constants, bundles
        self.make_buffer, self.cascade, self.parameter = make_buffer, cascade, parameter
        self.buffers: dict[Any, Buffer] = {}
        self.transfers: list[Transfer] = []
        self.in_turns: set[int] = set()
        """Numbers of the buffers that a channel fills alternately with all its data."""
        self.symbols: dict[str, Any] = {}
        self._made: dict[Any, Any] = {}
        self._order: list[ir.Attribute] = []
        """The numbers of the herds: of their ids and sizes, and their constants in the order of the text."""

    def herd(self, herd: HerdOp, ids: tuple[int, ...], numbers: dict[ir.Value, int], allocs: dict[ir.Value, AnyOp]) -> None:
        """Clones the body of `herd` for the tile with `ids`, to which `numbers` and the allocations `allocs` are passed."""
        sizes = [self.number(v) for v in herd.sizes]
        self.known |= numbers
        for argument, alloc in allocs.items():
            buffer, value = self.make_buffer(alloc)
            self.buffers[value] = buffer
            self.known[argument] = value
        self.assign(herd.ids, ids)
        self.assign(herd.size_args, sizes)
        index = ir.IndexType.get(herd.context)
        self._order += [ir.IntegerAttr.get(index, n) for n in (*ids, *sizes) if n is not None]
        self._order += [content(o) for o in walk_named(herd, *CONSTANTS)]
        self.run(herd.block)

    def operations_of(self, block: ir.Block) -> list[tuple[ir.Operation, str]]:
        if block not in self._blocks:
            self._blocks[block] = list(super().operations_of(block))
        return self._blocks[block]

    def sort_constants(self, *, by_ids: bool) -> None:
        """Moves the core's constants to its start, each once. With `by_ids`, the order is mlir-air's: the herd's ids last.
        Otherwise it is a fixed order, so that cores with the same program have equal code, and passes analyse one of them.
        """
        results: dict[ir.Attribute, list[Any]] = {}
        for op in walk_named(self.constants.owner, *(CONSTANTS if by_ids else CONSTANTS[:1])):
            results.setdefault(content(op), []).append(op)
        ordered = list(dict.fromkeys(self._order))
        order = [v for v in (*ordered, *(v for v in reversed(results) if v not in set(ordered))) if v in results]
        for value in order if by_ids else sorted(order, key=str, reverse=True):
            first, *rest = results[value]
            for duplicate in rest:
                duplicate.results[0].replace_all_uses_with(first.results[0])
                duplicate.erase()
            if not list(first.results[0].uses):
                first.erase()
            elif first != (start := self.constants.operations[0].operation):
                first.move_before(start)

    def transfer(self, op: Any) -> None:
        is_put = op.OPERATION_NAME.endswith("put")
        bundle = self.bundles[op.chan_name]
        old = op.src if is_put else op.dst
        memref = self.value(old, op)
        buffer = self.buffers.get(root_of(memref))
        if buffer is None:
            raise error_at(op, f"moves {old.type} in a herd; a core's DMA reaches only L1 buffers that the herd allocates")
        indices = [self.number(v) for v in op.indices]
        if any(i is None for i in indices):
            raise error_at(op, f"uses '@{bundle.name}' at indices that are not constant once the herd's ids are known")
        key = bundle.key(op, [i for i in indices if i is not None], is_put)
        if bundle.kind == "mmio":
            if is_put:
                raise error_at(op, f"puts into '@{bundle.name}' of type mmio in a herd; the host puts constants into it")
            self.mmio.write(op, key, root_of(memref))
            return
        walk = self.walk_of(op, memref, buffer.type)
        if bundle.kind == "cascade":
            self.cascade(op, bundle, memref, self)
            return
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), len(self.transfers))
        self.transfers.append(Transfer(op, key, is_put, buffer.number, walk))
        for _ in range(refeed_of(op, None, bundle) if is_put else 1):
            WaitAllOp(deps=[], attributes={MARK: number}, loc=op.location, ip=ir.InsertionPoint(self.block))

    def keep(self, loop: Loop) -> None:
        op = loop.op
        if op.name == "scf.parallel":
            self._parallel(op, loop.ivs)
            return
        if op not in self._plain:
            self._plain[op] = not walk_named(op, *_AIR)
        if self._plain[op]:
            self._clone(op)
            return
        inits = [v for v in loop.inits if not is_token(v)]
        bounds = [self.value(v, op) for v in list(op.operands)[:3]]
        start = [self.value(v, op) for v in inits]
        with op.location, ir.InsertionPoint(self.block):
            new = scf.ForOp(*bounds, start)
        names = [*loop.ivs, *(a for a in loop.iter_args if not is_token(a))]
        outside, self.block = self.block, new.body
        self.assign(names, self.block.arguments)
        self._ending(loop.block, new)
        self.block = outside
        self.assign([r for r in op.results if not is_token(r)], new.results)

    def _ending(self, old: ir.Block, new: AnyOp, end: str = "scf.yield") -> None:
        """Clones block `old` into the current block, of operation `new`, and calls `end` with the terminator's operands."""
        self.run(old)
        last = old.operations[-1].operands
        yielded = [self.value(v, new) for v in last if not is_token(v)]
        ir.Operation.create(end, [], yielded, loc=new.location, ip=ir.InsertionPoint(self.block))

    def _parallel(self, op: AnyOp, ivs: Sequence[ir.Value]) -> None:
        if any(not is_token(r) for r in op.results):
            raise error_at(op, "reduces values in a herd; make it an scf.for with iter_args before air-to-aie")
        rank, outside = len(ivs), self.block
        operands = list(op.operands)
        for i, iv in enumerate(ivs):
            bounds = [self.value(operands[part * rank + i], op) for part in range(3)]
            with op.location, ir.InsertionPoint(self.block):
                new = scf.ForOp(*bounds)
                if i:
                    scf.YieldOp([])
            self.known[iv] = new.induction_variable
            self.block = new.body
        self.run(op.regions[0].blocks[0])
        scf.YieldOp([], loc=op.location, ip=ir.InsertionPoint(self.block))
        self.block = outside

    def undecided(self, op: ir.Operation, why: str) -> None:
        if walk_named(op, *TRANSFERS) or op.name != "scf.if":
            super().undecided(op, why)
        results = [r for r in op.results if not is_token(r)]
        has_else, condition = bool(len(op.regions[1].blocks)), self.value(op.operands[0], op)
        with op.location, ir.InsertionPoint(self.block):
            new = scf.IfOp(condition, [r.type for r in results], has_else=has_else)
        outside = self.block
        for region, item in zip(op.regions, new.regions, strict=True):
            for old, self.block in zip(region.blocks, item.blocks, strict=True):
                self._ending(old, new)
        self.block = outside
        self.assign(results, new.results)

    def _while(self, op: ir.Operation) -> None:
        """Clones an scf.while with its regions."""
        if walk_named(op, *TRANSFERS):
            super().undecided(op, "has a condition that is not constant")
        before, after = (region.blocks[0] for region in op.regions)
        results = [r for r in op.results if not is_token(r)]
        inits = [self.value(v, op) for v in op.operands if not is_token(v)]
        new = scf.WhileOp([r.type for r in results], inits, loc=op.location, ip=ir.InsertionPoint(self.block))
        outside = self.block
        for old, item, end in zip((before, after), new.regions, ("scf.condition", "scf.yield"), strict=True):
            names = [a for a in old.arguments if not is_token(a)]
            self.block = item.blocks.append(*[n.type for n in names], arg_locs=[new.location] * len(names))
            self.assign(names, self.block.arguments)
            self._ending(old, new, end)
        self.block = outside
        self.assign(results, new.results)

    def other(self, op: ir.Operation) -> None:
        name = op.name
        if name == "memref.dealloc":
            self._free(op)
            return
        if name == "scf.while" and walk_named(op, *_AIR):
            self._while(op)
            return
        if name in ("memref.alloc", "memref.alloca") and is_in(op.results[0].type, L1):
            if op.operands:
                raise error_at(op, "allocates a buffer of dynamic size; a core's buffers are static")
            buffer, value = self.make_buffer(op)
            self.buffers[value] = buffer
            self.known[op.results[0]] = value
            return
        if name == "memref.alloc":
            raise error_at(op, f"allocates {op.results[0].type} in a herd; cores allocate L1 (memory space 2)")
        if op not in self._templates:
            for inner in walk_post_order(op):
                if inner.name.startswith("air."):
                    inside = f" inside '{op.name}'" if inner != op else ""
                    raise error_at(inner, f"cannot be in the program of a core{inside}; air-to-aie knows no lowering for it")
        self._clone(op)

    def _free(self, op: ir.Operation) -> None:
        buffer = self.buffers.get(root_of(self.value(op.operands[0], op)))
        if buffer is not None:
            number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), buffer.number)
            WaitAllOp(deps=[], attributes={FREE: number}, loc=op.location, ip=ir.InsertionPoint(self.block))

    def _clone(self, op: ir.Operation) -> None:
        """Appends a copy of `op`, in which values from outside are replaced by the core's values."""
        if op not in self._templates:
            self._templates[op] = _template_of(op)
        template = self._templates[op]
        if template.symbols:
            self.symbols |= dict.fromkeys(template.symbols, op)
        if template.holder is None:
            new = op.clone(ip=ir.InsertionPoint(self.block)).operation
            for number, value in enumerate(template.outside):
                new.operands[number] = self.value(value, op)
        else:
            block = template.holder.clone(ip=False).regions[0].blocks[0]
            for number, (value, argument) in enumerate(zip(template.outside, block.arguments, strict=True)):
                is_mapped = value in self.known or number < template.direct or _of_herd(value)
                argument.replace_all_uses_with(self.value(value, op) if is_mapped else value)
            new = block.operations[0].operation
            self.block.append(new)
        self.assign(op.results, new.results)

    def value(self, old: ir.Value, op: AnyOp) -> Any:
        """The value in the core that replaces `old`."""
        cloned = self.known.get(old)
        if cloned is not None:
            return self._constant(old.type, cloned) if isinstance(cloned, int) else cloned
        if _of_herd(old):
            value = self.known[old] = self.parameter(old, op)
            return value
        raise error_at(op, f"uses a value of type {old.type} that is not known in the core")

    def _constant(self, kind: ir.Type, number: int) -> ir.Value:
        constant = self._made.get((kind, number))
        if constant is None:
            ip = ir.InsertionPoint.at_block_begin(self.constants)
            python_number = float(number) if isinstance(kind, ir.FloatType) else number
            constant = self._made[kind, number] = arith.constant(kind, python_number, loc=self._location, ip=ip)
        return constant

    @property
    def _location(self) -> ir.Location:
        return ir.Location.unknown(self.block.owner.context)


def _of_herd(value: ir.Value) -> TypeGuard[ir.BlockArgument]:
    """Whether `value` is an argument of a herd."""
    return isinstance(value, ir.BlockArgument) and isinstance(value.owner.owner.opview, HerdOp)
