// An array of zeros, mapped: pages that nobody touches cost nothing, and most of a shadow is never touched.
#pragma once
#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace sim {

template <class T> class Zeros {
public:
  explicit Zeros(size_t count) : bytes_(count * sizeof(T)) {
    if (!bytes_) return;
    void *p = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T *>(p);
  }
  ~Zeros() {
    if (data_) munmap(data_, bytes_);
  }
  Zeros(const Zeros &) = delete;
  Zeros &operator=(const Zeros &) = delete;
  T &operator[](size_t i) { return data_[i]; }
  const T &operator[](size_t i) const { return data_[i]; }

private:
  size_t bytes_;
  T *data_ = nullptr;
};

} // namespace sim
