"""Access patterns: which elements of a buffer a transfer moves, and in which order. Pure Python, without IR.

A *walk* is a start and dimensions `(size, stride)`, outermost first and innermost fastest, counted in elements. It visits

    start + sum(index_i * stride_i),    0 <= index_i < size_i

in the lexicographic order of its indices. A dimension of size 1 has no effect, whatever its stride. A stride of 0 repeats. A
walk without dimensions visits only its start. Functions that rewrite a walk keep the sequence of its addresses.

The lists of an operation, `%m[o0, o1] [n0, n1] [s0, s1]`, start at `sum(offset_i * stride_i)`. Empty lists visit all of `%m` in
the row-major order of its shape. If there are fewer offsets than sizes, they belong to the innermost dimensions. Numbers are
integers, or `Linear` if they depend on values of a program.

* `dims`: walks of integers: merging, contiguity, extents, addresses; `linear`: linear expressions of SSA values;
* `pattern`: the lists of an operation over its buffer; `box`: the part of a buffer's index space that lists visit; `footprint`:
  the set of addresses; `cut`: a walk cut into pieces;
* `fields`: the fields of a buffer descriptor for a walk; `fit` and `decompose`: walks divided so that descriptors can do them.
"""
