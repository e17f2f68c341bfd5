#include <stdint.h>
#include <aie_api/aie.hpp>
extern "C" {
void scale_i32(int32_t *in, int32_t *out, int32_t n) {
  event0();
  for (int i = 0; i < n; i += 16)
    aie::store_v(out + i, aie::vector<int32_t,16>(aie::mul(aie::load_v<16>(in + i), FACTOR).to_vector<int32_t>()));
  event1();
}
}
