// Root mean square norm of the rows of a tensor, in vectors of 16.
#include <aie_api/aie.hpp>

template <typename T, int ROWS, int LENGTH>
void rms_norm(T *in, T *weight, T *out) {
  constexpr int lanes = 16;
  using vec = aie::vector<T, lanes>;
  event0();
  for (int row = 0; row < ROWS; row++) {
    float squares = 0.0f;
    for (int i = 0; i < LENGTH; i += lanes) {
      vec x = aie::load_v<lanes>(in + i);
      vec square = aie::mul(x, x);
      squares += aie::reduce_add(square);
    }
    vec scale = aie::invsqrt(aie::broadcast<T, lanes>(squares / LENGTH + 1e-6f));
    for (int i = 0; i < LENGTH; i += lanes) {
      vec scaled = aie::mul(aie::load_v<lanes>(in + i), scale);
      vec result = aie::mul(scaled, aie::load_v<lanes>(weight + i));
      aie::store_v(out + i, result);
    }
    in += LENGTH;
    out += LENGTH;
  }
  event1();
}

extern "C" {
void norm(float in[4][512], float weight[512], float out[4][512]) { rms_norm<float, 4, 512>(&in[0][0], weight, &out[0][0]); }
}
