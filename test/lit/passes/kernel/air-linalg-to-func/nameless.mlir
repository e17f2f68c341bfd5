// RUN: allo-opt %s --air-linalg-to-func=link-with=mm.o | filecheck %s

// What has no name and is given none calls a function that says so; a link error tells then.
// CHECK: func.func private @op_has_no_registered_library_name(memref<8xi32, 2>, memref<8xi32, 2>) attributes {{{.*}}link_with = "mm.o"
// CHECK: call @op_has_no_registered_library_name(%arg0, %arg0)
#id = affine_map<(d0) -> (d0)>
func.func @no_name(%a: memref<8xi32, 2>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<8xi32, 2>) outs(%a : memref<8xi32, 2>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  return
}

