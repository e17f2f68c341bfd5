// RUN: allo-opt %s --split-input-file --verify-diagnostics --air-linalg-to-func=link-with=mm.o

#id = affine_map<(d0) -> (d0)>
func.func @captures(%a: memref<8xi32, 2>, %v: i32) {
  // expected-error@+1 {{'linalg.generic' op has a body that uses i32 from outside of it, which a library function cannot see; make it an operand (ins)}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"], library_call = "add"} ins(%a : memref<8xi32, 2>) outs(%a : memref<8xi32, 2>) {
  ^bb0(%in: i32, %out: i32):
    %r = arith.addi %in, %v : i32
    linalg.yield %r : i32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @two_types(%a: memref<8xi32, 2>, %b: memref<4xi32, 2>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"], library_call = "move"} ins(%a : memref<8xi32, 2>) outs(%a : memref<8xi32, 2>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  // expected-error@+1 {{would call @move as (memref<4xi32, 2>, memref<4xi32, 2>) -> (), and it is (memref<8xi32, 2>, memref<8xi32, 2>) -> (): a function has one type; choose another library_call for one of them}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"], library_call = "move"} ins(%b : memref<4xi32, 2>) outs(%b : memref<4xi32, 2>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
memref.global "private" @taken : memref<4xi32>
func.func @taken_name(%a: memref<8xi32, 2>) {
  // expected-error@+1 {{would call @taken, which is the symbol of 'memref.global'; choose another library_call}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"], library_call = "taken"} ins(%a : memref<8xi32, 2>) outs(%a : memref<8xi32, 2>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  return
}

// -----

func.func @strange_space(%a: memref<8xi32, "local">, %z: i32) {
  // expected-error@+1 {{'linalg.fill' op has an operand of type memref<8xi32, "local">, which no function name is derived from; set library_call}}
  linalg.fill ins(%z : i32) outs(%a : memref<8xi32, "local">)
  return
}

// -----

func.func @two_files(%a: memref<8xi32, 2>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%s=%c1, %u=%c1) args(%d=%a) : memref<8xi32, 2> attributes {link_with = "other.o"} {
    %z = arith.constant 0 : i32
    // expected-error@+1 {{calls a function from "mm.o", and its air.herd links with "other.o": a herd links with one object file}}
    linalg.fill ins(%z : i32) outs(%d : memref<8xi32, 2>)
  }
  return
}
