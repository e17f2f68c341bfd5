"""C++ for high-level synthesis, from functions of affine, scf, arith and memref."""
