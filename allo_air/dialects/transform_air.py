"""The operations `transform.air.*` of transform scripts: operands and results of each, and the handles that it invalidates.

Their implementations are in `passes/`, found by `allo_air.transform`; MLIR's own interpreter never applies them.
"""

from __future__ import annotations

from typing import ClassVar

from allo_air.dialects._fields import ANY, attr, operand, result
from allo_air.dialects._irdl import Dialect
from allo_air.dialects._kinds import ANY_ATTR, BOOL, I64S, STRING, UNIT, TypeKind
from allo_air.dialects._op import Op

TRANSFORM_AIR = Dialect("transform.air", types={}, attributes={})
_TYPE = TypeKind("type")


class TransformOp(Op):
    """Base: `%r = transform.air.NAME %target {attributes} : (types) -> types`."""

    traits = ("transform",)
    consumes: ClassVar[tuple[int, ...]] = (0,)
    """The operands whose handles are consumed, which invalidates all handles to the same or nested operations."""


class Unary(TransformOp):
    """An operation from one handle to one handle."""

    target = operand(ANY)
    transformed = result(ANY)
    assembly = "$target attr-dict `:` functional()"


class ParToHerdOp(Unary, name="transform.air.par_to_herd"):
    """Turns scf.parallel into air.herd; with first_dim = 1 the first dimension goes along the columns' length."""

    first_dim = attr(ANY_ATTR, optional=True)


class ParToLaunchOp(Unary, name="transform.air.par_to_launch"):
    """Turns scf.parallel into air.launch, with has_air_segment also an air.segment in it."""

    has_air_segment = attr(BOOL, optional=True)


class ParToSegmentOp(Unary, name="transform.air.par_to_segment"):
    """Turns scf.parallel into air.segment unroll."""

    has_air_segment = attr(BOOL, optional=True)


class CopyToDmaOp(Unary, name="transform.air.copy_to_dma"):
    """Turns memref.copy into air.dma_memcpy_nd."""


class ForallWithReduceToParallelOp(Unary, name="transform.air.forall_with_reduce_to_parallel"):
    """Turns an scf.forall whose result a linalg.reduce combines into an scf.parallel that reduces buffers."""


class OverrideMemrefMemorySpaceOp(Unary, name="transform.air.override_memref_memory_space"):
    """Moves the buffers that the target allocates itself to memory_space."""

    memory_space = attr(ANY_ATTR)


class GetSegmentForOp(Unary, name="transform.air.get_segment_for"):
    """The air.segment around each operation."""

    consumes = ()


class SegmentToAieOp(Unary, name="transform.air.segment_to_aie"):
    """Lowers a segment to an AIE1 design: not supported."""


class LinalgToLibraryCallOp(Unary, name="transform.air.linalg_to_library_call"):
    """Turns a linalg operation on buffers into a call."""

    function_name = attr(STRING, optional=True)
    link_with = attr(STRING, optional=True)


class HoistStaticAllocOp(TransformOp, name="transform.air.hoist_static_alloc"):
    """Moves allocations of static shape to the start of a function."""

    target = operand(ANY)
    consumes = ()
    assembly = "$target attr-dict `:` functional()"


class FuseElementwiseLinalgOp(Unary, name="transform.air.fuse_elementwise_linalg"):
    """Fuses elementwise linalg operations on tensors."""


class FuseMultiOpLinalgOp(TransformOp, name="transform.air.fuse_multi_op_linalg"):
    """Computes the first operation inside the second, which reads it."""

    first = operand(ANY)
    second = operand(ANY)
    fused = result(ANY)
    assembly = "$first `,` $second attr-dict `:` functional()"


class FuseTruncfLinalgOp(TransformOp, name="transform.air.fuse_truncf_linalg"):
    """Makes the producer of a truncated value compute the narrow type directly."""

    truncf = operand(ANY)
    producer = operand(ANY)
    fused = result(ANY)
    consumes = (0, 1)
    assembly = "$truncf `,` $producer attr-dict `:` functional()"


class TransposeReduceOp(Unary, name="transform.air.transpose_reduce"):
    """Transposes the input of a linalg.reduce so that the reduced dimensions are innermost."""


class FoldUnitExtentDimsOp(Unary, name="transform.air.fold_unit_extent_dims"):
    """Drops dimensions of extent 1 from linalg operations."""


class LinalgTileOp(TransformOp, name="transform.air.linalg_tile"):
    """Tiles a linalg operation on buffers into an scf.forall."""

    target = operand(ANY)
    tiled = result(ANY)
    loops = result(ANY)
    static_sizes = attr(I64S)
    assembly = "$target tile_sizes($static_sizes) attr-dict"


class FuseIntoContainingOp(TransformOp, name="transform.air.fuse_into_containing_op"):
    """Computes a producer's buffer tile by tile in the loop that reads it."""

    producer = operand(ANY)
    container = operand(ANY)
    fused = result(ANY)
    assembly = "$producer `into` $container attr-dict `:` functional()"


