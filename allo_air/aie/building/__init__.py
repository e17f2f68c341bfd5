"""Parts that designs are built with: values of cores and sequences, loops, functions, array types, attributes, errors."""
