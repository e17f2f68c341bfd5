// RUN: allo-opt %s --air-to-std=fewest-waits=true | filecheck %s

// Marks on channel operations that say when the host starts their transfers stay.
// CHECK-DAG: airrt.dma_memcpy_nd({{.*}}) {air.preserve_shim_dma_order, chan_name = @paced, metadata = @air_paced}
// CHECK-DAG: airrt.dma_memcpy_nd({{.*}}) {air.runtime_hoist, chan_name = @first, metadata = @air_first}
// CHECK-DAG: airrt.dma_memcpy_nd({{.*}}) {air.append_barrier, chan_name = @new, metadata = @air_new}
// CHECK-DAG: airrt.dma_memcpy_nd({{.*}}) {air.await_appends, chan_name = @all, metadata = @air_all}
air.channel @paced [1]
air.channel @first [1]
air.channel @new [1]
air.channel @all [1]
func.func @f(%m: memref<64xi32>, %c: memref<64xi32>) {
  %0 = air.launch async () in () args(%a=%m, %b=%c) : memref<64xi32>, memref<64xi32> {
    %1 = air.channel.put async @paced[] (%a[] [] []) {air.preserve_shim_dma_order, metadata = @air_paced} : (memref<64xi32>)
    %2 = air.channel.put async @first[] (%a[] [] []) {air.runtime_hoist, metadata = @air_first} : (memref<64xi32>)
    %3 = air.channel.get async @new[] (%b[] [] []) {air.append_barrier, metadata = @air_new} : (memref<64xi32>)
    %4 = air.channel.put async [%3] @all[] (%b[] [] []) {air.await_appends, metadata = @air_all} : (memref<64xi32>)
    %5 = air.segment @s async {
    }
  }
  return
}
