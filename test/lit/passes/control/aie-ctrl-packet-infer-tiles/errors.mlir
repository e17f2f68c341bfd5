// RUN: allo-opt %s --aie-ctrl-packet-infer-tiles --verify-diagnostics

aie.device(npu1_1col) {
  aie.runtime_sequence @configure() {
    // expected-error@+1 {{goes to tile (1, 1), but npu1_1col has 1 column and 6 rows}}
    aiex.control_packet {address = 34603008 : ui32, data = array<i32: 1>, opcode = 0 : i32, stream_id = 0 : i32}
  }
}
