// A thread of control on a stack of its own, that others enter and that leaves again wherever it waits.
#pragma once
#include <cstddef>
#include <new>
#include <sys/mman.h>
#if !(defined(__x86_64__) && defined(__linux__))
#include <ucontext.h>
#endif

namespace sim {

// Memory of a stack: mapped by itself, below it a range that may not be touched, so that an overflow ends there.
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
  char *base() const { return mapping_ + kGuard; }
  size_t size() const { return bytes_; }

private:
  // Compiled code does not touch every page of a large frame, so the guard is larger than any frame that it has.
  static constexpr size_t kPage = 4096, kGuard = 4u << 20;
  size_t bytes_;
  char *mapping_;
};

class Fibre {
public:
  using Entry = void (*)(void *); // never returns
  explicit Fibre(size_t stackBytes) : stack_(stackBytes) {}
  void begin(Entry entry, void *argument); // when it is entered next; what it did before is given up
  void enter();                            // until it leaves
  void leave();

private:
  FibreStack stack_;
#if defined(__x86_64__) && defined(__linux__)
  void *outside_ = nullptr, *inside_ = nullptr; // where the one that does not run has its registers, on its stack
#else
  static void start(unsigned entryLow, unsigned entryHigh, unsigned low, unsigned high);
  ucontext_t outside_{}, inside_{};
#endif
};

} // namespace sim
