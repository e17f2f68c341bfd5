// RUN: allo-opt %s --verify-diagnostics --collapse-dimensions

// expected-error@+1 {{takes tensor<?xf32>: a kernel needs static shapes without empty dimensions}}
func.func private @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> attributes {allo.kernel} {
  return %a : tensor<?xf32>
}
