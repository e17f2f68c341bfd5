// RUN: allo-opt %s --air-check-ping-pong --verify-diagnostics -o /dev/null

air.channel @in [1]
func.func @f(%n: index) {
  %one = arith.constant 1 : index
  air.launch (%l) in (%ls=%one) args(%m=%n) : index {
    air.segment @s args(%k=%m) : index {
      %o = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx=%o, %sy=%o) args(%bound=%k) : index {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %c5 = arith.constant 5 : index
        %c6 = arith.constant 6 : index
        // expected-warning@below {{runs 5 times, an odd number, and mlir-air gives the last iteration a third ping-pong buffer}}
        scf.for %i = %c0 to %c5 step %c1 {
          %a = memref.alloc() : memref<16xi32, 2>
          air.channel.get @in[%c0] (%a[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %a : memref<16xi32, 2>
        }
        // Three trips agree, and even ones.
        scf.for %i = %c0 to %c3 step %c1 {
          %a = memref.alloc() : memref<16xi32, 2>
          air.channel.get @in[%c0] (%a[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %a : memref<16xi32, 2>
        }
        scf.for %i = %c0 to %c6 step %c1 {
          %a = memref.alloc() : memref<16xi32, 2>
          air.channel.get @in[%c0] (%a[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %a : memref<16xi32, 2>
        }
        // A loop that is not to be doubled, and a buffer that is not filled by a transfer.
        scf.for %i = %c0 to %c5 step %c1 {
          %a = memref.alloc() : memref<16xi32, 2>
          air.channel.get @in[%c0] (%a[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %a : memref<16xi32, 2>
        } {air.disable_ping_pong}
        scf.for %i = %c0 to %c5 step %c1 {
          %a = memref.alloc() : memref<16xi32, 2>
          memref.dealloc %a : memref<16xi32, 2>
        }
        // expected-remark@below {{not decided: whether it runs an even number of times, as mlir-air's ping-pong buffers need}}
        scf.for %i = %c0 to %bound step %c1 {
          %a = memref.alloc() : memref<16xi32, 2>
          air.channel.get @in[%c0] (%a[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %a : memref<16xi32, 2>
        }
      }
    }
  }
  return
}
