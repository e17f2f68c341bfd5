"""Kernels written as Python functions, to linalg, affine and scf on memrefs."""
