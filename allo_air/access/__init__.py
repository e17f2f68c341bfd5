"""Access patterns: which elements of a buffer a transfer moves, and in which order. Pure Python, without IR.

A *walk* is a start and dimensions `(size, stride)`, outermost first and innermost fastest, counted in elements. It visits

    start + sum(index_i * stride_i),    0 <= index_i < size_i

in the lexicographic order of its indices. A dimension of size 1 goes nowhere, whatever its stride; a stride of 0 repeats; a
walk without dimensions visits its start alone. Functions that say a walk in another way keep the sequence of its addresses.

The lists of an operation, `%m[o0, o1] [n0, n1] [s0, s1]`, start at `sum(offset_i * stride_i)`. Empty lists visit all of `%m` in
the row-major order of its shape. Fewer offsets than sizes belong to the innermost dimensions. Numbers are integers, and where
values of a program take part in them, `Linear`: sums of those.

* `dims`: walks of integers: merging, contiguity, extents, addresses; `linear`: numbers that are known up to some values;
* `pattern`: the lists of an operation over its buffer; `box`: the part of a buffer's index space that lists visit; `footprint`:
  the addresses alone, in no order; `cut`: a walk dealt out in pieces;
* `fields`: what the fields of a buffer descriptor hold of a walk; `fit`: walks as descriptors can do them.
"""
