// RUN: allo-opt %s --air-label-channels-to-fuse | filecheck %s

// Three phases of the same cores get from three channels: the third shares the second. What a core puts counts by itself.

// CHECK-DAG: air.channel @a [1, 1]{{$}}
// CHECK-DAG: air.channel @b [1, 1] {allo.fuse_group = 0 : i64}
// CHECK-DAG: air.channel @c [1, 1] {allo.fuse_group = 0 : i64}
// CHECK-DAG: air.channel @out [1, 1]{{$}}
air.channel @a [1, 1]
air.channel @b [1, 1]
air.channel @c [1, 1]
air.channel @out [1, 1]

// Each core gets from one of three, chosen by its id: none has too many.

// CHECK-DAG: air.channel @x []{{$}}
// CHECK-DAG: air.channel @y []{{$}}
// CHECK-DAG: air.channel @z []{{$}}
air.channel @x []
air.channel @y []
air.channel @z []
func.func @phases() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) {
        %m = memref.alloc() : memref<64xi32, 2>
        air.channel.get @a[%i, %j] (%m[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) {
        %m = memref.alloc() : memref<64xi32, 2>
        air.channel.get @b[%i, %j] (%m[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
      air.herd @h tile (%i, %j) in (%p=%c1, %q=%c1) {
        %m = memref.alloc() : memref<64xi32, 2>
        air.channel.get @c[%i, %j] (%m[] [] []) : (memref<64xi32, 2>)
        air.channel.put @out[%i, %j] (%m[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  return
}

#at0 = affine_set<(x) : (x == 0)>
#at1 = affine_set<(x) : (x - 1 == 0)>
#at2 = affine_set<(x) : (x - 2 == 0)>
func.func @siblings() {
  air.launch () in () {
    air.segment @t {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      air.herd @g tile (%i, %j) in (%p=%c3, %q=%c1) {
        %m = memref.alloc() : memref<64xi32, 2>
        affine.if #at0(%i) {
          air.channel.get @x[] (%m[] [] []) : (memref<64xi32, 2>)
        }
        affine.if #at1(%i) {
          air.channel.get @y[] (%m[] [] []) : (memref<64xi32, 2>)
        }
        affine.if #at2(%i) {
          air.channel.get @z[] (%m[] [] []) : (memref<64xi32, 2>)
        }
        memref.dealloc %m : memref<64xi32, 2>
      }
    }
  }
  return
}
