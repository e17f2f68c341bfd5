// RUN: allo-opt %s --split-input-file --air-check-deadlock --verify-diagnostics

// Both get first: no channel is deep enough.
air.channel @there []
air.channel @back []
func.func @cycle() {
  %c1 = arith.constant 1 : index
  %a = air.herd @a async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    // expected-error@+2 {{'air.channel.get' op deadlocks: get on @back[] of @a (0, 0) waits, over 4 steps, for itself; no channel is deep enough for it}}
    // expected-note@+1 {{waits for this to end: get on @back[] of @a (0, 0)}}
    air.channel.get @back[] (%l1[] [] []) : (memref<8xi32, 2>)
    // expected-note@+1 {{waits for this put to begin: put on @there[] of @a (0, 0)}}
    air.channel.put @there[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  %b = air.herd @b async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.channel.get @there[] (%l1[] [] []) : (memref<8xi32, 2>)
    // expected-note@+1 {{waits for this put to begin: put on @back[] of @b (0, 0)}}
    air.channel.put @back[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

// Two puts on a channel before the first get of it: one transfer fits, two do not.
air.channel @data []
air.channel @go []
func.func @deeper() {
  %c1 = arith.constant 1 : index
  %a = air.herd @a async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.channel.put @data[] (%l1[] [] []) : (memref<8xi32, 2>)
    // expected-error@+1 {{'air.channel.put' op deadlocks: put on @data[] of @a (0, 0) waits, over 4 steps, for itself; with room for more than 1 transfer in the channels it would end}}
    air.channel.put @data[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.put @go[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  %b = air.herd @b async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l1 = memref.alloc() : memref<8xi32, 2>
    air.channel.get @go[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.get @data[] (%l1[] [] []) : (memref<8xi32, 2>)
    air.channel.get @data[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

// A get for which nothing is ever put.
air.channel @c []
func.func @nothing() {
  %l2 = memref.alloc() : memref<8xi32, 1>
  // expected-error@+1 {{'air.channel.get' op never ends: get on @c[] of the function's body waits for a put that never comes}}
  air.channel.get @c[] (%l2[] [] []) : (memref<8xi32, 1>)
  return
}

// -----

// A token: the put waits for the get that it feeds.
air.channel @c []
func.func @token(%l3: memref<8xi32>) {
  %l2 = memref.alloc() : memref<8xi32, 1>
  // expected-error@+1 {{'air.channel.get' op deadlocks: get on @c[] of the function's body waits, over 2 steps, for itself}}
  %0 = air.channel.get async @c[] (%l2[] [] []) : (memref<8xi32, 1>)
  %1 = air.channel.put async [%0] @c[] (%l3[] [] []) : (memref<8xi32>)
  return
}
