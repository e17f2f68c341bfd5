// Attention of a token's queries to a chunk of keys and values; sums go on from chunk to chunk.
#include <stdint.h>
#include <aie_api/aie.hpp>
#if __AIE_ARCH__ == 20
#include <lut_based_ops.h>
#endif

// Macros: QUERIES that share a key, HEAD elements, KEYS of a chunk, TOTAL keys of a core.
#if __AIE_ARCH__ == 20
static constexpr unsigned kLanes = 16;
#else
static constexpr unsigned kLanes = KEYS % 32 == 0 && HEAD % 32 == 0 ? 32 : 16;
#endif
static constexpr float kLeast = -1e30f;
// A core's state: outputs, then for each query 16 times the greatest score, 16 sums of powers, scores, powers; last the queries.
static constexpr unsigned kGreatest = QUERIES * HEAD, kSums = kGreatest + QUERIES * 16, kScores = kSums + QUERIES * 16,
                          kPowers = kScores + QUERIES * KEYS, kQueries = kPowers + QUERIES * KEYS / 2;
alignas(64) static const float kPlaces[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

template <unsigned N>
static inline aie::vector<bfloat16, N> rounded(const aie::vector<float, N> &x) {
  return aie::accum<accfloat, N>(x).template to_vector<bfloat16>();
}

template <unsigned N>
static inline aie::accum<accfloat, N> times(const aie::vector<float, N> &x, const aie::vector<bfloat16, N> &by) {
  const auto high = rounded<N>(x);
  const auto rest = aie::sub(x, aie::accum<accfloat, N>(high).template to_vector<float>());
  return aie::mac(aie::accum<accfloat, N>(aie::mul(high, by)), rounded<N>(rest), by);
}

// 2^x on AIE2p, e^x on AIE2: of the rounded x by table, and 1 + x for the rest.
static inline aie::vector<bfloat16, 16> power(const aie::vector<float, 16> &x) {
#if __AIE_ARCH__ == 20
  const auto least = aie::max(x, aie::broadcast<float, 16>(-80.0f));
  const auto high = rounded<16>(least);
  const auto rest = aie::sub(least, aie::accum<accfloat, 16>(high).to_vector<float>());
  const aie::vector<bfloat16, 16> table = aie::accum<accfloat, 16>(getExpBf16(high)).to_vector<bfloat16>();
  const auto near = aie::add(rest, aie::broadcast<float, 16>(1.0f));
  const auto all = aie::mul(table, rounded<16>(near)).to_vector<bfloat16>();
  return aie::select(aie::zeros<bfloat16, 16>(), all, aie::ge(x, aie::broadcast<float, 16>(-80.0f)));
#else
  return aie::exp2<bfloat16>(x);
#endif
}

static inline void set_scores(const bfloat16 *__restrict high, const bfloat16 *__restrict low, const bfloat16 *__restrict keys,
                              int first, int last, float *__restrict scores) {
  for (unsigned block = 0; block < KEYS; block += kLanes) {
    aie::accum<accfloat, kLanes> sums[QUERIES];
    for (unsigned g = 0; g < QUERIES; ++g) sums[g] = aie::zeros<accfloat, kLanes>();
    for (unsigned d = 0; d < HEAD; ++d) {
      const auto key = aie::load_v<kLanes>(keys + d * KEYS + block);
      for (unsigned g = 0; g < QUERIES; ++g) {
        sums[g] = aie::mac(sums[g], key, aie::broadcast<bfloat16, kLanes>(high[g * HEAD + d]));
        sums[g] = aie::mac(sums[g], key, aie::broadcast<bfloat16, kLanes>(low[g * HEAD + d]));
      }
    }
    for (unsigned at = 0; at < kLanes; at += 16) {
      const auto place = aie::add(aie::load_v<16>(kPlaces), aie::broadcast<float, 16>(float(int(block + at))));
      const auto before = aie::lt(place, aie::broadcast<float, 16>(float(first)));
      const auto behind = aie::ge(place, aie::broadcast<float, 16>(float(last)));
      const auto hidden = before | behind;
      for (unsigned g = 0; g < QUERIES; ++g) {
        const auto found = sums[g].to_vector<float>().extract<16>(at / 16);
        aie::store_v(scores + g * KEYS + block + at, aie::select(found, aie::broadcast<float, 16>(kLeast), hidden));
      }
    }
  }
}

// The first chunk: how many keys at the begin and at the end do not count, as i32, in 64 bytes; then queries in two parts.
static void begin(const float *__restrict given, float *__restrict state) {
  for (unsigned i = 0; i < kGreatest; i += 16) aie::store_v(state + i, aie::zeros<float, 16>());
  for (unsigned g = 0; g < QUERIES; ++g) {
    aie::store_v(state + kGreatest + g * 16, aie::broadcast<float, 16>(kLeast));
    aie::store_v(state + kSums + g * 16, aie::zeros<float, 16>());
  }
  for (unsigned i = 0; i < 16 + QUERIES * HEAD; i += 16) aie::store_v(state + kQueries + i, aie::load_v<16>(given + i));
}

// Chunk 0 begins; others are keys [HEAD, KEYS] and values [KEYS, HEAD].
extern "C" void attend_chunk(int32_t number, const bfloat16 *__restrict chunk, float *__restrict state) {
  if (number == 0) {
    begin((const float *)chunk, state);
    return;
  }
  const int32_t *counted = (const int32_t *)(state + kQueries);
  const int first = counted[0] - (number - 1) * KEYS, last = TOTAL - counted[1] - (number - 1) * KEYS;
  if (last <= 0 || first >= int(KEYS)) return;
  aie::set_rounding(aie::rounding_mode::conv_even);
  const bfloat16 *__restrict high = (const bfloat16 *)(state + kQueries + 16), *__restrict values = chunk + HEAD * KEYS;
  float *scores = state + kScores;
  bfloat16 *powers = (bfloat16 *)(state + kPowers);
  set_scores(high, high + QUERIES * HEAD, chunk, first, last, scores);
  aie::vector<bfloat16, 16> kept[QUERIES];
  for (unsigned g = 0; g < QUERIES; ++g) {
    const auto before = aie::load_v<16>(state + kGreatest + g * 16);
    auto most = before;
    for (unsigned t = 0; t < KEYS; t += 16) most = aie::max(most, aie::load_v<16>(scores + g * KEYS + t));
    const auto now = aie::broadcast<float, 16>(aie::reduce_max(most));
    kept[g] = power(aie::sub(before, now));
    auto sums = times<16>(aie::load_v<16>(state + kSums + g * 16), kept[g]);
    for (unsigned t = 0; t < KEYS; t += 16) {
      const auto made = power(aie::sub(aie::load_v<16>(scores + g * KEYS + t), now));
      aie::store_v(powers + g * KEYS + t, made);
      sums = aie::mac(sums, made, aie::broadcast<bfloat16, 16>(bfloat16(1.0f)));
    }
    aie::store_v(state + kGreatest + g * 16, now);
    aie::store_v(state + kSums + g * 16, sums.to_vector<float>());
  }
  for (unsigned d = 0; d < HEAD; d += kLanes) {
    aie::accum<accfloat, kLanes> sums[QUERIES];
    for (unsigned g = 0; g < QUERIES; ++g)
      sums[g] = times<kLanes>(aie::load_v<kLanes>(state + g * HEAD + d), aie::broadcast<bfloat16, kLanes>(kept[g][0]));
    for (unsigned t = 0; t < KEYS; ++t) {
      const auto value = aie::load_v<kLanes>(values + t * HEAD + d);
      for (unsigned g = 0; g < QUERIES; ++g)
        sums[g] = aie::mac(sums[g], value, aie::broadcast<bfloat16, kLanes>(powers[g * KEYS + t]));
    }
    for (unsigned g = 0; g < QUERIES; ++g) aie::store_v(state + g * HEAD + d, sums[g].to_vector<float>());
  }
}
