"""Building blocks of designs: values of cores and sequences, loops, functions, array types, attributes, errors."""
