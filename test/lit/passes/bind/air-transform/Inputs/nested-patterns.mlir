transform.sequence failures(propagate) {
^bb0(%all: !pdl.operation):
  transform.with_pdl_patterns %all : !pdl.operation {
  ^bb0(%root: !pdl.operation):
    pdl.pattern @copies : benefit(1) {
      %operands = pdl.operands
      %types = pdl.types
      %copy = pdl.operation "memref.copy"(%operands : !pdl.range<value>) -> (%types : !pdl.range<type>)
      pdl.rewrite %copy with "transform.dialect"
    }
    transform.sequence %root : !pdl.operation failures(propagate) {
    ^bb1(%module: !pdl.operation):
      %copies = pdl_match @copies in %module : (!pdl.operation) -> !pdl.operation
      %dmas = transform.air.copy_to_dma %copies : (!pdl.operation) -> !pdl.operation
    }
  }
}
