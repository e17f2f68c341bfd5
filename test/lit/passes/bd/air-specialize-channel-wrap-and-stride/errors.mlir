// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-specialize-channel-wrap-and-stride

air.channel @c []
air.channel @d []
func.func @too_long(%a: memref<64x64xi32, 1>) {
  air.segment @s args(%m=%a) : memref<64x64xi32, 1> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    // expected-error@+1 {{'scf.for' op cannot become a dimension of its access lists, and unrolled it takes 128 buffer descriptors of a memtile, which has 48; make its transfers larger, or the walk simpler}}
    scf.for %i = %c0 to %c64 step %c1 {
      air.channel.get @d[] (%m[%i, %c0] [%c1, %c64] [%c64, %c1]) : (memref<64x64xi32, 1>)
      air.channel.put @c[] (%m[%i, %c0] [%c1, %c64] [%c64, %c1]) : (memref<64x64xi32, 1>)
    }
  }
  return
}
