"""The family of kernels that `plan-tiles` plans: tiled for launches, then for cores, with operands copied to L2 and to L1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.core.diagnostics import error_at
from allo_air.core.schedule import schedule
from allo_air.core.walking import body_of, defining_op, is_inside, walk_named, walk_pre_order
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.mlir import arith, ir
from allo_air.passes._analysis.kernels import is_kernel
from allo_air.passes._analysis.structured import is_structured, loop_extents
from allo_air.passes._ir.tensors import empty, filled
from allo_air.passes.map._argument_slices import read_from_arguments
from allo_air.passes.map._choices import best_in_place, cycles_of
from allo_air.passes.map._kernel import SETUP, Kernel, kernel_of
from allo_air.passes.map._pads import fold_constant_branches, is_slice
from allo_air.passes.map._plan import Part
from allo_air.passes.map._promote import CUT, L1, L2, pass_through_buffers, promote, promote_function
from allo_air.passes.map._reduce import cut_reductions, promote_parts
from allo_air.plan.family import Family, Replan, Target
from allo_air.plan.plan import Plan

ROOT = "allo.root"


@dataclass(frozen=True)
class Tiles(Family):
    """Expands kernels that `plan-tiles` planned."""

    name: str = "tiles"
    note: str = "elementwise operations and reductions"

    def expand(self, kernel: ir.Operation, plan: Plan) -> None:
        """Tiles the last operation and fuses its producers into its tiles, by `transform.structured.fuse`.

        One core computes a kernel without tiles, with all data in L1.
        """
        if not is_kernel(kernel) or not len(kernel.regions[0].blocks):
            return
        if any(plan.launch):
            tiled = kernel_of(kernel)
            _check_tiles(tiled, plan.launch, plan.core)
            _tile(tiled, plan.launch, plan.core)
        else:
            _into_destinations(kernel)
            promote_function(kernel)

    def replan(self, kernel: ir.Operation, plan: Plan, target: Target) -> Replan:
        """The best tiles that cut no dimension."""
        tiled = kernel_of(kernel)  # its memo has the needs of tiles, which are the same on all columns

        def replanned(device: Device) -> tuple[Plan, float] | None:
            choice = best_in_place(tiled, device, Part(*plan.reduced) if plan.reduced else None)
            return None if choice is None else (choice.plan, cycles_of(choice))

        return replanned


FAMILY = Tiles()


def _check_tiles(kernel: Kernel, launch: Sequence[int], herd: Sequence[int]) -> None:
    """Raises an error if tile sizes from the user do not divide their loops."""
    if kernel.root is None:
        raise error_at(kernel.function, "has a plan with tiles, but no single operation computes its results; run plan-tiles")
    extents = loop_extents(kernel.root)
    for name, sizes in (("launch", launch), ("core", herd)):
        if len(sizes) != len(extents):
            raise error_at(
                kernel.root,
                f"has {counted(len(extents), 'loop')}, and entry '{name}' of its plan has "
                f"{counted(len(sizes), 'size')}; write one for each",
            )
    for number, (extent, outer, inner) in enumerate(zip(extents, launch, herd, strict=True)):
        if (0 < outer < extent and extent % outer) or (0 < outer < inner) or (inner and min(outer or extent, extent) % inner):
            raise error_at(
                kernel.root,
                f"has loop {number} of {extent} in tiles of {outer} for launches and of {inner} for cores by its plan; a"
                " core's tile must divide the launch tile, and a launch tile the loop",
            )


def _tile(kernel: Kernel, launch: Sequence[int], herd: Sequence[int]) -> None:
    assert kernel.root is not None
    function = kernel.function
    kernel.root.attributes[ROOT] = ir.UnitAttr.get()
    outer = _fuse(function, launch)
    _own_results(outer)
    read_from_arguments(function, outer)
    _clean(function)
    _sink_scalars(function.regions[0].blocks[0], outer)
    _all_inside(kernel, function, outer)
    promote(outer, L2)
    inner = _fuse(function, herd)
    _sink_scalars(outer.regions[0].blocks[0], inner)
    _clean(function)
    cut_reductions(function)
    fold_constant_branches(function)
    _into_destinations(function)
    promote_parts(function)
    promote(inner, L1)
    if launch == herd and all(o.name != "bufferization.materialize_in_destination" for o in body_of(outer)):
        pass_through_buffers(outer, L2)
    _clean(function)
    [root] = [o for o in walk_pre_order(function) if ROOT in o.attributes]
    del root.attributes[ROOT]


def _fuse(function: ir.Operation, sizes: Sequence[int]) -> ir.Operation:
    """Tiles the root in `function` and fuses its producers into the loop; returns the loop."""
    schedule("fuse-root", sizes=tuple(sizes)).run(function)
    fold_constant_branches(function)
    _refuse_cut_pads(function)
    loops = [
        f for f in walk_named(function, "scf.forall") if any(ROOT in o.operation.attributes for o in f.regions[0].blocks[0])
    ]
    [loop] = loops
    return loop


def _own_results(loop: ir.Operation) -> None:
    """Gives a loop whose results start from arguments its own destination tensors. The body reads the arguments, which the
    caller keeps.
    """
    body = loop.regions[0].blocks[0]
    count = len(loop.results)
    first = len(loop.operands) - count
    for number, inside in enumerate(list(body.arguments)[len(body.arguments) - count :], first):
        operand = loop.operands[number]
        if not isinstance(operand, ir.BlockArgument):
            continue
        for use in [(u.owner, u.operand_number) for u in inside.uses]:
            if use[0].name != "tensor.parallel_insert_slice":
                use[0].operation.operands[use[1]] = operand
        with ir.InsertionPoint(loop), loop.location:
            loop.operands[number] = empty(operand.type)


def _into_destinations(function: ir.Operation) -> None:
    """Makes operations write to the destinations of the loop instead of their own destination tensors."""
    for splat in walk_named(function, "tensor.splat"):
        with ir.InsertionPoint(splat), splat.location:
            value = filled(splat.operands[0], splat.results[0].type)
            splat.results[0].replace_all_uses_with(value)
        splat.erase()
    for move in walk_named(function, "tensor.concat", "tensor.insert_slice"):
        _compute_splats(move)
    _refuse_cut_pads(function)
    schedule("into-destinations").run(function)


def _compute_splats(move: ir.Operation) -> None:
    """Makes the core compute the constants that `move` copies, since a core has no constant arrays."""
    for number, value in enumerate(move.operands):
        constant = defining_op(value, "arith.constant")
        if constant is not None and isinstance(value.type, ir.RankedTensorType):
            with ir.InsertionPoint(move), move.location:
                element = arith.ConstantOp(value.type.element_type, constant.attributes["value"].get_splat_value())
                move.operands[number] = filled(element.result, value.type)


def _refuse_cut_pads(function: ir.Operation) -> None:
    """Raises an error at a tensor.pad that differs between tiles, since MLIR's rewrite of some such pads reads out of
    bounds.
    """
    for pad in walk_named(function, "tensor.pad"):
        if not pad.results[0].type.has_static_shape:
            raise error_at(
                pad,
                "is tiled in a padded dimension, where tiles would have different amounts of padding; do not tile that loop",
            )


def _clean(function: ir.Operation) -> None:
    """Erases unused operations."""
    ops = walk_named(
        function,
        "linalg.generic",
        "linalg.fill",
        "tensor.extract_slice",
        "tensor.empty",
        "tensor.pad",
        "arith.constant",
        "bufferization.alloc_tensor",
    )
    for op in reversed([o for o in ops if o.parent.name != "linalg.generic"]):
        if not any(len(list(r.uses)) for r in op.results):
            op.erase()


def _sink_scalars(block: ir.Block, loop: ir.Operation) -> None:
    """Moves loop-invariant scalars that the loop in `block` captures into its body."""
    body = loop.regions[0].blocks[0]
    for op in reversed([o.operation for o in block.operations]):
        if is_structured(op) and all(is_inside(use.owner, loop) for r in op.results for use in r.uses):
            op.move_before(body.operations[0])


def _all_inside(kernel: Kernel, function: ir.Operation, loop: ir.Operation) -> None:
    for view in function.regions[0].blocks[0].operations:
        op = view.operation
        if op != loop and op.name not in SETUP and CUT not in op.attributes and not is_slice(op):
            raise error_at(op, "cannot be computed tile by tile with the operations after it; put it in a separate kernel")
