// Three cores side by side pass sums of 32 bf16 along the cascade from west to east; the input is broadcast, the last one writes.
module {
  aie.device(npu1_3col) {
    %s0 = aie.tile(0, 0)
    %s2 = aie.tile(2, 0)
    %t0 = aie.tile(0, 3)
    %t1 = aie.tile(1, 3)
    %t2 = aie.tile(2, 3)
    aie.configure_cascade(%t0, North, East)
    aie.configure_cascade(%t1, West, East)
    aie.configure_cascade(%t2, West, South)
    aie.objectfifo @x(%s0, {%t0, %t1, %t2}, [2, 2, 3, 2]) : !aie.objectfifo<memref<32xbf16>>
    aie.objectfifo @y(%t2, {%s2}, 2 : i32) : !aie.objectfifo<memref<32xbf16>>
    %core0 = aie.core(%t0) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      scf.for %i = %c0 to %c6 step %c1 {
        %s = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<32xbf16>>
        %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<32xbf16>> -> memref<32xbf16>
        %v = vector.load %e[%c0] : memref<32xbf16>, vector<32xbf16>
        aie.put_cascade(%v : vector<32xbf16>)
        aie.objectfifo.release @x(Consume, 1)
      }
      aie.end
    }
    %core1 = aie.core(%t1) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      scf.for %i = %c0 to %c6 step %c1 {
        %s = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<32xbf16>>
        %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<32xbf16>> -> memref<32xbf16>
        %v = vector.load %e[%c0] : memref<32xbf16>, vector<32xbf16>
        %p = aie.get_cascade() : vector<32xbf16>
        %q = arith.addf %p, %v : vector<32xbf16>
        aie.put_cascade(%q : vector<32xbf16>)
        aie.objectfifo.release @x(Consume, 1)
      }
      aie.end
    }
    %core2 = aie.core(%t2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      scf.for %i = %c0 to %c6 step %c1 {
        %s = aie.objectfifo.acquire @x(Consume, 1) : !aie.objectfifosubview<memref<32xbf16>>
        %e = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<32xbf16>> -> memref<32xbf16>
        %so = aie.objectfifo.acquire @y(Produce, 1) : !aie.objectfifosubview<memref<32xbf16>>
        %o = aie.objectfifo.subview.access %so[0] : !aie.objectfifosubview<memref<32xbf16>> -> memref<32xbf16>
        %v = vector.load %e[%c0] : memref<32xbf16>, vector<32xbf16>
        %p = aie.get_cascade() : vector<32xbf16>
        %q = arith.mulf %p, %v : vector<32xbf16>
        vector.store %q, %o[%c0] : memref<32xbf16>, vector<32xbf16>
        aie.objectfifo.release @x(Consume, 1)
        aie.objectfifo.release @y(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a : memref<192xbf16>, %b : memref<192xbf16>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 192][0, 0, 0, 1]) {id = 1 : i64, metadata = @y, issue_token = true} : memref<192xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 192][0, 0, 0, 1]) {id = 0 : i64, metadata = @x} : memref<192xbf16>
      aiex.npu.dma_wait {symbol = @y}
    }
  }
}
