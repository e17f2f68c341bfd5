// RUN: not allo-opt %s --air-renumber-dma=mode=herds 2>&1 | filecheck %s

// CHECK: pass 'air-renumber-dma': option 'mode' is 'herds', expected one of global, herd, segment, launch; did you mean 'herd'
func.func @f() {
  return
}
