"""XRT's C++ interface for host programs in C++: headers, and the process that runs programs for them."""
