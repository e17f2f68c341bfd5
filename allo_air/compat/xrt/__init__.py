"""XRT's C++ interface for hosts in C++: headers, and the process that runs programs for those that were built with them."""
