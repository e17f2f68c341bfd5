// RUN: allo-opt %s --split-input-file --block-floats-to-bytes --verify-diagnostics

air.channel @c []
func.func @apart(%a: memref<64x16x!aiex.bfp<"v8bfp16ebs8">>) {
  air.launch () in () args(%b = %a) : memref<64x16x!aiex.bfp<"v8bfp16ebs8">> {
    // expected-error@below {{moves blocks of 9 bytes only side by side: its innermost stride is 16, expected 1}}
    air.channel.put @c[] (%b[0, 0] [4, 8] [1, 16]) : (memref<64x16x!aiex.bfp<"v8bfp16ebs8">>)
  }
  return
}

// -----

func.func @contents(%a: memref<4x!aiex.bfp<"v16bfp16ebs16">>) {
  %c0 = arith.constant 0 : index
  // expected-error@below {{uses elements that are blocks of floats; only transfers and functions in C++ take blocks}}
  %b = memref.load %a[%c0] : memref<4x!aiex.bfp<"v16bfp16ebs16">>
  return
}

// -----

func.func @view(%a: memref<8x!aiex.bfp<"v8bfp16ebs8">>, %i: index) {
  // expected-error@below {{views blocks of floats: its innermost offset and size must be constant, its innermost stride 1}}
  %v = memref.subview %a[%i] [4] [1] : memref<8x!aiex.bfp<"v8bfp16ebs8">> to memref<4x!aiex.bfp<"v8bfp16ebs8">, strided<[1], offset: ?>>
  return
}

// -----

func.func @without_bytes(%a: memref<8x4x!aiex.bfp<"v8bfp16ebs8">>) {
  // expected-error@below {{views blocks of floats without their innermost dimension; its result must have it}}
  %v = memref.subview %a[0, 2] [8, 1] [1, 1] : memref<8x4x!aiex.bfp<"v8bfp16ebs8">> to memref<8x!aiex.bfp<"v8bfp16ebs8">, strided<[4], offset: 2>>
  return
}

// -----

func.func @dynamic(%n: index) {
  // expected-error@below {{allocates blocks of floats, and their innermost dimension is dynamic; expected a constant one}}
  %a = memref.alloc(%n) : memref<?x!aiex.bfp<"v8bfp16ebs8">>
  return
}

// -----

// expected-error@below {{contains blocks of floats, and only allocated buffers and arguments of functions can}}
memref.global "private" @table : memref<8x!aiex.bfp<"v8bfp16ebs8">>
