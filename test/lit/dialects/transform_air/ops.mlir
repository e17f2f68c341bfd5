// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-debuginfo | allo-opt | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

module attributes {transform.with_named_sequence} {
transform.named_sequence @par_to_herd(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.par_to_herd %{{.*}} {first_dim = 1 : i64} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.par_to_herd"(
  %r_par_to_herd = transform.air.par_to_herd %h0 {first_dim = 1 : i64} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @par_to_launch(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.par_to_launch %{{.*}} {has_air_segment = true} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.par_to_launch"(
  %r_par_to_launch = transform.air.par_to_launch %h0 {has_air_segment = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @par_to_segment(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.par_to_segment %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.par_to_segment"(
  %r_par_to_segment = transform.air.par_to_segment %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @copy_to_dma(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.copy_to_dma %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.copy_to_dma"(
  %r_copy_to_dma = transform.air.copy_to_dma %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @forall_with_reduce_to_parallel(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.forall_with_reduce_to_parallel %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.forall_with_reduce_to_parallel"(
  %r_forall_with_reduce_to_parallel = transform.air.forall_with_reduce_to_parallel %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @override_memref_memory_space(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.override_memref_memory_space %{{.*}} {memory_space = 1 : i32} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.override_memref_memory_space"(
  %r_override_memref_memory_space = transform.air.override_memref_memory_space %h0 {memory_space = 1 : i32} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @get_segment_for(%h0: !transform.any_op {transform.readonly}) {
  // CHECK: %{{.*}} = transform.air.get_segment_for %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.get_segment_for"(
  %r_get_segment_for = transform.air.get_segment_for %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @segment_to_aie(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.segment_to_aie %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.segment_to_aie"(
  %r_segment_to_aie = transform.air.segment_to_aie %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @linalg_to_library_call(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.linalg_to_library_call %{{.*}} {function_name = "f", link_with = "k.o"} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.linalg_to_library_call"(
  %r_linalg_to_library_call = transform.air.linalg_to_library_call %h0 {function_name = "f", link_with = "k.o"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @hoist_static_alloc(%h0: !transform.any_op {transform.readonly}) {
  // CHECK: transform.air.hoist_static_alloc %{{.*}} : (!transform.any_op) -> ()
  // GENERIC: "transform.air.hoist_static_alloc"(
  transform.air.hoist_static_alloc %h0 : (!transform.any_op) -> ()
  transform.yield
}
transform.named_sequence @fuse_elementwise_linalg(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.fuse_elementwise_linalg %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.fuse_elementwise_linalg"(
  %r_fuse_elementwise_linalg = transform.air.fuse_elementwise_linalg %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @fuse_multi_op_linalg(%h0: !transform.any_op {transform.consumed}, %h1: !transform.any_op {transform.readonly}) {
  // CHECK: %{{.*}} = transform.air.fuse_multi_op_linalg %{{.*}}, %{{.*}} : (!transform.any_op, !transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.fuse_multi_op_linalg"(
  %r_fuse_multi_op_linalg = transform.air.fuse_multi_op_linalg %h0, %h1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @fuse_truncf_linalg(%h0: !transform.any_op {transform.consumed}, %h1: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.fuse_truncf_linalg %{{.*}}, %{{.*}} : (!transform.any_op, !transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.fuse_truncf_linalg"(
  %r_fuse_truncf_linalg = transform.air.fuse_truncf_linalg %h0, %h1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @transpose_reduce(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.transpose_reduce %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.transpose_reduce"(
  %r_transpose_reduce = transform.air.transpose_reduce %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @fold_unit_extent_dims(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.fold_unit_extent_dims %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.fold_unit_extent_dims"(
  %r_fold_unit_extent_dims = transform.air.fold_unit_extent_dims %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @linalg_tile(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}}:2 = transform.air.linalg_tile %{{.*}}[16, 0, 8]
  // GENERIC: "transform.air.linalg_tile"(
  %r_tile:2 = transform.air.linalg_tile %h0[16, 0, 8]
  transform.yield
}
transform.named_sequence @fuse_into_containing_op(%h0: !transform.any_op {transform.consumed}, %h1: !transform.any_op {transform.readonly}) {
  // CHECK: %{{.*}} = transform.air.fuse_into_containing_op %{{.*}} into %{{.*}} : (!transform.any_op, !transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.fuse_into_containing_op"(
  %r_fuse_into_containing_op = transform.air.fuse_into_containing_op %h0 into %h1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @linalg_promote(%h0: !transform.any_op {transform.readonly}) {
  // CHECK: %{{.*}} = transform.air.linalg_promote %{{.*}} {memory_space = "L1", operands_to_promote = [0, 2], use_alloca} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.linalg_promote"(
  %r_linalg_promote = transform.air.linalg_promote %h0 {memory_space = "L1", operands_to_promote = [0, 2], use_alloca} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @remove_uninitialized_copy(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.remove_uninitialized_copy %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.remove_uninitialized_copy"(
  %r_remove_uninitialized_copy = transform.air.remove_uninitialized_copy %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @eliminate_cascade_memcpy(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.eliminate_cascade_memcpy %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.eliminate_cascade_memcpy"(
  %r_eliminate_cascade_memcpy = transform.air.eliminate_cascade_memcpy %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @convert_memref_copy_to_linalg_copy(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.convert_memref_copy_to_linalg_copy %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.convert_memref_copy_to_linalg_copy"(
  %r_convert_memref_copy_to_linalg_copy = transform.air.convert_memref_copy_to_linalg_copy %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @herd_vectorize(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.herd_vectorize %{{.*}} {vectorize_padding} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.herd_vectorize"(
  %r_herd_vectorize = transform.air.herd_vectorize %h0 {vectorize_padding} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @vector_type_cast(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.vector_type_cast %{{.*}} {input_indices = [2], output_indices = [0], target_element_type = bf16} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.vector_type_cast"(
  %r_vector_type_cast = transform.air.vector_type_cast %h0 {input_indices = [2], output_indices = [0], target_element_type = bf16} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @convert_divf_sqrt_to_rsqrt(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.convert_divf_sqrt_to_rsqrt %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.convert_divf_sqrt_to_rsqrt"(
  %r_convert_divf_sqrt_to_rsqrt = transform.air.convert_divf_sqrt_to_rsqrt %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @broadcast_before_unary(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.broadcast_before_unary %{{.*}} {op_name = "math.rsqrt"} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.broadcast_before_unary"(
  %r_broadcast_before_unary = transform.air.broadcast_before_unary %h0 {op_name = "math.rsqrt"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @convert_size1_vector_to_scalar(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.convert_size1_vector_to_scalar %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.convert_size1_vector_to_scalar"(
  %r_convert_size1_vector_to_scalar = transform.air.convert_size1_vector_to_scalar %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @eliminate_redundant_vector_transfers(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.eliminate_redundant_vector_transfers %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.eliminate_redundant_vector_transfers"(
  %r_eliminate_redundant_vector_transfers = transform.air.eliminate_redundant_vector_transfers %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @hoist_loop_invariant_transfers(%h0: !transform.any_op {transform.readonly}, %h1: !transform.any_op {transform.readonly}) {
  // CHECK: %{{.*}} = transform.air.hoist_loop_invariant_transfers %{{.*}}, %{{.*}} : (!transform.any_op, !transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.hoist_loop_invariant_transfers"(
  %r_hoist_loop_invariant_transfers = transform.air.hoist_loop_invariant_transfers %h0, %h1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @flatten_for_iter_args(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.flatten_for_iter_args %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.flatten_for_iter_args"(
  %r_flatten_for_iter_args = transform.air.flatten_for_iter_args %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @hoist_vector_transfer_pointers(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.hoist_vector_transfer_pointers %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.hoist_vector_transfer_pointers"(
  %r_hoist_vector_transfer_pointers = transform.air.hoist_vector_transfer_pointers %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @normalize_for_bounds(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.normalize_for_bounds %{{.*}} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.normalize_for_bounds"(
  %r_normalize_for_bounds = transform.air.normalize_for_bounds %h0 : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @hoist_cast_pair(%h0: !transform.any_op {transform.consumed}, %h1: !transform.any_op {transform.consumed}, %h2: !transform.any_op {transform.readonly}) {
  // CHECK: %{{.*}} = transform.air.hoist_cast_pair %{{.*}}, %{{.*}}, %{{.*}} : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.hoist_cast_pair"(
  %r_hoist_cast_pair = transform.air.hoist_cast_pair %h0, %h1, %h2 : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @pipeline_reduce(%h0: !transform.any_op {transform.consumed}) {
  // CHECK: %{{.*}} = transform.air.pipeline_reduce %{{.*}} {direction = "vert", pipeline_depth = 4 : i64, tile_size = [0, 0, 16]} : (!transform.any_op) -> !transform.any_op
  // GENERIC: "transform.air.pipeline_reduce"(
  %r_pipeline_reduce = transform.air.pipeline_reduce %h0 {direction = "vert", pipeline_depth = 4 : i64, tile_size = [0, 0, 16]} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
