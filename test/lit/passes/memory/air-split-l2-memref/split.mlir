// RUN: allo-opt --syntax=2026-03 %s --air-split-l2-memref='tiles-per-l2-tile=1' --canonicalize --cse | filecheck %s
// RUN: allo-opt --syntax=2026-03 %s --air-split-l2-memref='tiles-per-l2-tile=1 max-launch-channels-mm2s=1 fewer-parts=true' --canonicalize --cse | filecheck %s --check-prefix=WHOLE
// RUN: allo-opt --syntax=2026-03 %s --air-split-l2-memref='tiles-per-l2-tile=1 max-launch-channels-mm2s=2 fewer-parts=true' --canonicalize --cse | filecheck %s --check-prefix=TWO
// RUN: allo-opt --syntax=2026-03 %s --air-split-l2-memref | filecheck %s --check-prefix=FEW

// One buffer for each row; the stream that fills it goes over a bundle with a channel for each. The halves are read transposed.

// CHECK:       air.channel @channel_0 [4, 1] {keep = "it"}
// CHECK-NOT:   air.channel @in
// CHECK-LABEL: func.func @rows
// CHECK:       %[[X:.*]] = affine.apply #{{.*}}()[%[[I:.*]]]
// CHECK:       air.channel.put async @channel_0[%c0{{.*}}, %c0{{.*}}] (%[[A:.*]][%[[X]], %c0{{.*}}] [%c2{{.*}}, %c16{{.*}}] [%c16{{.*}}, %c1{{.*}}]) {id = 1 : i32}
// CHECK:       air.channel.put async @channel_0[%c1{{.*}}, %c0{{.*}}] (%[[A]][%{{.*}}, %c0{{.*}}] [%c2{{.*}}, %c16{{.*}}] [%c16{{.*}}, %c1{{.*}}]) {id = 2 : i32}
// CHECK:       air.segment
// CHECK-COUNT-4: memref.alloc() : memref<2x16xf32, 1>
// CHECK:       air.channel.get async [%{{.*}}] @channel_0[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[] [] []) {id = 5 : i32} : (memref<2x16xf32, 1>)
// CHECK:       air.channel.put async {{.*}} @out[%c0{{.*}}, %c0{{.*}}] (%{{.*}}[%c0{{.*}}, %c0{{.*}}] [%c16{{.*}}, %c2{{.*}}] [%c1{{.*}}, %c16{{.*}}]) {{.*}}: (memref<2x16xf32, 1>)
// CHECK:       air.channel.put async {{.*}} @out[%c3{{.*}}, %c0{{.*}}]
// CHECK-COUNT-4: memref.dealloc %{{.*}} : memref<2x16xf32, 1>

// WHOLE-LABEL: func.func @rows
// WHOLE:       memref.alloc() : memref<8x16xf32, 1>

// TWO:         air.channel @channel_0 [2, 1]
// TWO-LABEL:   func.func @rows
// TWO-COUNT-2: memref.alloc() : memref<4x16xf32, 1>
// TWO:         air.channel.put async {{.*}} @out[%c1{{.*}}, %c0{{.*}}] (%{{.*}}[%c0{{.*}}, %c2{{.*}}] [%c16{{.*}}, %c2{{.*}}] [%c1{{.*}}, %c16{{.*}}]) {{.*}}: (memref<4x16xf32, 1>)
// TWO:         air.channel.put async {{.*}} @out[%c2{{.*}}, %c0{{.*}}] (%{{.*}}[%c0{{.*}}, %c0{{.*}}] [%c16{{.*}}, %c2{{.*}}] [%c1{{.*}}, %c16{{.*}}]) {{.*}}: (memref<4x16xf32, 1>)

// FEW-LABEL:   func.func @rows
// FEW:         memref.alloc() : memref<8x16xf32, 1>

module {
  air.channel @in [] {keep = "it"}
  air.channel @out [4, 1]
  func.func @rows(%x: memref<16x16xf32>) {
    %two = arith.constant 2 : index
    %0 = air.launch async (%i) in (%n=%two) args(%y=%x) : memref<16x16xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %o = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%i]
      %1 = air.channel.put async @in[] (%y[%o, %c0] [%c8, %c16] [%c16, %c1]) {id = 1 : i32} : (memref<16x16xf32>)
      %2 = air.segment @s async {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d2 = arith.constant 2 : index
        %d4 = arith.constant 4 : index
        %d16 = arith.constant 16 : index
        %t, %m = air.execute -> (memref<8x16xf32, 1>) {
          %alloc = memref.alloc() : memref<8x16xf32, 1>
          air.execute_terminator %alloc : memref<8x16xf32, 1>
        }
        %g = air.channel.get async [%t] @in[] (%m[] [] []) {id = 2 : i32} : (memref<8x16xf32, 1>)
        %p = scf.parallel (%k) = (%d0) to (%d4) step (%d1) init (%g) -> !air.async.token {
          %r = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%k]
          %q = air.channel.put async [%g] @out[%k, %d0] (%m[%d0, %r] [%d16, %d2] [%d1, %d16]) : (memref<8x16xf32, 1>)
          scf.reduce(%q : !air.async.token) {
          ^bb0(%a: !air.async.token, %b: !air.async.token):
            %j = air.wait_all async [%a, %b]
            scf.reduce.return %j : !air.async.token
          }
        }
        %h = air.herd @h async tile (%tx, %ty) in (%sx=%d4, %sy=%d1) {
          %l, %v = air.execute -> (memref<16x2xf32, 2>) {
            %alloc = memref.alloc() : memref<16x2xf32, 2>
            air.execute_terminator %alloc : memref<16x2xf32, 2>
          }
          %w = air.channel.get async [%l] @out[%tx, %ty] (%v[] [] []) : (memref<16x2xf32, 2>)
        }
        %e = air.execute [%p] {
          memref.dealloc %m : memref<8x16xf32, 1>
        }
      }
    }
    return
  }
}
