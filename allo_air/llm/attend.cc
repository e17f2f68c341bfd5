// Attention of a token's queries to a chunk of keys and values; sums go on from chunk to chunk.
#include <stdint.h>
#include <aie_api/aie.hpp>
#include "powers.h"

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

// Two neighbours of a row in each pair of lanes.
static inline aie::vector<bfloat16, 32> pair(const bfloat16 *__restrict x) {
  return aie::broadcast<int32, 16>(*(const int32_t *)x).cast_to<bfloat16>();
}

static inline void set_scores(const bfloat16 *__restrict high, const bfloat16 *__restrict low, const bfloat16 *__restrict keys,
                              int first, int last, float *__restrict scores) {
  for (unsigned block = 0; block < KEYS; block += 16) {
    aie::accum<accfloat, 32> sums[QUERIES];
    for (unsigned g = 0; g < QUERIES; ++g) sums[g] = aie::zeros<accfloat, 32>();
    for (unsigned d = 0; d < HEAD; d += 2) {
      const auto key = aie::load_v<32>(keys + d * KEYS + 2 * block);
      for (unsigned g = 0; g < QUERIES; ++g) {
        sums[g] = aie::mac(sums[g], key, pair(high + g * HEAD + d));
        sums[g] = aie::mac(sums[g], key, pair(low + g * HEAD + d));
      }
    }
    const auto place = aie::add(aie::load_v<16>(kPlaces), aie::broadcast<float, 16>(float(int(block))));
    const auto before = aie::lt(place, aie::broadcast<float, 16>(float(first)));
    const auto behind = aie::ge(place, aie::broadcast<float, 16>(float(last)));
    const auto hidden = before | behind;
    for (unsigned g = 0; g < QUERIES; ++g) {
      const auto both = sums[g].to_vector<float>();
      const auto found = aie::add(aie::filter_even(both), aie::filter_odd(both));
      aie::store_v(scores + g * KEYS + block, aie::select(found, aie::broadcast<float, 16>(kLeast), hidden));
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

// Chunk 0 begins; others are keys [HEAD / 2, KEYS, 2] and values [KEYS, HEAD].
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

extern "C" {
// The same, of a buffer that holds weights at other times.
void attend_bytes(int32_t number, const int8 *__restrict chunk, float *__restrict state) {
  attend_chunk(number, (const bfloat16 *)chunk, state);
}

// 16 floats of a core's results.
void give_state(int32_t number, const float *__restrict state, float *__restrict results) {
  aie::store_v(results, aie::load_v<16>(state + 16 * number));
}
}
