// Two channels fill two buffers each, all double-buffered: more locks than a core has, if each buffer had its own.
air.channel @a []
air.channel @b []
air.channel @c []
func.func @f(%x: memref<384xi32>, %y: memref<384xi32>, %z: memref<64xi32>) {
  air.launch () in () args(%u=%x, %v=%y, %w=%z) : memref<384xi32>, memref<384xi32>, memref<64xi32> {
    air.channel.put @a[] (%u[] [] []) : (memref<384xi32>)
    air.channel.put @b[] (%v[] [] []) : (memref<384xi32>)
    air.channel.get @c[] (%w[] [] []) : (memref<64xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) {
        %c0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %zero = arith.constant 0 : i32
        %out = memref.alloc() : memref<64xi32, 2>
        linalg.fill ins(%zero : i32) outs(%out : memref<64xi32, 2>)
        scf.for %k = %c0 to %c4 step %k1 {
          %a0 = memref.alloc() : memref<64xi32, 2>
          %a1 = memref.alloc() : memref<32xi32, 2>
          %b0 = memref.alloc() : memref<64xi32, 2>
          %b1 = memref.alloc() : memref<32xi32, 2>
          air.channel.get @a[] (%a0[] [] []) : (memref<64xi32, 2>)
          air.channel.get @a[] (%a1[] [] []) : (memref<32xi32, 2>)
          air.channel.get @b[] (%b0[] [] []) : (memref<64xi32, 2>)
          air.channel.get @b[] (%b1[] [] []) : (memref<32xi32, 2>)
          linalg.add ins(%a0, %b0 : memref<64xi32, 2>, memref<64xi32, 2>) outs(%out : memref<64xi32, 2>)
          linalg.add ins(%a1, %b1 : memref<32xi32, 2>, memref<32xi32, 2>) outs(%a1 : memref<32xi32, 2>)
          memref.dealloc %a0 : memref<64xi32, 2>
          memref.dealloc %a1 : memref<32xi32, 2>
          memref.dealloc %b0 : memref<64xi32, 2>
          memref.dealloc %b1 : memref<32xi32, 2>
        }
        air.channel.put @c[] (%out[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %out : memref<64xi32, 2>
      }
    }
  }
  return
}
