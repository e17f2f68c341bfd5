// Elementwise functions of bf16: NAME and SIZE are macros, and one of ADD, MUL, RELU, EXP, GELU, SILU, SWIGLU, SOFTMAX.
#include <aie_api/aie.hpp>
#include <math.h>

#if defined(ADD) || defined(MUL)
extern "C" void NAME(bfloat16 *a, bfloat16 *b, bfloat16 *out) {
  event0();
  for (int i = 0; i < SIZE; i += 16) {
    auto x = aie::load_v<16>(a + i), y = aie::load_v<16>(b + i);
#ifdef ADD
    aie::store_v(out + i, aie::add(x, y));
#else
    aie::store_v(out + i, aie::mul(x, y).template to_vector<bfloat16>());
#endif
  }
  event1();
}
#endif

#ifdef RELU
extern "C" void NAME(bfloat16 *in, bfloat16 *out) {
  event0();
  auto zeros = aie::zeros<bfloat16, 32>();
  for (int i = 0; i < SIZE; i += 32)
    aie::store_v(out + i, aie::max(aie::load_v<32>(in + i), zeros));
  event1();
}
#endif

#if defined(EXP) || defined(GELU) || defined(SILU)
static float f(float x) {
#if defined(EXP)
  return expf(x);
#elif defined(SILU)
  return x * 0.5f * (tanhf(0.5f * x) + 1.0f);
#else
  return 0.5f * x * (tanhf(0.7978845608f * (x + 0.044715f * x * x * x)) + 1.0f);
#endif
}
extern "C" void NAME(bfloat16 *in, bfloat16 *out) {
  event0();
  for (int i = 0; i < SIZE; i++)
    out[i] = (bfloat16)f((float)in[i]);
  event1();
}
#endif

#ifdef SWIGLU
extern "C" void NAME(bfloat16 *x, bfloat16 *w1, bfloat16 *w2, bfloat16 *out) {
  event0();
  for (int i = 0; i < SIZE; i++) {
    float a = (float)x[i] * (float)w1[i], b = (float)x[i] * (float)w2[i];
    out[i] = (bfloat16)(a * 0.5f * (tanhf(0.5f * a) + 1.0f) * b);
  }
  event1();
}
#endif

#ifdef SOFTMAX
extern "C" void NAME(bfloat16 *in, bfloat16 *out, int32_t n) {
  event0();
  float most = (float)in[0], sum = 0.0f;
  for (int i = 1; i < n; i++)
    most = (float)in[i] > most ? (float)in[i] : most;
  for (int i = 0; i < n; i++)
    sum += expf((float)in[i] - most);
  for (int i = 0; i < n; i++)
    out[i] = (bfloat16)(expf((float)in[i] - most) / sum);
  event1();
}
#endif