class LinalgPromoteOp(Unary, name="transform.air.linalg_promote"):
    """Copies operands of linalg operations to buffers in memory_space ("L1" or "L2"), and results back."""

    operands_to_promote = attr(ANY_ATTR, optional=True)
    group_size = attr(ANY_ATTR, optional=True)
    use_full_tile_buffers = attr(ANY_ATTR, optional=True)
    use_full_tiles_by_default = attr(UNIT, optional=True)
    use_alloca = attr(UNIT, optional=True)
    alignment = attr(ANY_ATTR, optional=True)
    memory_space = attr(STRING, optional=True)
    consumes = ()


class RemoveUninitializedCopyOp(Unary, name="transform.air.remove_uninitialized_copy"):
    """Erases copies of buffers that were never written; a copy of a filled buffer becomes a fill."""


class EliminateCascadeMemcpyOp(Unary, name="transform.air.eliminate_cascade_memcpy"):
    """Merges two DMA copies through a buffer without other uses."""


class ConvertMemrefCopyToLinalgCopyOp(Unary, name="transform.air.convert_memref_copy_to_linalg_copy"):
    """Turns memref.copy into linalg.copy, which can be tiled."""


class HerdVectorizeOp(Unary, name="transform.air.herd_vectorize"):
    """Vectorizes the linalg operations and copies in a herd."""

    vectorize_nd_extract = attr(UNIT, optional=True)
    flatten_1d_depthwise_conv = attr(UNIT, optional=True)
    disable_transfer_permutation_map_lowering_patterns = attr(UNIT, optional=True)
    disable_multi_reduction_to_contract_patterns = attr(UNIT, optional=True)
    vectorize_padding = attr(UNIT, optional=True)


class VectorTypeCastOp(Unary, name="transform.air.vector_type_cast"):
    """Computes an operation on vectors of target_element_type, with casts around it."""

    target_element_type = attr(_TYPE, optional=True)
    input_indices = attr(ANY_ATTR, optional=True)
    output_indices = attr(ANY_ATTR, optional=True)


class ConvertDivfSqrtToRsqrtOp(Unary, name="transform.air.convert_divf_sqrt_to_rsqrt"):
    """Turns 1 / sqrt(x) into rsqrt(x)."""


class BroadcastBeforeUnaryOp(Unary, name="transform.air.broadcast_before_unary"):
    """Broadcasts before a unary operation rather than after it."""

    op_name = attr(STRING, optional=True)


class ConvertSize1VectorToScalarOp(Unary, name="transform.air.convert_size1_vector_to_scalar"):
    """Replaces vectors of one element by scalars."""


class EliminateRedundantVectorTransfersOp(Unary, name="transform.air.eliminate_redundant_vector_transfers"):
    """Uses earlier results of a read instead of reading again."""


class HoistLoopInvariantTransfersOp(TransformOp, name="transform.air.hoist_loop_invariant_transfers"):
    """Keeps a value that a loop reads and writes at one address in a register."""

    scope = operand(ANY)
    loop = operand(ANY)
    transformed = result(ANY)
    consumes = ()
    assembly = "$scope `,` $loop attr-dict `:` functional()"


class FlattenForIterArgsOp(Unary, name="transform.air.flatten_for_iter_args"):
    """Carries vectors of one dimension through a loop."""


class HoistVectorTransferPointersOp(Unary, name="transform.air.hoist_vector_transfer_pointers"):
    """Carries the addresses of a loop's transfers through the loop."""


class NormalizeForBoundsOp(Unary, name="transform.air.normalize_for_bounds"):
    """Folds the affine.apply of an induction variable into the loop's bounds."""


class HoistCastPairOp(TransformOp, name="transform.air.hoist_cast_pair"):
    """Carries a wide value through a loop that extends it first and truncates it last."""

    extension = operand(ANY)
    truncation = operand(ANY)
    loop = operand(ANY)
    transformed = result(ANY)
    consumes = (0, 1)
    assembly = "$extension `,` $truncation `,` $loop attr-dict `:` functional()"


class PipelineReduceOp(Unary, name="transform.air.pipeline_reduce"):
    """Splits a reduction over a line of cores that pass on partial sums."""

    tile_size = attr(ANY_ATTR, optional=True)
    pipeline_depth = attr(ANY_ATTR, optional=True)
    direction = attr(STRING, optional=True)
    promote = attr(UNIT, optional=True)


class HandInOp(Op, name="transform.air.hand_in"):
    """Gets the handle in `slot` of the innermost exchange: passes our handles to MLIR's interpreter."""

    handle = result(ANY)
    slot = attr(ANY_ATTR)
    traits = ("transform",)
    consumes = ()
    assembly = "generic"


class HandOutOp(Op, name="transform.air.hand_out"):
    """Stores a handle in `slot` of the innermost exchange: passes handles back to our interpreter."""

    handle = operand(ANY)
    slot = attr(ANY_ATTR)
    traits = ("transform",)
    consumes = ()
    assembly = "generic"
