// RUN: allo-opt %s --air-annotate-refeed --verify-diagnostics

air.channel @c []
func.func @f(%m: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error@+1 {{repeatedly sends an L2 buffer that no memref.alloc in the segment allocates}}
    air.channel.put @c[] (%m[] [] []) : (memref<8xi32, 1>)
  }
  return
}
