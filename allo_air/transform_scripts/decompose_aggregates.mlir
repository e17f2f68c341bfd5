// Decomposes linalg.softmax, linalg.pack and linalg.unpack on tensors into simpler operations.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @decompose_aggregates(%root: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %softmax : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %parts = transform.structured.decompose_interface %op : (!transform.any_op) -> !transform.any_op
    }
    %packs = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.pack">
    transform.foreach %packs : !transform.op<"linalg.pack"> {
    ^bb0(%op: !transform.op<"linalg.pack">):
      %pad, %expand, %transpose = transform.structured.lower_pack %op : (!transform.op<"linalg.pack">)
          -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    }
    %unpacks = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.unpack">
    transform.foreach %unpacks : !transform.op<"linalg.unpack"> {
    ^bb0(%op: !transform.op<"linalg.unpack">):
      %empty, %transpose, %collapse, %slice, %copy = transform.structured.lower_unpack %op : (!transform.op<"linalg.unpack">)
          -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">,
              !transform.op<"tensor.extract_slice">, !transform.op<"linalg.copy">)
    }
    transform.yield
  }
}
