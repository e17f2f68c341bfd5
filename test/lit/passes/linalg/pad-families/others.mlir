// RUN: allo-opt --pad-families --expand-families %s | filecheck %s

// Kernels without a plan, and those of other families, stay.

// CHECK: func.func private @k() attributes {allo.kernel}
// CHECK: func.func private @l() attributes {allo.kernel, allo.plan = {family = "tiles"}}
func.func private @k() attributes {allo.kernel} {
  return
}
func.func private @l() attributes {allo.kernel, allo.plan = {family = "tiles"}} {
  return
}
