// RUN: allo-opt %s --aie-assign-core-link-files -o %t.mlir 2>&1 | filecheck %s --check-prefix=WARN
// RUN: filecheck %s < %t.mlir

// Each file once, in the order of calls; modules to merge apart; what is there stays in front.
// CHECK: aie.core(%tile_0_2)
// CHECK: {link_files = ["b.o", "a.o"], link_merge_files = ["m.ll"]}
// CHECK: aie.core(%tile_0_3)
// CHECK: {link_files = ["old.o", "a.o"]}
// CHECK: aie.core(%tile_0_4)
// CHECK-NEXT: aie.end
// CHECK-NEXT: }{{$}}
// CHECK: {link_files = ["first.o", "b.o"]}
// WARN: warning: 'aie.core' op has link_with, which is deprecated
// WARN: warning: 'func.func' op has link_with = "z.o", but no core calls @z; 'z.o' will not be linked
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 3)
  %v = aie.tile(0, 4)
  %w = aie.tile(0, 5)
  func.func private @a() attributes {link_with = "a.o"}
  func.func private @b() attributes {link_with = "b.o"}
  func.func private @also_a() attributes {link_with = "a.o"}
  func.func private @m() attributes {link_with = "m.ll", link_with_mode = "merge"}
  func.func private @z() attributes {link_with = "z.o"}
  func.func private @plain()
  aie.core(%t) {
    %c = arith.constant true
    func.call @b() : () -> ()
    scf.if %c {
      func.call @a() : () -> ()
    }
    func.call @also_a() : () -> ()
    func.call @m() : () -> ()
    func.call @plain() : () -> ()
    aie.end
  }
  aie.core(%u) {
    func.call @a() : () -> ()
    aie.end
  } {link_with = "old.o"}
  aie.core(%v) {
    aie.end
  }
  aie.core(%w) {
    func.call @b() : () -> ()
    aie.end
  } {link_files = ["first.o"]}
}
