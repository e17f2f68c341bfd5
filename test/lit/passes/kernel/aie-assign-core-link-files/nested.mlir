// RUN: allo-opt %s --aie-assign-core-link-files --verify-diagnostics
// RUN: allo-opt %s --aie-assign-core-link-files 2>/dev/null | filecheck %s

// Functions with bodies are followed, those that call each other, too; a value that one of them calls is warned of once.
// CHECK: aie.core(%tile_1_3)
// CHECK: {link_files = ["scale.o", "last.o"]}
// CHECK: aie.core(%tile_1_4)
// CHECK: {link_files = ["scale.o"]}
aie.device(npu1) {
  %t = aie.tile(1, 3)
  %u = aie.tile(1, 4)
  %b = aie.buffer(%t) {sym_name = "b"} : memref<8xi32>
  func.func private @scale(memref<8xi32>) attributes {link_with = "scale.o"}
  func.func private @last(memref<8xi32>) attributes {link_with = "last.o"}
  func.func @inner(%x: memref<8xi32>) {
    func.call @scale(%x) : (memref<8xi32>) -> ()
    func.call @middle(%x) : (memref<8xi32>) -> ()
    return
  }
  func.func @middle(%x: memref<8xi32>) {
    func.call @inner(%x) : (memref<8xi32>) -> ()
    %f = func.constant @last : (memref<8xi32>) -> ()
    // expected-warning@below {{calls a function by a value, whose file is not found}}
    func.call_indirect %f(%x) : (memref<8xi32>) -> ()
    return
  }
  aie.core(%t) {
    func.call @middle(%b) : (memref<8xi32>) -> ()
    func.call @last(%b) : (memref<8xi32>) -> ()
    aie.end
  }
  aie.core(%u) {
    %a = memref.alloc() : memref<8xi32>
    func.call @inner(%a) : (memref<8xi32>) -> ()
    aie.end
  }
}
