// The kernels of cascade_chain.mlir, with a helper and a table of their own; sizes are left open, as in a library.
memref.global "private" constant @weights : memref<16xi32> = dense<[2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3]>

func.func private @weighted(%a: memref<?xi32>, %at: index) -> vector<16xi32> {
  %c0 = arith.constant 0 : index
  %w = memref.get_global @weights : memref<16xi32>
  %x = vector.load %a[%at] : memref<?xi32>, vector<16xi32>
  %y = vector.load %w[%c0] : memref<16xi32>, vector<16xi32>
  %z = arith.muli %x, %y : vector<16xi32>
  return %z : vector<16xi32>
}

func.func @first(%a: memref<?xi32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %stop = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %stop step %c16 {
    %x = func.call @weighted(%a, %i) : (memref<?xi32>, index) -> vector<16xi32>
    aie.put_cascade(%x : vector<16xi32>)
  }
  return
}

func.func @middle(%a: memref<?xi32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %stop = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %stop step %c16 {
    %x = func.call @weighted(%a, %i) : (memref<?xi32>, index) -> vector<16xi32>
    %y = aie.get_cascade() : vector<16xi32>
    %z = arith.addi %x, %y : vector<16xi32>
    aie.put_cascade(%z : vector<16xi32>)
  }
  return
}

func.func @last(%a: memref<?xi32>, %b: memref<?xi32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %stop = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %stop step %c16 {
    %x = func.call @weighted(%a, %i) : (memref<?xi32>, index) -> vector<16xi32>
    %y = aie.get_cascade() : vector<16xi32>
    %z = arith.subi %y, %x : vector<16xi32>
    vector.store %z, %b[%i] : memref<?xi32>, vector<16xi32>
  }
  return
}
