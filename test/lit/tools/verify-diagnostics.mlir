// RUN: allo-opt %s --load=%S/Inputs/complain.py --complain --split-input-file --verify-diagnostics
// RUN: not allo-opt %s --load=%S/Inputs/complain.py --complain=prefix=b --split-input-file --verify-diagnostics 2>&1 | filecheck %s

// CHECK: verify-diagnostics.mlir:{{[0-9]+}}: error: expected error 'op is called 'bad'' was not produced at line
// expected-error@below {{op is called 'bad'}}
func.func private @bad()

// -----

func.func private @good()

// -----

// expected-error-re@+1 {{op is called '{{b[a-z]+}}', expected}}
func.func private @bad()

// -----

// The parser's errors count too.
func.func @unclosed() {
  nonsense // expected-error {{custom op 'nonsense' is unknown}}
}
