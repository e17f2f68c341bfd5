// RUN: allo-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(air-wrap-func-with-parallel{loop-bounds=8,2,1}))' | filecheck %s
// RUN: allo-opt %s --allow-unregistered-dialect --air-wrap-func-with-parallel="loop-bounds=8,2,1 actual-sizes=500,100,1" | filecheck %s --check-prefix=SIZES
// RUN: allo-opt %s --allow-unregistered-dialect --air-wrap-func-with-parallel=loop-bounds=8,2,1 --air-par-to-launch=has-air-segment=true | filecheck %s --check-prefix=LAUNCH

// Offsets become index arithmetic on the induction variables, step by step, with casts between; what is unused goes.

// CHECK-LABEL: func.func @kernel(%arg0: memref<*xf32>, %arg1: memref<*xf32>, %arg2: i32
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]], %{{.*}}) = (%c0{{.*}}, %c0{{.*}}, %c0{{.*}}) to (%c8{{.*}}, %c2{{.*}}, %c1{{.*}})
// CHECK:           %[[X:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK:           %[[CAST:.*]] = arith.index_cast %[[J]] : index to i32
// CHECK:           %[[XI:.*]] = arith.index_cast %[[X]] : i32 to index
// CHECK:           %[[M:.*]] = arith.muli %[[XI]], %c64{{.*}} : index
// CHECK:           %[[MC:.*]] = arith.index_cast %[[M]] : index to i32
// CHECK:           %[[MI:.*]] = arith.index_cast %[[MC]] : i32 to index
// CHECK:           %[[S:.*]] = arith.addi %[[MI]], %c3{{.*}} : index
// CHECK:           %[[SC:.*]] = arith.index_cast %[[S]] : index to i32
// CHECK:           %[[SI:.*]] = arith.index_cast %[[SC]] : i32 to index
// CHECK:           %[[V:.*]] = memref.reinterpret_cast %arg0 to offset: [%[[SI]]]
// CHECK:           memref.load %[[V]]
// CHECK:           "other"(%[[CAST]]) : (i32) -> ()
// CHECK:         return
// SIZES:         air.actual_sizes = array<i64: 500, 100, 1>
// LAUNCH:        air.launch (%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}}=%c8{{.*}}, %{{.*}}=%c2{{.*}}, %{{.*}}=%c1{{.*}})
// LAUNCH:          air.segment @kernel_0
func.func @kernel(%a: memref<*xf32>, %b: memref<*xf32>, %nx: i32, %ny: i32, %nz: i32, %x: i32, %y: i32, %z: i32) {
  %c64 = arith.constant 64 : i32
  %c3 = arith.constant 3 : i32
  %0 = arith.muli %x, %c64 : i32
  %1 = arith.addi %0, %c3 : i32
  %2 = arith.index_cast %1 : i32 to index
  %v = memref.reinterpret_cast %a to offset: [%2], sizes: [64], strides: [1] : memref<*xf32> to memref<64xf32, strided<[1], offset: ?>>
  %zero = arith.constant 0 : index
  %first = memref.load %v[%zero] : memref<64xf32, strided<[1], offset: ?>>
  "first"(%first) : (f32) -> ()
  "other"(%y) : (i32) -> ()
  return
}

// A kernel that looks at no id still runs once for each program.

// CHECK-LABEL: func.func @noid
// CHECK:         scf.parallel
// CHECK:           "use"(%arg1)
func.func @noid(%a: memref<8xf32>, %nx: i32, %ny: i32, %nz: i32, %x: i32, %y: i32, %z: i32) {
  "use"(%nx) : (i32) -> ()
  return
}

// CHECK-LABEL: func.func private @declared(memref<8xf32>)
func.func private @declared(memref<8xf32>)
