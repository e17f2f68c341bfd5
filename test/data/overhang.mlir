func.func @mm(%a: memref<${M}x16xi32>, %b: memref<16x${N}xi32>, %c: memref<${ROWS}x${COLUMNS}xi32>) {
  %gm = arith.constant ${GRID_ROWS} : index
  %gn = arith.constant ${GRID_COLUMNS} : index
  air.launch (%i, %j) in (%m = %gm, %n = %gn) args(%A = %a, %B = %b, %C = %c) : memref<${M}x16xi32>, memref<16x${N}xi32>, memref<${ROWS}x${COLUMNS}xi32> attributes {air.actual_sizes = array<i64: ${M}, ${N}, 1>} {
    air.segment @s args(%si = %i, %sj = %j, %SA = %A, %SB = %B, %SC = %C) : index, index, memref<${M}x16xi32>, memref<16x${N}xi32>, memref<${ROWS}x${COLUMNS}xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %bm = arith.constant 32 : index
      %bn = arith.constant 32 : index
      %k = arith.constant 16 : index
      %nn = arith.constant ${N} : index
      %np = arith.constant ${COLUMNS} : index
      %om = arith.muli %si, %bm : index
      %on = arith.muli %sj, %bn : index
      %la = memref.alloc() : memref<32x16xi32, 1>
      %lb = memref.alloc() : memref<16x32xi32, 1>
      %lc = memref.alloc() : memref<32x32xi32, 1>
      air.dma_memcpy_nd (%la[] [] [], %SA[%om, %c0] [%bm, %k] [%k, %c1]) : (memref<32x16xi32, 1>, memref<${M}x16xi32>)
      air.dma_memcpy_nd (%lb[] [] [], %SB[%c0, %on] [%k, %bn] [%nn, %c1]) : (memref<16x32xi32, 1>, memref<16x${N}xi32>)
      air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c2) args(%ha = %la, %hb = %lb, %hc = %lc) : memref<32x16xi32, 1>, memref<16x32xi32, 1>, memref<32x32xi32, 1> {
        %z = arith.constant 0 : i32
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %tm = arith.constant 16 : index
        %tn = arith.constant 16 : index
        %dk = arith.constant 16 : index
        %dbn = arith.constant 32 : index
        %ox = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%x]
        %oy = affine.apply affine_map<()[s0] -> (s0 * 16)>()[%y]
        %a1 = memref.alloc() : memref<16x16xi32, 2>
        %b1 = memref.alloc() : memref<16x16xi32, 2>
        %c1_ = memref.alloc() : memref<16x16xi32, 2>
        air.dma_memcpy_nd (%a1[] [] [], %ha[%ox, %d0] [%tm, %dk] [%dk, %d1]) : (memref<16x16xi32, 2>, memref<32x16xi32, 1>)
        air.dma_memcpy_nd (%b1[] [] [], %hb[%d0, %oy] [%dk, %tn] [%dbn, %d1]) : (memref<16x16xi32, 2>, memref<16x32xi32, 1>)
        linalg.fill ins(%z : i32) outs(%c1_ : memref<16x16xi32, 2>)
        linalg.matmul ins(%a1, %b1 : memref<16x16xi32, 2>, memref<16x16xi32, 2>) outs(%c1_ : memref<16x16xi32, 2>)
        air.dma_memcpy_nd (%hc[%ox, %oy] [%tm, %tn] [%dbn, %d1], %c1_[] [] []) : (memref<32x32xi32, 1>, memref<16x16xi32, 2>)
        memref.dealloc %a1 : memref<16x16xi32, 2>
        memref.dealloc %b1 : memref<16x16xi32, 2>
        memref.dealloc %c1_ : memref<16x16xi32, 2>
      }
      air.dma_memcpy_nd (%SC[%om, %on] [%bm, %bn] [%np, %c1], %lc[] [] []) : (memref<${ROWS}x${COLUMNS}xi32>, memref<32x32xi32, 1>)
      memref.dealloc %la : memref<32x16xi32, 1>
      memref.dealloc %lb : memref<16x32xi32, 1>
      memref.dealloc %lc : memref<32x32xi32, 1>
    }
  }
  return
}
