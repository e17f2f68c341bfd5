// Gives operations that create tensors (pads, generated and listed elements, concatenations) destinations to write into.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @into_destinations(%function: !transform.any_op {transform.readonly}) {
    transform.apply_patterns to %function { transform.apply_patterns.tensor.decompose_concat } : !transform.any_op
    %made = transform.structured.match ops{["tensor.pad", "tensor.generate", "tensor.from_elements"]} in %function
        : (!transform.any_op) -> !transform.any_op
    transform.foreach %made : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      %rewritten = transform.structured.rewrite_in_destination_passing_style %one : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
