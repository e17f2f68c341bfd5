// Operations that have an instruction on vectors of bf16 only are done on these; each sequence takes the module or a herd.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @match_math_exp(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["math.exp"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }

  transform.named_sequence @match_arith_addf(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["arith.addf"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }

  transform.named_sequence @match_arith_subf(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["arith.subf"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }

  transform.named_sequence @match_arith_mulf(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["arith.mulf"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }

  transform.named_sequence @match_arith_maxnumf(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["arith.maxnumf"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }

  transform.named_sequence @match_vector_multi_reduction(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["vector.multi_reduction"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }

  transform.named_sequence @cast_to_bf16(%op: !transform.any_op {transform.consumed}) {
    %cast = transform.air.vector_type_cast %op {target_element_type = bf16} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  transform.named_sequence @cast_bf16_only_ops(%root: !transform.any_op {transform.consumed}) {
    %all = transform.foreach_match in %root
        @match_math_exp -> @cast_to_bf16,
        @match_arith_addf -> @cast_to_bf16,
        @match_arith_subf -> @cast_to_bf16,
        @match_arith_mulf -> @cast_to_bf16,
        @match_arith_maxnumf -> @cast_to_bf16,
        @match_vector_multi_reduction -> @cast_to_bf16
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  transform.named_sequence @cast_cmpf_and_select_ops(%module: !transform.any_op {transform.readonly}) {
    %compare = transform.structured.match ops{["arith.cmpf"]} in %module : (!transform.any_op) -> !transform.any_op
    %narrow = transform.air.vector_type_cast %compare {target_element_type = bf16, input_indices = [0, 1]} : (!transform.any_op) -> !transform.any_op
    %select = transform.structured.match ops{["arith.select"]} in %module : (!transform.any_op) -> !transform.any_op
    %chosen = transform.air.vector_type_cast %select {target_element_type = bf16, input_indices = [1, 2], output_indices = [0]} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
