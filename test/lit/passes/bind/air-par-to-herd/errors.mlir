// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-par-to-herd

func.func @dynamic(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'scf.parallel' op cannot become air.herd: the upper bound of dimension 1 is not a constant, and the grid has a constant size; tile the loop with constant sizes}}
  scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %n) step (%c1, %c1) {
  }
  return
}

// -----

func.func @dynamic_affine(%n: index) {
  // expected-error@+1 {{'affine.parallel' op cannot become air.herd: the lower bound of dimension 0 is not a constant}}
  affine.parallel (%i) = (max(0, %n)) to (8) {
  }
  return
}

// -----

func.func @dynamic_step(%n: index) {
  // expected-error@+1 {{'scf.forall' op cannot become air.herd: the step of dimension 0 is not a constant}}
  scf.forall (%i) = (0) to (8) step (%n) {
  }
  return
}

// -----

func.func @uneven() {
  // expected-error@+1 {{'scf.forall' op cannot become air.herd: step 4 does not divide the range 1 to 10 of dimension 0; pad the range to a multiple of the step, or peel the last iteration}}
  scf.forall (%i) = (1) to (10) step (4) {
  }
  return
}

// -----

func.func @tensors(%t: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'scf.forall' op cannot become air.herd: it has shared_outs on tensors, and hierarchies return no values; bufferize first (one-shot-bufferize)}}
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %o[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

func.func @affine_reduction(%f: f32) -> f32 {
  // expected-error@+1 {{'affine.parallel' op cannot become air.herd: it has reductions, and hierarchies return no values; write each iteration's value to a memref}}
  %r = affine.parallel (%i) = (0) to (8) reduce ("addf") -> (f32) {
    affine.yield %f : f32
  }
  return %r : f32
}

// -----

func.func @scalar(%f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'scf.parallel' op cannot become air.herd: it reduces f32, and a cascade combines memrefs of static shape in memory space 2 (L1); reduce a memref there, of one element for a scalar}}
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%f) -> f32 {
    scf.reduce (%f : f32) {
    ^bb0(%l: f32, %m: f32):
      scf.reduce.return %l : f32
    }
  }
  return %r : f32
}

// -----

func.func @plane(%p: memref<8xf32, 2>, %init: memref<8xf32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{'scf.parallel' op cannot become air.herd: it reduces over more than one dimension, and a cascade is a line of cores; reduce over one dimension at a time}}
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) init (%init) -> memref<8xf32, 2> {
    scf.reduce (%p : memref<8xf32, 2>) {
    ^bb0(%l: memref<8xf32, 2>, %m: memref<8xf32, 2>):
      scf.reduce.return %l : memref<8xf32, 2>
    }
  }
  return
}

// -----

func.func @start_used(%p: memref<8xf32, 2>, %init: memref<8xf32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{'scf.parallel' op cannot become air.herd: the memref that its reduction starts from is used after it}}
  %r = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%init) -> memref<8xf32, 2> {
    scf.reduce (%p : memref<8xf32, 2>) {
    ^bb0(%l: memref<8xf32, 2>, %m: memref<8xf32, 2>):
      scf.reduce.return %m : memref<8xf32, 2>
    }
  }
  memref.copy %init, %p : memref<8xf32, 2> to memref<8xf32, 2>
  return
}

// -----

func.func private @f() attributes {link_with = "f.o"}
func.func private @g() attributes {link_with = "g.o"}
func.func @objects() {
  // expected-error@+1 {{'scf.forall' op cannot become air.herd: it calls functions from f.o, g.o, and a herd links with one object file; put the functions into one file (ld -r)}}
  scf.forall (%i) in (2) {
    func.call @f() : () -> ()
    func.call @g() : () -> ()
  }
  return
}

// -----

func.func @staged(%a: memref<8xi32>) {
  // expected-error@+1 {{'scf.forall' op cannot become air.herd: it allocates memref<8xi32, 1>, which is not in L1 (memory space 2); select a loop inside it with 'depth', or allocate outside of it}}
  scf.forall (%i) in (2) {
    %m = memref.alloc() : memref<8xi32, 1>
    memref.copy %a, %m : memref<8xi32> to memref<8xi32, 1>
  }
  return
}
