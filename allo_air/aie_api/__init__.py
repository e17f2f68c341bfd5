"""Kernels in C++ on the simulator: an emulation of the AIE API in headers, compiled by the host's compiler."""
