// one buffer for what two scripted promotions copy to the same view, and another where something is written in between
func.func @core(%x: memref<36x20xf32>, %y: memref<36x20xf32>, %z: memref<36x20xf32>, %i: index, %v: f32) {
  %xs = memref.subview %x[%i, 0] [6, 20] [1, 1] : memref<36x20xf32> to memref<6x20xf32, strided<[20, 1], offset: ?>>
  %ys = memref.subview %y[%i, 0] [6, 20] [1, 1] : memref<36x20xf32> to memref<6x20xf32, strided<[20, 1], offset: ?>>
  %zs = memref.subview %z[%i, 0] [6, 20] [1, 1] : memref<36x20xf32> to memref<6x20xf32, strided<[20, 1], offset: ?>>
  linalg.fill ins(%v : f32) outs(%xs : memref<6x20xf32, strided<[20, 1], offset: ?>>)
  linalg.fill ins(%v : f32) outs(%zs : memref<6x20xf32, strided<[20, 1], offset: ?>>)
  memref.store %v, %z[%i, %i] : memref<36x20xf32>
  linalg.add ins(%xs, %ys : memref<6x20xf32, strided<[20, 1], offset: ?>>, memref<6x20xf32, strided<[20, 1], offset: ?>>) outs(%xs : memref<6x20xf32, strided<[20, 1], offset: ?>>)
  linalg.add ins(%zs, %ys : memref<6x20xf32, strided<[20, 1], offset: ?>>, memref<6x20xf32, strided<[20, 1], offset: ?>>) outs(%zs : memref<6x20xf32, strided<[20, 1], offset: ?>>)
  return
}
