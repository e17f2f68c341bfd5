// RUN: allo-opt %s | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | allo-opt --syntax=2026-03 | filecheck %s
// RUN: allo-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// Herds of March 2026; nothing lowers them.
// CHECK: %[[A:.*]] = aiex.herd [4][1]
// CHECK: %[[B:.*]] = aiex.herd [4][4]
// CHECK: aiex.place(%[[A]], %[[B]], 1, -1)
// CHECK: %[[I:.*]] = aiex.iter(0, 4, 1)
// CHECK: %[[S:.*]] = aiex.select(%[[A]], %[[I]], %[[I]])
// CHECK: aiex.route(<%[[S]], DMA : 0>, <%[[S]], Core : 1>)
// CHECK: aiex.getTile(%{{.*}}, %{{.*}})
// GENERIC: "aiex.herd"() <{height = 1 : i32, width = 4 : i32}> : () -> index
// GENERIC: "aiex.place"(%{{.*}}, %{{.*}}) <{distX = 1 : i32, distY = -1 : i32}> : (index, index) -> ()
// GENERIC: "aiex.iter"() <{end = 4 : i32, start = 0 : i32, stride = 1 : i32}> : () -> index
// GENERIC: "aiex.select"(%{{.*}}, %{{.*}}, %{{.*}}) : (index, index, index) -> index
// GENERIC: "aiex.route"(%{{.*}}, %{{.*}}) <{destBundle = 0 : i32, destChannel = 1 : i32, sourceBundle = 1 : i32, sourceChannel = 0 : i32}> : (index, index) -> ()
// GENERIC: "aiex.getTile"(%{{.*}}, %{{.*}}) : (index, index) -> index
module {
  %a = aiex.herd[4][1]
  %b = aiex.herd[4][4]
  aiex.place(%a, %b, 1, -1)
  %i = aiex.iter(0, 4, 1)
  %s = aiex.select(%a, %i, %i)
  aiex.route(<%s, DMA : 0>, <%s, Core : 1>)
  %c1 = arith.constant 1 : index
  %t = aiex.getTile(%c1, %c1)
}
