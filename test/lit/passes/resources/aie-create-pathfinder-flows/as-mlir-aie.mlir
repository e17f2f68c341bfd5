// RUN: allo-opt %s --aie-create-pathfinder-flows --syntax=2026-03 | filecheck %s --check-prefix=MARCH
// RUN: allo-opt %s --aie-create-pathfinder-flows | filecheck %s

// The streams of a matrix multiplication on one column, and the connections that mlir-aie's router chose for them: the ports, and
// the order in which the flows reach a switch. In August flows are routed in the order of their sources.
// MARCH: aie.switchbox(%shim_noc_tile_0_0) {
// MARCH-NEXT: aie.connect<South : 3, North : 4>
// MARCH-NEXT: aie.connect<South : 7, North : 1>
// MARCH-NEXT: aie.connect<North : 2, South : 2>
// MARCH: aie.shim_mux(%shim_noc_tile_0_0) {
// MARCH-NEXT: aie.connect<DMA : 0, North : 3>
// MARCH-NEXT: aie.connect<DMA : 1, North : 7>
// MARCH-NEXT: aie.connect<North : 2, DMA : 0>
// MARCH: aie.switchbox(%mem_tile_0_1) {
// MARCH-NEXT: aie.connect<South : 4, DMA : 0>
// MARCH-NEXT: aie.connect<South : 1, DMA : 1>
// MARCH-NEXT: aie.connect<DMA : 4, South : 2>
// MARCH-NEXT: aie.connect<DMA : 0, North : 1>
// MARCH-NEXT: aie.connect<DMA : 2, North : 5>
// MARCH-NEXT: aie.connect<North : 0, DMA : 2>
// MARCH-NEXT: aie.connect<DMA : 3, North : 0>
// MARCH-NEXT: aie.connect<North : 3, DMA : 3>
// MARCH-NEXT: aie.connect<DMA : 1, North : 3>
// MARCH-NEXT: aie.connect<North : 1, DMA : 4>
// MARCH-NEXT: aie.connect<North : 2, DMA : 5>
// MARCH: aie.switchbox(%tile_0_2) {
// MARCH-NEXT: aie.connect<South : 1, DMA : 0>
// MARCH-NEXT: aie.connect<South : 1, North : 4>
// MARCH-NEXT: aie.connect<South : 5, DMA : 1>
// MARCH-NEXT: aie.connect<South : 5, North : 0>
// MARCH-NEXT: aie.connect<DMA : 0, South : 0>
// MARCH-NEXT: aie.connect<South : 0, North : 2>
// MARCH-NEXT: aie.connect<North : 0, South : 3>
// MARCH-NEXT: aie.connect<South : 3, North : 3>
// MARCH-NEXT: aie.connect<North : 1, South : 1>
// MARCH-NEXT: aie.connect<North : 2, South : 2>
// MARCH: aie.switchbox(%tile_0_3) {
// MARCH-NEXT: aie.connect<South : 4, DMA : 0>
// MARCH-NEXT: aie.connect<South : 0, North : 4>
// MARCH-NEXT: aie.connect<South : 2, DMA : 1>
// MARCH-NEXT: aie.connect<South : 2, North : 1>
// MARCH-NEXT: aie.connect<DMA : 0, South : 0>
// MARCH-NEXT: aie.connect<South : 3, North : 3>
// MARCH-NEXT: aie.connect<North : 0, South : 1>
// MARCH-NEXT: aie.connect<North : 2, South : 2>
// MARCH: aie.switchbox(%tile_0_4) {
// MARCH-NEXT: aie.connect<South : 4, DMA : 1>
// MARCH-NEXT: aie.connect<South : 1, North : 4>
// MARCH-NEXT: aie.connect<South : 3, DMA : 0>
// MARCH-NEXT: aie.connect<South : 3, North : 5>
// MARCH-NEXT: aie.connect<DMA : 0, South : 0>
// MARCH-NEXT: aie.connect<North : 0, South : 2>
// MARCH: aie.switchbox(%tile_0_5) {
// MARCH-NEXT: aie.connect<South : 4, DMA : 1>
// MARCH-NEXT: aie.connect<South : 5, DMA : 0>
// MARCH-NEXT: aie.connect<DMA : 0, South : 0>
// CHECK: aie.switchbox(%shim_noc_tile_0_0)
// CHECK-NEXT: aie.connect<South : 3, North : 4>
// CHECK-NEXT: aie.connect<South : 7, North : 1>
// CHECK: aie.switchbox(%mem_tile_0_1)
// CHECK-NEXT: aie.connect<South : 4, DMA : 0>
// CHECK-NEXT: aie.connect<South : 1, DMA : 1>
// CHECK-NEXT: aie.connect<DMA : 0, North : 1>
// CHECK-NEXT: aie.connect<DMA : 1,
// CHECK-NEXT: aie.connect<DMA : 2,
aie.device(npu1_1col) {
  %t0 = aie.tile(0, 0)
  %t1 = aie.tile(0, 1)
  %t2 = aie.tile(0, 2)
  %t3 = aie.tile(0, 3)
  %t4 = aie.tile(0, 4)
  %t5 = aie.tile(0, 5)
  aie.flow(%t0, DMA : 0, %t1, DMA : 0)
  aie.flow(%t0, DMA : 1, %t1, DMA : 1)
  aie.flow(%t1, DMA : 4, %t0, DMA : 0)
  aie.flow(%t1, DMA : 0, %t2, DMA : 0)
  aie.flow(%t1, DMA : 0, %t3, DMA : 0)
  aie.flow(%t1, DMA : 2, %t2, DMA : 1)
  aie.flow(%t1, DMA : 2, %t4, DMA : 1)
  aie.flow(%t2, DMA : 0, %t1, DMA : 2)
  aie.flow(%t1, DMA : 3, %t3, DMA : 1)
  aie.flow(%t1, DMA : 3, %t5, DMA : 1)
  aie.flow(%t3, DMA : 0, %t1, DMA : 3)
  aie.flow(%t1, DMA : 1, %t4, DMA : 0)
  aie.flow(%t1, DMA : 1, %t5, DMA : 0)
  aie.flow(%t4, DMA : 0, %t1, DMA : 4)
  aie.flow(%t5, DMA : 0, %t1, DMA : 5)
}
