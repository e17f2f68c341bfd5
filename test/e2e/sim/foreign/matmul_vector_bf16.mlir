// C (32x16, f32) = A (32x32) B (32x16) in bf16, B whole, A and C by blocks of 8 rows; vector.contract of 4x8x4 tiles in blocked layouts made by the DMAs.
#mapA = affine_map<(m, n, k) -> (m, k)>
#mapB = affine_map<(m, n, k) -> (k, n)>
#mapC = affine_map<(m, n, k) -> (m, n)>
module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t01 = aie.tile(0, 1)
    %t02 = aie.tile(0, 2)
    aie.objectfifo @shimA(%t00, {%t01}, 2 : i32) : !aie.objectfifo<memref<8x32xbf16>>
    aie.objectfifo @A(%t01 dimensionsToStream [<size = 2, stride = 128>, <size = 4, stride = 8>, <size = 4, stride = 32>, <size = 8, stride = 1>], {%t02}, 2 : i32) : !aie.objectfifo<memref<8x32xbf16>>
    aie.objectfifo.link [@shimA] -> [@A]([] [])
    aie.objectfifo @B(%t00, {%t02}, 1 : i32) : !aie.objectfifo<memref<4x4x8x4xbf16>>
    aie.objectfifo @C(%t02, {%t00}, 2 : i32) : !aie.objectfifo<memref<2x4x4x4xf32>>
    %core = aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant dense<0.0> : vector<4x4xf32>
      %pad = arith.constant 0.0 : bf16
      %max = arith.constant 0x7FFFFFFF : index
      scf.for %forever = %c0 to %max step %c1 {
        %sb = aie.objectfifo.acquire @B(Consume, 1) : !aie.objectfifosubview<memref<4x4x8x4xbf16>>
        %b = aie.objectfifo.subview.access %sb[0] : !aie.objectfifosubview<memref<4x4x8x4xbf16>> -> memref<4x4x8x4xbf16>
        scf.for %block = %c0 to %c4 step %c1 {
          %sa = aie.objectfifo.acquire @A(Consume, 1) : !aie.objectfifosubview<memref<8x32xbf16>>
          %a2 = aie.objectfifo.subview.access %sa[0] : !aie.objectfifosubview<memref<8x32xbf16>> -> memref<8x32xbf16>
          %a = memref.reinterpret_cast %a2 to offset: [0], sizes: [2, 4, 4, 8], strides: [128, 32, 8, 1] : memref<8x32xbf16> to memref<2x4x4x8xbf16>
          %sc = aie.objectfifo.acquire @C(Produce, 1) : !aie.objectfifosubview<memref<2x4x4x4xf32>>
          %c = aie.objectfifo.subview.access %sc[0] : !aie.objectfifosubview<memref<2x4x4x4xf32>> -> memref<2x4x4x4xf32>
          scf.for %i = %c0 to %c2 step %c1 {
            scf.for %j = %c0 to %c4 step %c1 {
              %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (vector<4x4xf32>) {
                %x = vector.transfer_read %a[%i, %k, %c0, %c0], %pad {in_bounds = [true, true]} : memref<2x4x4x8xbf16>, vector<4x8xbf16>
                %y = vector.transfer_read %b[%k, %j, %c0, %c0], %pad {in_bounds = [true, true]} : memref<4x4x8x4xbf16>, vector<8x4xbf16>
                %xf = arith.extf %x : vector<4x8xbf16> to vector<4x8xf32>
                %yf = arith.extf %y : vector<8x4xbf16> to vector<8x4xf32>
                %r = vector.contract {indexing_maps = [#mapA, #mapB, #mapC], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xf, %yf, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
                scf.yield %r : vector<4x4xf32>
              }
              vector.transfer_write %sum, %c[%i, %j, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<2x4x4x4xf32>
            }
          }
          aie.objectfifo.release @A(Consume, 1)
          aie.objectfifo.release @C(Produce, 1)
        }
        aie.objectfifo.release @B(Consume, 1)
      }
      aie.end
    }
    // A comes by rows; the memtile cuts it into blocks: row block, column block, row, column. B is blocked by the shim's BD, C is unblocked by it.
    aie.runtime_sequence(%A : memref<32x32xbf16>, %B : memref<32x16xbf16>, %C : memref<32x16xf32>) {
      aiex.npu.dma_memcpy_nd(%A[0, 0, 0, 0][4, 8, 4, 8][256, 32, 8, 1]) {id = 0 : i64, metadata = @shimA} : memref<32x32xbf16>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 0][4, 4, 8, 4][128, 4, 16, 1]) {id = 1 : i64, metadata = @B} : memref<32x16xbf16>
      aiex.npu.dma_memcpy_nd(%C[0, 0, 0, 0][8, 4, 4, 4][64, 4, 16, 1]) {id = 2 : i64, metadata = @C, issue_token = true} : memref<32x16xf32>
      aiex.npu.dma_wait {symbol = @C}
    }
  }
}
