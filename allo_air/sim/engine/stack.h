// Memory of a core's stack: mapped by itself, below it a range that may not be touched, so that an overflow ends there.
#pragma once
#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace sim {

class FibreStack {
public:
  explicit FibreStack(size_t bytes) : bytes_((bytes + kPage - 1) / kPage * kPage) {
    void *p = mmap(nullptr, kGuard + bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    mapping_ = static_cast<char *>(p);
    if (mprotect(base(), bytes_, PROT_READ | PROT_WRITE)) {
      munmap(mapping_, kGuard + bytes_);
      throw std::bad_alloc();
    }
  }
  ~FibreStack() { munmap(mapping_, kGuard + bytes_); }
  FibreStack(const FibreStack &) = delete;
  FibreStack &operator=(const FibreStack &) = delete;
  void *base() const { return mapping_ + kGuard; }
  size_t size() const { return bytes_; }

private:
  // Compiled code does not touch every page of a large frame, so the guard is larger than any frame that it has.
  static constexpr size_t kPage = 4096, kGuard = 4u << 20;
  size_t bytes_;
  char *mapping_;
};

} // namespace sim
