// Softmax of rows of 64 in bf16 with the math dialect, f32 inside; a maximum and a sum by vector.reduction.
module {
  aie.device(npu2_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    aie.objectfifo @in(%t00, {%t02}, 2 : i32) : !aie.objectfifo<memref<64xbf16>>
    aie.objectfifo @out(%t02, {%t00}, 2 : i32) : !aie.objectfifo<memref<64xbf16>>
    func.func private @row(%x: memref<64xbf16>, %y: memref<64xbf16>) {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %pad = arith.constant 0.0 : bf16
      %lowest = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0.0 : f32
      %m = scf.for %i = %c0 to %c64 step %c16 iter_args(%best = %lowest) -> (f32) {
        %v = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<64xbf16>, vector<16xbf16>
        %w = arith.extf %v : vector<16xbf16> to vector<16xf32>
        %r = vector.reduction <maximumf>, %w, %best : vector<16xf32> into f32
        scf.yield %r : f32
      }
      %mv = vector.broadcast %m : f32 to vector<16xf32>
      %s = scf.for %i = %c0 to %c64 step %c16 iter_args(%sum = %zero) -> (f32) {
        %v = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<64xbf16>, vector<16xbf16>
        %w = arith.extf %v : vector<16xbf16> to vector<16xf32>
        %d = arith.subf %w, %mv : vector<16xf32>
        %e = math.exp %d : vector<16xf32>
        %t = arith.truncf %e : vector<16xf32> to vector<16xbf16>
        vector.transfer_write %t, %y[%i] {in_bounds = [true]} : vector<16xbf16>, memref<64xbf16>
        %r = vector.reduction <add>, %e, %sum : vector<16xf32> into f32
        scf.yield %r : f32
      }
      %sv = vector.broadcast %s : f32 to vector<16xf32>
      scf.for %i = %c0 to %c64 step %c16 {
        %v = vector.transfer_read %y[%i], %pad {in_bounds = [true]} : memref<64xbf16>, vector<16xbf16>
        %w = arith.extf %v : vector<16xbf16> to vector<16xf32>
        %d = arith.divf %w, %sv : vector<16xf32>
        %t = arith.truncf %d : vector<16xf32> to vector<16xbf16>
        vector.transfer_write %t, %y[%i] {in_bounds = [true]} : vector<16xbf16>, memref<64xbf16>
      }
      return
    }
    aie.core(%t02) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 9223372036854775807 : index
      scf.for %i = %c0 to %n step %c1 {
        %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<64xbf16>>
        %x = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<64xbf16>> -> memref<64xbf16>
        %1 = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<64xbf16>>
        %y = aie.objectfifo.subview.access %1[0] : !aie.objectfifosubview<memref<64xbf16>> -> memref<64xbf16>
        func.call @row(%x, %y) : (memref<64xbf16>, memref<64xbf16>) -> ()
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a : memref<8x64xbf16>, %b : memref<8x64xbf16>) {
      %in = aiex.dma_configure_task_for @in {
        aie.dma_bd(%a : memref<8x64xbf16>, 0, 512, [<size = 8, stride = 64>, <size = 64, stride = 1>])
        aie.end
      }
      %out = aiex.dma_configure_task_for @out {
        aie.dma_bd(%b : memref<8x64xbf16>, 0, 512)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%in)
      aiex.dma_start_task(%out)
      aiex.dma_await_task(%out)
      aiex.dma_free_task(%in)
    }
  }
}
