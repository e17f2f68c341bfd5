// Rows are taken in one branch and given back in another under the same condition, in a loop that ends at run time, and by twos or
// threes in the cases of a switch; the loop inside comes from affine.
module {
  aie.device(npu2_1col) {
    %shim = aie.tile(0, 0)
    %core = aie.tile(0, 3)
    aie.objectfifo @of_in(%shim, {%core}, [2, 4]) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @of_out(%core, {%shim}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    %held = aie.buffer(%core) {sym_name = "held"} : memref<4xi32>
    aie.core(%core) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0 : i32
      scf.while : () -> () {
        %s = aie.objectfifo.acquire @of_in(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
        %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %kind = memref.load %e[%c0] : memref<4xi32>
        memref.store %kind, %held[%c0] : memref<4xi32>
        %go = arith.cmpi sge, %kind, %zero : i32
        scf.condition(%go)
      } do {
        %kind = memref.load %held[%c0] : memref<4xi32>
        %case = arith.index_cast %kind : i32 to index
        %so = aie.objectfifo.acquire @of_out(Produce, 1) : !aie.objectfifosubview<memref<4xi32>>
        %o = aie.objectfifo.subview.access %so[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        scf.index_switch %case
        case 2 {
          %s = aie.objectfifo.acquire @of_in(Consume, 2) : !aie.objectfifosubview<memref<4xi32>>
          %x = aie.objectfifo.subview.access %s[1] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
          affine.for %i = 0 to 4 {
            %v = affine.load %x[%i] : memref<4xi32>
            affine.store %v, %o[%i] : memref<4xi32>
          }
          scf.yield
        }
        case 3 {
          %s = aie.objectfifo.acquire @of_in(Consume, 3) : !aie.objectfifosubview<memref<4xi32>>
          %x = aie.objectfifo.subview.access %s[2] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
          affine.for %i = 0 to 4 {
            %v = affine.load %x[%i] : memref<4xi32>
            affine.store %v, %o[%i] : memref<4xi32>
          }
          scf.yield
        }
        default {
          affine.for %i = 0 to 4 {
            affine.store %zero, %o[%i] : memref<4xi32>
          }
        }
        aie.objectfifo.release @of_out(Produce, 1)
        %many = arith.cmpi uge, %case, %c2 : index
        scf.if %many {
          aie.objectfifo.release @of_in(Consume, 2)
        }
        %three = arith.cmpi eq, %kind, %zero : i32
        scf.if %three {
          aie.objectfifo.release @of_in(Consume, 1)
        }
        scf.yield
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<48xi32>, %b: memref<28xi32>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 28][0, 0, 0, 1]) {id = 0 : i64, metadata = @of_out, issue_token = true} : memref<28xi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 48][0, 0, 0, 1]) {id = 1 : i64, metadata = @of_in} : memref<48xi32>
      aiex.npu.dma_wait {symbol = @of_out}
    }
  }
}
