// RUN: allo-opt --syntax=2026-03 %s --bind-moves | filecheck %s

// Two streams, of which the first has two transfers; the row of zeros is read eight times.

// CHECK:       air.channel @moves_0 [2, 1]
// CHECK-LABEL: func.func private @k(
// CHECK-NEXT:    air.launch () in () args(%[[X:.*]]=%{{.*}}, %[[ROW:.*]]=%{{.*}}, %[[Y:.*]]=%{{.*}}) :
// CHECK:           air.channel.put @moves_0[%c0, %c0] (%[[X]][%c0] [%c128] [%c1]) : (memref<16x16xf32>)
// CHECK-NEXT:      air.channel.get @moves_0[%c0, %c0] (%[[Y]][%c0, %c4] [%c8, %c16] [%c20, %c1]) : (memref<16x20xf32>)
// CHECK-NEXT:      air.channel.put @moves_0[%c1, %c0] (%[[X]][%c128] [%c128] [%c1]) : (memref<16x16xf32>)
// CHECK-NEXT:      air.channel.get @moves_0[%c1, %c0] (%[[Y]][%c0, %c164] [%c8, %c16] [%c20, %c1]) : (memref<16x20xf32>)
// CHECK-NEXT:      air.channel.put @moves_0[%c0, %c0] (%[[ROW]][%c0, %c0] [%c8, %c8] [%c0, %c1]) : (memref<8xf32>)
// CHECK-NEXT:      air.channel.get @moves_0[%c0, %c0] (%[[Y]][%c0, %c0] [%c16, %c4] [%c20, %c1]) : (memref<16x20xf32>)
// CHECK-NEXT:      air.segment @k_0
// CHECK-NOT:     memref.copy
func.func private @k(%x: memref<16x16xf32>, %row: memref<8xf32>, %y: memref<16x20xf32>) attributes {allo.kernel,
    allo.plan = {family = "move", routes = [
      {operand = "0", walks = [array<i64: 0, 0, 128, 1>, array<i64: 2, 4, 8, 20, 16, 1>, array<i64: 1, 0, 8, 0, 8, 1>, array<i64: 2, 0, 16, 20, 4, 1>]},
      {operand = "1", walks = [array<i64: 0, 128, 128, 1>, array<i64: 2, 164, 8, 20, 16, 1>]}]}} {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%y : memref<16x20xf32>)
  %v = memref.subview %y[0, 4] [16, 16] [1, 1] : memref<16x20xf32> to memref<16x16xf32, strided<[20, 1], offset: 4>>
  memref.copy %x, %v : memref<16x16xf32> to memref<16x16xf32, strided<[20, 1], offset: 4>>
  return
}

func.func @f(%x: memref<16x16xf32>, %y: memref<16x20xf32>) {
  %row = memref.get_global @zeros : memref<8xf32>
  call @k(%x, %row, %y) : (memref<16x16xf32>, memref<8xf32>, memref<16x20xf32>) -> ()
  return
}
memref.global "private" constant @zeros : memref<8xf32> = dense<0.0>

// A function without such a plan stays.

// CHECK-LABEL: func.func @other(
// CHECK-NEXT:    return
func.func @other(%x: memref<16x16xf32>) {
  return
}

// What a memtile turns comes to it in tiles, and leaves it in the other order.

// CHECK:       air.channel @[[IN:moves[_0-9]*]] [1, 1]
// CHECK-NEXT:  air.channel @[[BACK:turned[_0-9]*]] [1, 1]
// CHECK-LABEL: func.func private @turned(
// CHECK:           air.channel.put @[[IN]][%c0, %c0] (%{{.*}}[%c0, %c0] [%c8, %c4] [%c4, %c1]) : (memref<8x4xf32>)
// CHECK-NEXT:      air.channel.get @[[BACK]][%c0, %c0] (%{{.*}}[%c0, %c0, %c0] [%c2, %c4, %c4] [%c4, %c8, %c1]) : (memref<4x8xf32>)
// CHECK:           air.segment @turned_{{[0-9]}}
// CHECK:             scf.for %{{.*}} = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK:               %[[M:.*]] = memref.alloc() : memref<16xf32, 1>
// CHECK:               air.channel.get @[[IN]][%c0{{.*}}, %c0{{.*}}] (%[[M]][] [] [])
// CHECK:               air.channel.put @[[BACK]][%c0{{.*}}, %c0{{.*}}] (%[[M]][%c0{{.*}}, %c0{{.*}}] [%c4{{.*}}, %c4{{.*}}] [%c1{{.*}}, %c4{{.*}}])
func.func private @turned(%x: memref<8x4xf32>, %y: memref<4x8xf32>) attributes {allo.kernel, allo.plan = {family = "move",
    routes = [{operand = "0", turn = array<i64: 4, 1, 4, 4>, walks = [array<i64: 0, 0, 8, 4, 4, 1>, array<i64: 1, 0, 2, 4, 4, 8, 4, 1>]}]}} {
  linalg.transpose ins(%x : memref<8x4xf32>) outs(%y : memref<4x8xf32>) permutation = [1, 0]
  return
}

func.func @g(%x: memref<8x4xf32>, %y: memref<4x8xf32>) {
  call @turned(%x, %y) : (memref<8x4xf32>, memref<4x8xf32>) -> ()
  return
}
