// scf.for carrying memrefs & values (unrolled ping-pong by hand)
module {
  air.channel @in [1]
  air.channel @out [1]
  func.func @hand(%arg0: memref<128xi32>, %arg1: memref<128xi32>) {
    %c1 = arith.constant 1 : index
    %p = air.channel.put async @in[] (%arg0[] [] []) : (memref<128xi32>)
    %g = air.channel.get async @out[] (%arg1[] [] []) : (memref<128xi32>)
    %h = air.herd @h async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c128 = arith.constant 128 : index
      %t1, %ping = air.execute -> (memref<32xi32, 2>) {
        %al = memref.alloc() : memref<32xi32, 2>
        air.execute_terminator %al : memref<32xi32, 2>
      }
      %t2, %pong = air.execute -> (memref<32xi32, 2>) {
        %al = memref.alloc() : memref<32xi32, 2>
        air.execute_terminator %al : memref<32xi32, 2>
      }
      %r:4 = scf.for %i = %c0 to %c128 step %c32 iter_args(%a = %ping, %b = %pong, %ta = %t1, %tb = %t2) -> (memref<32xi32, 2>, memref<32xi32, 2>, !air.async.token, !air.async.token) {
        %gg = air.channel.get async [%ta, %tb] @in[] (%a[] [] []) : (memref<32xi32, 2>)
        %e = air.execute [%gg] {
          linalg.add ins(%a, %a : memref<32xi32, 2>, memref<32xi32, 2>) outs(%a : memref<32xi32, 2>)
        }
        %pp = air.channel.put async [%e] @out[] (%a[] [] []) : (memref<32xi32, 2>)
        scf.yield %b, %a, %tb, %pp : memref<32xi32, 2>, memref<32xi32, 2>, !air.async.token, !air.async.token
      }
      %d = air.execute [%r#2, %r#3] {
        memref.dealloc %ping : memref<32xi32, 2>
      }
      %d2 = air.execute [%r#2, %r#3] {
        memref.dealloc %pong : memref<32xi32, 2>
      }
    }
    air.wait_all [%p, %g, %h]
    return
  }
}
