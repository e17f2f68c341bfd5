// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-to-std=fewest-waits=true

func.func @grid(%n: index) {
  // expected-error@+1 {{'air.launch' op has a size that is not constant; a control program runs a fixed number of launches}}
  air.launch (%i) in (%s=%n) {
  }
  return
}

// -----

air.channel @c []
func.func @dynamic(%a: memref<?xi32>) {
  air.launch () in () args(%x=%a) : memref<?xi32> {
    // expected-error@+1 {{moves all of a memref<?xi32>, whose extent is not known; give offsets, sizes and strides}}
    air.channel.put @c[] (%x[] [] []) : (memref<?xi32>)
  }
  return
}

// -----

air.channel @c [2]
func.func @wrong_metadata(%a: memref<8xi32>) {
  air.launch () in () args(%x=%a) : memref<8xi32> {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{uses channel 1 of @c, and metadataArray has [0, 2]}}
    air.channel.put @c[%c1] (%x[] [] []) {metadataArray = [{base = "a", index = 0 : i32}, {base = "b", index = 2 : i32}]} : (memref<8xi32>)
  }
  return
}

// -----

air.channel @c [1, 1]
func.func @no_indices(%a: memref<8xi32>) {
  air.launch () in () args(%x=%a) : memref<8xi32> {
    // expected-error@+1 {{uses channel 0 of @c, and metadataArray has [1, 2]}}
    air.channel.put @c[] (%x[] [] []) {metadataArray = [{base = "a", index = 1 : i32}, {base = "b", index = 2 : i32}]} : (memref<8xi32>)
  }
  return
}

// -----

func.func private @takes(!air.async.token)
func.func @token(%m: memref<8xi32, 1>) {
  %t = air.execute {
    memref.dealloc %m : memref<8xi32, 1>
  }
  // expected-error@below {{takes or returns a token; run inline before air-to-std, which keeps no such calls}}
  func.call @takes(%t) : (!air.async.token) -> ()
  return
}

// -----

func.func @copy_of_two_cores(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @h tile (%i, %j) in (%m = %c2, %n = %c1) args(%x = %a) : memref<8xi32> {
    %b = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{is made by 2 cores, each over a shim channel of its own; run air-dma-to-channel before air-to-aie}}
    air.dma_memcpy_nd (%b[] [] [], %x[] [] []) {metadataArray = [{base = "airMemcpyId1_0", index = 0 : i32}, {base = "airMemcpyId1_1", index = 1 : i32}]} : (memref<8xi32, 2>, memref<8xi32>)
    memref.dealloc %b : memref<8xi32, 2>
  }
  return
}

// -----

func.func private @later(!air.async.token) -> !air.async.token

func.func @token_of_a_call(%t: !air.async.token) {
  // expected-error@below {{takes or returns a token; run inline before air-to-std, which keeps no such calls}}
  %1 = func.call @later(%t) : (!air.async.token) -> !air.async.token
  air.wait_all [%1]
  return
}
