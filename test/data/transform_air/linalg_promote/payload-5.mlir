// operations without a list of operand groups
func.func @core(%x: memref<6x20xf32>, %y: memref<20x6xf32>, %z: memref<6xf32>, %u: memref<20x6xf32>) {
  linalg.transpose ins(%x : memref<6x20xf32>) outs(%y : memref<20x6xf32>) permutation = [1, 0]
  linalg.reduce ins(%y : memref<20x6xf32>) outs(%z : memref<6xf32>) dimensions = [0]
    (%e: f32, %a: f32) {
      %s = arith.addf %e, %a : f32
      linalg.yield %s : f32
    }
  linalg.broadcast ins(%z : memref<6xf32>) outs(%y : memref<20x6xf32>) dimensions = [0]
  linalg.map { math.exp } ins(%y : memref<20x6xf32>) outs(%u : memref<20x6xf32>)
  return
}
