// Matmul of bf16: memtiles pack 4x8x4 micro-tiles and unpack the result, the core runs vector.contract.
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  aie.device(npu1_1col) {
    %shim = aie.tile(0, 0)
    %mt = aie.tile(0, 1)
    %t = aie.tile(0, 2)
    aie.objectfifo @inA(%shim, {%mt}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo @memA(%mt dimensionsToStream [<size = 4, stride = 64>, <size = 2, stride = 8>, <size = 4, stride = 16>, <size = 8, stride = 1>], {%t}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo.link [@inA] -> [@memA]([] [])
    aie.objectfifo @inB(%shim, {%mt}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo @memB(%mt dimensionsToStream [<size = 2, stride = 128>, <size = 4, stride = 4>, <size = 8, stride = 16>, <size = 4, stride = 1>], {%t}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo.link [@inB] -> [@memB]([] [])
    aie.objectfifo @memC(%t, {%mt}, 2 : i32) : !aie.objectfifo<memref<4x4x4x4xf32>>
    aie.objectfifo @outC(%mt dimensionsToStream [<size = 4, stride = 64>, <size = 4, stride = 4>, <size = 4, stride = 16>, <size = 4, stride = 1>], {%shim}, 2 : i32) : !aie.objectfifo<memref<4x4x4x4xf32>>
    aie.objectfifo.link [@memC] -> [@outC]([] [])
    func.func private @mm(%A : memref<16x16xbf16>, %B : memref<16x16xbf16>, %C : memref<4x4x4x4xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %zb = arith.constant 0.0 : bf16
      %zf = arith.constant 0.0 : f32
      %A1 = memref.reinterpret_cast %A to offset: [0], sizes: [4, 2, 4, 8], strides: [64, 32, 8, 1] : memref<16x16xbf16> to memref<4x2x4x8xbf16>
      %B1 = memref.reinterpret_cast %B to offset: [0], sizes: [2, 4, 8, 4], strides: [128, 32, 4, 1] : memref<16x16xbf16> to memref<2x4x8x4xbf16>
      scf.for %i = %c0 to %c4 step %c1 {
        scf.for %j = %c0 to %c4 step %c1 {
          %acc = vector.transfer_read %C[%i, %j, %c0, %c0], %zf {in_bounds = [true, true]} : memref<4x4x4x4xf32>, vector<4x4xf32>
          %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%x = %acc) -> (vector<4x4xf32>) {
            %a = vector.transfer_read %A1[%i, %k, %c0, %c0], %zb {in_bounds = [true, true]} : memref<4x2x4x8xbf16>, vector<4x8xbf16>
            %b = vector.transfer_read %B1[%k, %j, %c0, %c0], %zb {in_bounds = [true, true]} : memref<2x4x8x4xbf16>, vector<8x4xbf16>
            %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %x : vector<4x8xbf16>, vector<8x4xbf16> into vector<4x4xf32>
            scf.yield %n : vector<4x4xf32>
          }
          vector.transfer_write %r, %C[%i, %j, %c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4x4x4xf32>
        }
      }
      func.return
    }
    %core = aie.core(%t) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %cmax = arith.constant 4294967295 : index
      %zero = arith.constant dense<0.0> : vector<4x4x4x4xf32>
      scf.for %forever = %c0 to %cmax step %c1 {
        %sc = aie.objectfifo.acquire @memC(Produce, 1) : !aie.objectfifosubview<memref<4x4x4x4xf32>>
        %C = aie.objectfifo.subview.access %sc[0] : !aie.objectfifosubview<memref<4x4x4x4xf32>> -> memref<4x4x4x4xf32>
        vector.store %zero, %C[%c0, %c0, %c0, %c0] : memref<4x4x4x4xf32>, vector<4x4x4x4xf32>
        scf.for %k = %c0 to %c2 step %c1 {
          %sa = aie.objectfifo.acquire @memA(Consume, 1) : !aie.objectfifosubview<memref<16x16xbf16>>
          %A = aie.objectfifo.subview.access %sa[0] : !aie.objectfifosubview<memref<16x16xbf16>> -> memref<16x16xbf16>
          %sb = aie.objectfifo.acquire @memB(Consume, 1) : !aie.objectfifosubview<memref<16x16xbf16>>
          %B = aie.objectfifo.subview.access %sb[0] : !aie.objectfifosubview<memref<16x16xbf16>> -> memref<16x16xbf16>
          func.call @mm(%A, %B, %C) : (memref<16x16xbf16>, memref<16x16xbf16>, memref<4x4x4x4xf32>) -> ()
          aie.objectfifo.release @memA(Consume, 1)
          aie.objectfifo.release @memB(Consume, 1)
        }
        aie.objectfifo.release @memC(Produce, 1)
      }
      aie.end
    } {stack_size = 0xD00 : i32}
    aie.runtime_sequence(%A : memref<32x32xbf16>, %B : memref<32x32xbf16>, %C : memref<32x32xf32>) {
      aiex.npu.dma_memcpy_nd(%C[0, 0, 0, 0][2, 2, 16, 16][512, 16, 32, 1]) {id = 0 : i64, metadata = @outC, issue_token = true} : memref<32x32xf32>
      aiex.npu.dma_memcpy_nd(%A[0, 0, 0, 0][2, 2, 16, 16][0, 16, 32, 1]) {id = 1 : i64, metadata = @inA} : memref<32x32xbf16>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 0][2, 2, 16, 16][16, 512, 32, 1]) {id = 2 : i64, metadata = @inB} : memref<32x32xbf16>
      aiex.npu.dma_memcpy_nd(%A[0, 0, 16, 0][2, 2, 16, 16][0, 16, 32, 1]) {id = 3 : i64, metadata = @inA} : memref<32x32xbf16>
      aiex.npu.dma_memcpy_nd(%B[0, 0, 0, 0][2, 2, 16, 16][16, 512, 32, 1]) {id = 4 : i64, metadata = @inB} : memref<32x32xbf16>
      aiex.npu.dma_wait {symbol = @outC}
    }
  }
}
