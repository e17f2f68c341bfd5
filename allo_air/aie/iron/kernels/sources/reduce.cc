// Reductions of n elements to one: NAME, DTYPE and LANES are macros, and one of ADD, MIN, MAX, PAIR.
#include <aie_api/aie.hpp>

#ifdef PAIR
extern "C" void NAME(DTYPE *a, DTYPE *b, DTYPE *out) {
  event0();
  out[0] = a[0] > b[0] ? a[0] : b[0];
  event1();
}
#else
extern "C" void NAME(DTYPE *in, DTYPE *out, int32_t n) {
  event0();
  auto all = aie::load_v<LANES>(in);
  for (int i = LANES; i < n; i += LANES) {
    auto next = aie::load_v<LANES>(in + i);
#if defined(ADD)
    all = aie::add(all, next);
#elif defined(MIN)
    all = aie::min(all, next);
#else
    all = aie::max(all, next);
#endif
  }
#if defined(ADD)
  out[0] = aie::reduce_add(all);
#elif defined(MIN)
  out[0] = aie::reduce_min(all);
#else
  out[0] = aie::reduce_max(all);
#endif
  event1();
}
#endif
