// RUN: allo-opt %s --air-label-channels-to-fuse | filecheck %s
// RUN: sed 's/y_loc = 2/y_loc = 5/' %s | allo-opt - --air-label-channels-to-fuse | filecheck %s --check-prefix=FAR

// A core gets from three channels: the one from the core below it can be memory that both reach, so the others stay apart. From a
// core two rows away it cannot.

// CHECK: air.channel @a []{{$}}
// CHECK: air.channel @b []{{$}}
// FAR: air.channel @a [] {allo.fuse_group = 0 : i64}
// FAR: air.channel @b [] {allo.fuse_group = 0 : i64}
air.channel @a []
air.channel @b []
air.channel @pipe [1, 1]
func.func @neighbours() {
  air.segment @seg {
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<4xi32, 1>
    %y = memref.alloc() : memref<4xi32, 1>
    air.channel.put @a[] (%x[] [] []) : (memref<4xi32, 1>)
    air.channel.put @b[] (%y[] [] []) : (memref<4xi32, 1>)
    air.herd @below tile (%i, %j) in (%si=%c1, %sj=%c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      %l = memref.alloc() : memref<4xi32, 2>
      air.channel.put @pipe[] (%l[] [] []) : (memref<4xi32, 2>)
    }
    air.herd @above tile (%i, %j) in (%si=%c1, %sj=%c1) attributes {x_loc = 0 : i64, y_loc = 3 : i64} {
      %l = memref.alloc() : memref<4xi32, 2>
      %m = memref.alloc() : memref<4xi32, 2>
      %n = memref.alloc() : memref<4xi32, 2>
      air.channel.get @a[] (%l[] [] []) : (memref<4xi32, 2>)
      air.channel.get @b[] (%m[] [] []) : (memref<4xi32, 2>)
      air.channel.get @pipe[] (%n[] [] []) : (memref<4xi32, 2>)
    }
  }
  return
}
