// The kernels of cascade_chain.mlir in C++: weighted vectors added up along a cascade.
#include <aie_api/aie.hpp>

#ifndef STEP
#define STEP 16
#endif

static v16int32 weighted(int32_t *at) {
  v16int32 weights = broadcast_to_v16int32(2);
  for (int i = 1; i < 16; i += 2) weights = upd_elem(weights, i, 3);
  return aie::mul(aie::load_v<16>(at), weights).to_vector<int32_t>();
}

extern "C" {
void first(int32_t *a, int32_t n) {
  for (int at = 0; at < n; at += STEP) put_mcd(weighted(a + at));
}
void middle(int32_t *a, int32_t n) {
  for (int at = 0; at < n; at += STEP) {
    v16int32 sum = get_scd_v16int32();
    put_mcd(aie::add(sum, weighted(a + at)));
  }
}
void last(int32_t *a, int32_t *b, int32_t n) {
  for (int at = 0; at < n; at += STEP) {
    v16int32 sum = get_scd_v16int32();
    aie::store_v(b + at, aie::sub(sum, weighted(a + at)));
  }
}
void divided(int32_t *b, int32_t n) {
  v16int32 sum = get_scd_v16int32();
  b[0] = ext_elem(sum, 0u) / n;
}
}
