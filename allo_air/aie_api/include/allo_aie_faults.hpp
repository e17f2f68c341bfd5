// Ends a kernel, not the process, where it does what no kernel of a core may.
#pragma once

#include "aie_api/detail/types.hpp"

#include <csetjmp>
#include <csignal>
#include <ctime>
#include <exception>
#include <string>
#include <unistd.h>

extern "C" __attribute__((visibility("hidden"))) char __ehdr_start[], etext[];  // the kernel's library, by the linker

namespace allo_aie {

/// Ends of a kernel that are no signals.
enum Left { exits = 100, aborts, asserts, smashes };

/// While it lives, an access to memory that is not there, a division by zero, a trap or the end of the kernel's time leave it.
class Faults {
 public:
  /// `seconds` of the thread's time are the kernel's; 0 for no limit.
  explicit Faults(double seconds) {
    stack_t own{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof(stack)};
    sigaltstack(&own, &stack_before);
    install();
    running = this;
    if (seconds > 0) limit(seconds);
  }
  ~Faults() {
    if (is_limited) timer_delete(timer);
    running = nullptr;
    remove();
    sigaltstack(&stack_before, nullptr);
  }
  Faults(const Faults &) = delete;

  /// While it lives, the kernel waits at a port. Handlers are the process's, and other kernels begin and end meanwhile.
  class Pause {
   public:
    Pause() {
      kernel->stop();
      kernel->remove();
    }
    ~Pause() {
      kernel->install();
      kernel->go_on();
    }

   private:
    Faults *kernel = running;
  };

  /// Ends the kernel for a reason: a signal, or one of Left. Returns where none runs.
  static void leave(int why) {
    if (running) siglongjmp(place, why);
  }
  static std::string text(int why);
  static inline thread_local sigjmp_buf place;
  static inline thread_local char assertion[256];

 private:
  void install() {
    struct sigaction ours {};
    ours.sa_sigaction = caught;
    ours.sa_flags = SA_NODEFER | SA_SIGINFO | SA_ONSTACK;
    for (int i = 0; i < count; ++i) sigaction(signals[i], &ours, &before[i]);
    terminate_before = std::set_terminate([] { leave(aborts); });
  }
  void remove() {
    std::set_terminate(terminate_before);
    for (int i = 0; i < count; ++i) sigaction(signals[i], &before[i], nullptr);
  }
  void stop() {
    const itimerspec never{};
    if (is_limited) timer_settime(timer, 0, &never, &rest);
  }
  void go_on() {
    if (is_limited) timer_settime(timer, 0, &rest, nullptr);
  }
  static void caught(int signal, siginfo_t *info, void *context) {
    if (signal == SIGVTALRM && running && !is_in_kernel(static_cast<ucontext_t *>(context))) return;
    address = static_cast<const char *>(info->si_addr);
    leave(signal);
    std::signal(signal, SIG_DFL);  // another thread's
    std::raise(signal);
  }
  /// Whether the kernel itself was interrupted, and not a library that it calls, or the simulator that serves its ports.
  static bool is_in_kernel(const ucontext_t *context) {
#if defined(__x86_64__)
    const auto at = reinterpret_cast<const char *>(context->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    const auto at = reinterpret_cast<const char *>(context->uc_mcontext.pc);
#endif
    return at >= __ehdr_start && at < etext;
  }
  static std::string outside();
  void limit(double seconds) {
    struct sigevent event {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGVTALRM;
    event._sigev_un._tid = gettid();
    is_limited = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
    const time_t whole = static_cast<time_t>(seconds);
    const itimerspec at{{0, 1000000}, {whole, static_cast<long>((seconds - whole) * 1e9)}};
    if (!is_limited) return;
    std::snprintf(limit_text, sizeof(limit_text), "does not end within %g s; a larger limit is seconds=", seconds);
    timer_settime(timer, 0, &at, nullptr);
  }
  static constexpr int count = 5;
  static constexpr int signals[count] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGVTALRM};
  static inline thread_local Faults *running = nullptr;
  static inline thread_local const char *address = nullptr;
  static inline thread_local char limit_text[96];
  alignas(16) static inline thread_local char stack[16384];
  stack_t stack_before;
  struct sigaction before[count];
  std::terminate_handler terminate_before;
  timer_t timer;
  itimerspec rest;
  bool is_limited = false;
};

inline std::string Faults::text(int why) {
  switch (why) {
    case SIGFPE: return "divides an integer by zero";
    case SIGILL: return "reaches a trap, or what C++ leaves undefined";
    case SIGVTALRM: return limit_text;
    case exits: return "calls exit; cores have no process to end";
    case aborts: return "aborts";
    case asserts: return assertion;
    case smashes: return "writes outside of an array on its stack";
    default: return outside();
  }
}

/// Names the argument that lies nearest to the access.
inline std::string Faults::outside() {
  long best = 64 << 20;
  std::string place;
  for (int i = 0; i < state.count; ++i) {
    const Range &r = state.ranges[i];
    const long distance = address < r.begin ? r.begin - address : address - r.end;
    if (distance < 0 || distance >= best) continue;
    best = distance;
    place = std::to_string(distance) + (address < r.begin ? " bytes before the " : " bytes after the ") +
            std::to_string(r.end - r.begin) + " of argument " + std::to_string(i);
  }
  if (!place.empty()) return "accesses memory " + place;
  return "accesses memory outside of its arguments; they may be shorter than the kernel expects";
}

}  // namespace allo_aie

// The linker sends the kernel's calls of these functions here (--wrap).
#define ALLO_AIE_WRAP __attribute__((used, noreturn, visibility("default")))
extern "C" {
[[noreturn]] void __real_abort();
ALLO_AIE_WRAP void __wrap_exit(int) { allo_aie::Faults::leave(allo_aie::exits), __real_abort(); }
ALLO_AIE_WRAP void __wrap__exit(int) { allo_aie::Faults::leave(allo_aie::exits), __real_abort(); }
ALLO_AIE_WRAP void __wrap__Exit(int) { allo_aie::Faults::leave(allo_aie::exits), __real_abort(); }
ALLO_AIE_WRAP void __wrap_quick_exit(int) { allo_aie::Faults::leave(allo_aie::exits), __real_abort(); }
ALLO_AIE_WRAP void __wrap_abort() { allo_aie::Faults::leave(allo_aie::aborts), __real_abort(); }
ALLO_AIE_WRAP void __wrap___stack_chk_fail() { allo_aie::Faults::leave(allo_aie::smashes), __real_abort(); }
ALLO_AIE_WRAP void __wrap___assert_fail(const char *what, const char *file, unsigned line, const char *) {
  std::snprintf(allo_aie::Faults::assertion, sizeof(allo_aie::Faults::assertion), "assertion '%s' fails (%s:%u)", what, file, line);
  allo_aie::Faults::leave(allo_aie::asserts), __real_abort();
}
}
