// RUN: not allo-opt %s --airrt-to-npu=trace-size=8192 2>&1 | filecheck %s --check-prefix=TRACE
// RUN: not allo-opt %s --airrt-to-npu=output-elf=true 2>&1 | filecheck %s --check-prefix=ELF

// TRACE: error: airrt-to-npu: trace-size=8192: tracing is not written into the runtime sequence yet; leave it at 0
// ELF: error: airrt-to-npu: output-elf=true: a main device with aiex.configure is not written yet; leave it at false
func.func @f() {
  return
}
