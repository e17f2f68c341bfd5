// How kernels spell things: constants of bf16, masks as words, operators, circular iterators, the core's own names.
#include <aie_api/aie.hpp>
#include <aie_api/aie_adf.hpp>

constexpr bfloat16 half = 0.5f, lowest = std::numeric_limits<bfloat16>::lowest();
static_assert(float(half * bfloat16(2)) == 1.0f && float(-half) == -0.5f);
alignas(aie::vector_decl_align) static const int16_t taps[32] = {1, 2, 3};

template <typename Op>
static inline __attribute__((always_inline)) auto on(const bfloat16 *p, Op &&op) {
  return op(aie::load_v<16>(p));
}

extern "C" {
// out = x > 0 ? x * x + x - x : half, by three ways that must agree
int squares(bfloat16 *restrict in, bfloat16 *restrict out, const int32_t size) {
  using namespace aie::operators;
  int wrong = 0;
  [[using chess: prepare_for_pipelining, min_loop_count(4)]] for (int i = 0; i < size; i += 16) {
    auto made = on(in + i, [](const auto &x) {
      auto acc = x * x;
      acc = acc + x;
      acc = acc - x;
      return aie::select(half, aie::to_vector<bfloat16>(acc), x > bfloat16(0));
    });
    aie::store_v(out + i, made);
    for (int j = 0; j < 16; j++) chess_unroll_loop(16) {
        bfloat16 x = in[i + j], best = lowest;
        best = (x > best) ? x : best;
        x = best > 0 ? (bfloat16)(best * best) : (bfloat16)0.5;
        wrong += x != out[i + j];
      }
  }
  return wrong;
}

// Lanes below 8 of `in`, the words of their mask, and the lanes that the words choose
void words(int32_t *in, uint32_t *masks, int32_t *out) {
  v16int32 x = *(v16int32 *)in, eight = broadcast_s32(8);
  unsigned below = lt(x, eight);
  aie::mask<16> m = aie::lt(aie::vector<int32_t, 16>(x), 8);
  m |= m << 1;
  m &= ~(m >> 15);
  masks[0] = below;
  masks[1] = m.to_uint32();
  masks[2] = (uint32_t)(aie::mask<64>::from_uint32(0u, 5u).to_uint64() >> 32);
  *(v16int32 *)out = sel(x, band(x, broadcast_elem(x, 1)), below);
}

// Two rounds through a buffer of 64
void rounds(int16_t *in, int16_t *out) {
  auto it = aie::cbegin_vector_circular<32, 64>(in);
  aie::vector<int16_t, 32> first, second, weights = aie::load_v<32>(taps);
  for (int i = 0; i < 4; i++) {
    std::tie(first, second) = aie::interleave_zip(*it++, aie::load_floor_v<32>(in + 5), 1);
    aie::store_v(out + 32 * i, aie::add(first, weights));
  }
}
}
