// Each core gets from one of three channels, chosen by its id in three ifs side by side: one channel a core.
#at0 = affine_set<(x) : (x == 0)>
#at1 = affine_set<(x) : (x - 1 == 0)>
#at2 = affine_set<(x) : (x - 2 == 0)>
air.channel @a []
air.channel @b []
air.channel @c []
func.func @f(%p: memref<64xi32>, %q: memref<64xi32>, %r: memref<64xi32>) {
  air.launch () in () args(%u=%p, %v=%q, %w=%r) : memref<64xi32>, memref<64xi32>, memref<64xi32> {
    air.channel.put @a[] (%u[] [] []) : (memref<64xi32>)
    air.channel.put @b[] (%v[] [] []) : (memref<64xi32>)
    air.channel.put @c[] (%w[] [] []) : (memref<64xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      air.herd @h tile (%x, %y) in (%sx=%c3, %sy=%c1) {
        %m = memref.alloc() : memref<64xi32, 2>
        affine.if #at0(%x) {
          air.channel.get @a[] (%m[] [] []) : (memref<64xi32, 2>)
        }
        affine.if #at1(%x) {
          air.channel.get @b[] (%m[] [] []) : (memref<64xi32, 2>)
        }
        affine.if #at2(%x) {
          air.channel.get @c[] (%m[] [] []) : (memref<64xi32, 2>)
        }
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  return
}
