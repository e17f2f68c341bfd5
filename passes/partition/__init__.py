"""A function of many operations becomes kernels, and a main function that calls them."""
