// RUN: allo-opt %s --air-return-elimination --verify-diagnostics --split-input-file

// expected-error@below {{returns i32, and only memrefs become arguments; bufferize it first}}
func.func private @number() -> i32

// -----

// expected-error@below {{returns memref<?xf32>, which callers cannot allocate; give it a static shape}}
func.func private @dynamic() -> memref<?xf32>

// -----

func.func private @f_out()
// expected-error@below {{is to be called '@f_out', a name that is taken; rename that function}}
func.func private @f() -> memref<8xf32>
func.func @main() {
  %0 = call @f() : () -> memref<8xf32>
  return
}
