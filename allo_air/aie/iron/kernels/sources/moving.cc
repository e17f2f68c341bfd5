// Copies and scales: NAME, DTYPE and LANES are macros.
#include <aie_api/aie.hpp>

#ifdef PASSTHROUGH
extern "C" void NAME(DTYPE *in, DTYPE *out, int32_t n) {
  event0();
  for (int i = 0; i < n; i += LANES)
    aie::store_v(out + i, aie::load_v<LANES>(in + i));
  event1();
}
#endif

#ifdef SCALE
extern "C" void NAME(DTYPE *in, DTYPE *out, int32_t *factor, int32_t n) {
  event0();
  for (int i = 0; i < n; i += LANES)
    aie::store_v(out + i, aie::mul(aie::load_v<LANES>(in + i), (DTYPE)*factor).template to_vector<DTYPE>(0));
  event1();
}
#endif
