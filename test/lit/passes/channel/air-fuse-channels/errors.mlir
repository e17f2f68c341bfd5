// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-fuse-channels

air.channel @in [2] {fuse_group = 0 : i64}
// expected-error@+1 {{shall be one with '@in', but its size is [1] and that one's is [2]}}
air.channel @bias [1] {fuse_group = 0 : i64}

// -----

air.channel @in [] {fuse_group = 0 : i64}
air.channel @bias [] {fuse_group = 0 : i64}
func.func @between(%a: memref<8xi32, 1>, %b: memref<2xi32, 1>) {
  // expected-error@+1 {{comes before a transfer of the channel that it shall share, and something in between waits for it}}
  %0 = air.channel.get async @bias[] (%b[] [] []) : (memref<2xi32, 1>)
  %1 = air.channel.get async [%0] @in[] (%a[] [] []) : (memref<8xi32, 1>)
  return
}

// -----

air.channel @in [] {fuse_group = 0 : i64}
air.channel @bias [] {fuse_group = 0 : i64}
func.func @synchronous(%a: memref<8xi32, 1>, %b: memref<2xi32, 1>) {
  // expected-error@+1 {{comes before a transfer of the channel that it shall share}}
  air.channel.get @bias[] (%b[] [] []) : (memref<2xi32, 1>)
  air.channel.get @in[] (%a[] [] []) : (memref<8xi32, 1>)
  return
}
