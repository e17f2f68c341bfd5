// RUN: allo-opt %s --pass-pipeline='builtin.module(air-label-scf-for-to-ping-pong)' | filecheck %s

// What a call adds to is the herd's own, in L1, and of all phases of its cores: the buffers that come in turns are doubled. So they
// are where a loop reduces vectors, which touches no memory.

// CHECK-LABEL: func.func @accumulator
// CHECK:       memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
// CHECK:       unroll = 2
func.func private @add(memref<4xi32, 2>, memref<4xi32, 2>)
func.func @accumulator() {
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %sum = memref.alloc() : memref<4xi32, 2>
  air.herd @h tile (%hx, %hy) in (%sx=%one, %sy=%one) args(%q=%sum, %k=%eight) : memref<4xi32, 2>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %s = air.wait_all async
    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %s) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4xi32, 2>) {
        %alloc = memref.alloc() : memref<4xi32, 2>
        air.execute_terminator %alloc : memref<4xi32, 2>
      }
      %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
      %2 = air.execute [%1] {
        func.call @add(%m, %q) : (memref<4xi32, 2>, memref<4xi32, 2>) -> ()
      }
      %v = arith.constant dense<1.0> : vector<16xf32>
      %f = vector.reduction <add>, %v : vector<16xf32> into f32
      scf.yield %2 : !air.async.token
    }
  }
  return
}
air.channel @in []

// Another herd is passed it, too: it is shared.

// CHECK-LABEL: func.func @of_two
// CHECK-NOT:   unroll
func.func @of_two() {
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %sum = memref.alloc() : memref<4xi32, 2>
  air.herd @other tile (%hx, %hy) in (%sx=%one, %sy=%one) args(%q=%sum) : memref<4xi32, 2> {
    func.call @add(%q, %q) : (memref<4xi32, 2>, memref<4xi32, 2>) -> ()
  }
  air.herd @h tile (%hx, %hy) in (%sx=%one, %sy=%one) args(%q=%sum, %k=%eight) : memref<4xi32, 2>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = air.wait_all async
    %r = scf.for %i = %c0 to %k step %c1 iter_args(%t = %s) -> (!air.async.token) {
      %a, %m = air.execute -> (memref<4xi32, 2>) {
        %alloc = memref.alloc() : memref<4xi32, 2>
        air.execute_terminator %alloc : memref<4xi32, 2>
      }
      %1 = air.channel.get async [%t, %a] @in[] (%m[] [] []) : (memref<4xi32, 2>)
      %2 = air.execute [%1] {
        func.call @add(%m, %q) : (memref<4xi32, 2>, memref<4xi32, 2>) -> ()
      }
      scf.yield %2 : !air.async.token
    }
  }
  return
}
