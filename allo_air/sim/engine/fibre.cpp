#include "fibre.h"
#include <cstdint>

#if defined(__x86_64__) && defined(__linux__)

// swapcontext asks the kernel for the signal mask at each exchange, which takes longer than most steps of a core. What a call preserves
// (System V ABI: six registers and the modes of floating point) goes on the stack that is left, and comes from the one that is entered.
asm(R"(
.text
.p2align 4
.type allo_sim_exchange, @function
allo_sim_exchange:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size allo_sim_exchange, . - allo_sim_exchange
.type allo_sim_start, @function
allo_sim_start:
  movq %r12, %rdi
  callq *%r13
  ud2
.size allo_sim_start, . - allo_sim_start
)");

extern "C" {
void allo_sim_exchange(void **left, void *entered);
void allo_sim_start();
}

namespace sim {

void Fibre::begin(Entry entry, void *argument) {
  uint32_t modes[2] = {};
  asm("stmxcsr %0\n\tfnstcw %1" : "=m"(modes[0]), "=m"(modes[1]));
  auto *top = reinterpret_cast<uint64_t *>(stack_.base() + stack_.size()) - 2; // aligned as the ABI wants it where a function is called
  *--top = uint64_t(reinterpret_cast<uintptr_t>(&allo_sim_start));
  *--top = 0;                                                // rbp: no frame is above
  *--top = 0;                                                // rbx
  *--top = uint64_t(reinterpret_cast<uintptr_t>(argument));  // r12
  *--top = uint64_t(reinterpret_cast<uintptr_t>(entry));     // r13
  *--top = 0, *--top = 0;                                    // r14, r15
  *--top = uint64_t(modes[1]) << 32 | modes[0];
  inside_ = top;
}

void Fibre::enter() { allo_sim_exchange(&outside_, inside_); }
void Fibre::leave() { allo_sim_exchange(&inside_, outside_); }

} // namespace sim

#else

namespace sim {

void Fibre::start(unsigned entryLow, unsigned entryHigh, unsigned low, unsigned high) {
  auto pointer = [](unsigned l, unsigned h) { return uintptr_t(l) | uintptr_t(uint64_t(h) << 32); };
  reinterpret_cast<Entry>(pointer(entryLow, entryHigh))(reinterpret_cast<void *>(pointer(low, high)));
}

void Fibre::begin(Entry entry, void *argument) {
  getcontext(&inside_);
  inside_.uc_stack.ss_sp = stack_.base(), inside_.uc_stack.ss_size = stack_.size(), inside_.uc_link = nullptr;
  auto e = uint64_t(reinterpret_cast<uintptr_t>(entry)), a = uint64_t(reinterpret_cast<uintptr_t>(argument));
  makecontext(&inside_, reinterpret_cast<void (*)()>(&Fibre::start), 4, unsigned(e), unsigned(e >> 32), unsigned(a), unsigned(a >> 32));
}

void Fibre::enter() { swapcontext(&outside_, &inside_); }
void Fibre::leave() { swapcontext(&inside_, &outside_); }

} // namespace sim

#endif
