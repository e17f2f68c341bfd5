// Vectors, masks and accumulators.
#pragma once

#include "access.hpp"

namespace aie {
template <typename Tag, unsigned N>
class accum;
template <typename T, unsigned N>
class block_vector;
}  // namespace aie

namespace allo_aie {
template <typename T, unsigned N>
aie::block_vector<T, N> to_blocks(const aie::accum<accfloat, N> &a);
}  // namespace allo_aie

namespace aie {

inline constexpr unsigned vector_decl_align = 32;

template <typename T>
inline constexpr unsigned native_vector_length_v = 512 / allo_aie::bits_of<T>;

/// N lanes of T; lane 0 is at the lowest address.
template <typename T, unsigned N = native_vector_length_v<T>>
class vector : allo_aie::Value {
 public:
  using value_type = T;
  using native_type = vector;

  vector() = default;
  vector(const vector &v) : Value(v) { copy(v); }
  vector &operator=(const vector &v) {
    copy(v);
    return *this;
  }
  /// The first lanes; those that are not given are 0.
  template <typename... U, typename = std::enable_if_t<(sizeof...(U) > 0 && sizeof...(U) <= N && (allo_aie::is_element<U> && ...))>>
  explicit vector(U... x) : lanes{T(x)...} {}
  /// Parts behind one another.
  template <unsigned M, typename... Rest, typename = std::enable_if_t<(M < N && sizeof...(Rest) == N / M - 1)>>
  explicit vector(const vector<T, M> &first, const Rest &...rest) {
    unsigned part = 0;
    insert(part, first);
    (insert(++part, rest), ...);
  }

  /// The same bits as another vector, as a cast of the core's own types gives them: `(v32uint8)x`.
  template <typename U, unsigned M,
            typename = std::enable_if_t<(!std::is_same_v<U, T> && M * allo_aie::bits_of<U> == N * allo_aie::bits_of<T>)>>
  explicit vector(const vector<U, M> &v) : vector(v.template cast_to<T>()) {}

  static constexpr unsigned size() { return N; }
  static constexpr unsigned bits() { return N * allo_aie::bits_of<T>; }
  static constexpr unsigned type_bits() { return allo_aie::bits_of<T>; }
  static constexpr bool is_signed() { return allo_aie::is_signed<T>; }

  T get(unsigned i) const { return (*this)[i]; }
  void set(T x, unsigned i) { lanes[at(i)] = x; }
  T &operator[](unsigned i) { return lanes[at(i)]; }
  const T &operator[](unsigned i) const {
    if (i % N == 0) allo_aie::taken(lanes, sizeof(lanes));
    allo_aie::reads(this);
    return lanes[at(i)];
  }
  T *begin() { return lanes; }
  const T *begin() const { return lanes; }
  T *end() { return lanes + N; }
  const T *end() const { return lanes + N; }

  /// Moves all lanes up by one and puts `x` into lane 0.
  vector &push(T x) {
    for (unsigned i = N - 1; i > 0; --i) lanes[i] = lanes[i - 1];
    lanes[0] = x;
    return *this;
  }
  template <unsigned M>
  vector<T, M> extract(unsigned part) const {
    static_assert(N % M == 0, "extract: the part's length divides the vector's");
    if (part >= N / M) allo_aie::fail("extract<%u>(%u) of a vector of %u", M, part, N);
    allo_aie::taken(lanes, sizeof(lanes));
    vector<T, M> made;
    allo_aie::reads(this);
    for (unsigned i = 0; i < M; ++i) made[i] = lanes[part * M + i];
    return made;
  }
  template <unsigned M>
  vector &insert(unsigned part, const vector<T, M> &v) {
    static_assert(N % M == 0, "insert: the part's length divides the vector's");
    if (part >= N / M) allo_aie::fail("insert at %u of a vector of %u", part, N);
    allo_aie::changes(this);
    for (unsigned i = 0; i < M; ++i) lanes[part * M + i] = v[i];
    return *this;
  }
  template <unsigned M>
  std::array<vector<T, M>, N / M> split() const {
    std::array<vector<T, M>, N / M> made;
    for (unsigned i = 0; i < N / M; ++i) made[i] = extract<M>(i);
    return made;
  }
  template <unsigned M>
  vector<T, M> grow(unsigned part = 0) const {
    vector<T, M> made{};
    return made.insert(part, *this);
  }
  template <unsigned M>
  vector<T, M> grow_replicate() const {
    vector<T, M> made;
    for (unsigned i = 0; i < M / N; ++i) made.insert(i, *this);
    return made;
  }
  /// The same bits as lanes of another type.
  template <typename U>
  vector<U, N * allo_aie::bits_of<T> / allo_aie::bits_of<U>> cast_to() const;
  auto unpack() const;
  auto pack() const;
  auto unpack_sign(bool is_signed) const;
  auto pack_sign(bool is_signed) const;
  void load(const T *from);
  void store(T *to) const;
  vector to_native() const { return *this; }

 private:
  static unsigned at(unsigned i) {
    if (i >= N) allo_aie::fail("lane %u of a vector of %u", i, N);
    return i;
  }
  void copy(const vector &v) {
    allo_aie::copied(&v, this, sizeof(lanes));
    std::memmove(lanes, v.lanes, sizeof(lanes));
  }
  T lanes[N];
};

/// One bit a lane.
template <unsigned N>
class mask : allo_aie::Value {
 public:
  mask() : lanes{} {}
  static constexpr unsigned size() { return N; }
  bool test(unsigned i) const {
    allo_aie::reads(this);
    return lanes[i];
  }
  void set(unsigned i, bool on = true) { lanes[i] = on; }
  void clear(unsigned i) { lanes[i] = false; }
  void toggle(unsigned i) { lanes[i] = !lanes[i]; }
  void set() { *this = ~mask(); }
  void clear() { *this = mask(); }
  bool full() const { return count() == N; }
  bool empty() const { return count() == 0; }
  unsigned count() const {
    unsigned n = 0;
    for (bool on : lanes) n += on;
    return n;
  }
  unsigned clz() const {
    unsigned n = 0;
    while (n < N && !lanes[N - 1 - n]) ++n;
    return n;
  }
  std::uint64_t to_uint64() const {
    std::uint64_t made = 0;
    for (unsigned i = 0; i < N && i < 64; ++i) made |= std::uint64_t(lanes[i]) << i;
    return made;
  }
  std::uint32_t to_uint32() const { return static_cast<std::uint32_t>(to_uint64()); }
  /// Words of 64 or 32 lanes, the first for lane 0 and on.
  template <typename... Words>
  static mask from_uint64(Words... words) {
    return of_words<64>({std::uint64_t(words)...});
  }
  template <typename... Words>
  static mask from_uint32(Words... words) {
    return of_words<32>({std::uint64_t(words)...});
  }
  /// The core's own comparisons give words, which its `sel` takes.
  operator std::conditional_t<(N <= 32), std::uint32_t, std::uint64_t>() const requires(N <= 64) {
    return static_cast<std::conditional_t<(N <= 32), std::uint32_t, std::uint64_t>>(to_uint64());
  }
  template <unsigned M>
  mask<M> extract(unsigned part) const {
    mask<M> made;
    for (unsigned i = 0; i < M; ++i) made.set(i, test(part * M + i));
    return made;
  }
  mask operator~() const { return each([](bool a, bool) { return !a; }, *this); }
  mask operator&(const mask &b) const { return each([](bool a, bool b) { return a && b; }, b); }
  mask operator|(const mask &b) const { return each([](bool a, bool b) { return a || b; }, b); }
  mask operator^(const mask &b) const { return each([](bool a, bool b) { return a != b; }, b); }
  mask &operator&=(const mask &b) { return *this = *this & b; }
  mask &operator|=(const mask &b) { return *this = *this | b; }
  mask &operator^=(const mask &b) { return *this = *this ^ b; }
  mask operator<<(unsigned n) const {
    mask made;
    for (unsigned i = n; i < N; ++i) made.lanes[i] = test(i - n);
    return made;
  }
  mask &operator<<=(unsigned n) { return *this = *this << n; }
  mask &operator>>=(unsigned n) { return *this = *this >> n; }
  mask operator>>(unsigned n) const {
    mask made;
    for (unsigned i = n; i < N; ++i) made.lanes[i - n] = test(i);
    return made;
  }

 private:
  template <typename F>
  mask each(F f, const mask &b) const {
    mask made;
    for (unsigned i = 0; i < N; ++i) made.lanes[i] = f(test(i), b.test(i));
    return made;
  }
  template <unsigned Width>
  static mask of_words(std::initializer_list<std::uint64_t> words) {
    mask made;
    for (unsigned i = 0; i < N && i < Width * words.size(); ++i) made.lanes[i] = words.begin()[i / Width] >> i % Width & 1;
    return made;
  }
  bool lanes[N];
};

template <typename Tag>
struct accumulator {
  using type = std::int64_t;
  static constexpr unsigned bits = std::is_same_v<Tag, acc32> ? 32 : std::is_same_v<Tag, acc48> ? 48 : 64;
  /// A lane keeps its width: what is beyond falls away.
  static type kept(__int128 x) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << (64 - bits)) >> (64 - bits);
  }
};
template <>
struct accumulator<accfloat> {
  using type = float;
  static constexpr unsigned bits = 32;
  static type kept(float x) { return x; }
};

/// N lanes of an accumulator.
template <typename Tag, unsigned N>
class accum : allo_aie::Value {
 public:
  using value_type = Tag;
  using lane_type = typename accumulator<Tag>::type;
  static constexpr bool floating = std::is_same_v<Tag, accfloat>;

  accum() = default;
  template <typename T>
  explicit accum(const vector<T, N> &v, int shift = 0) {
    from_vector(v, shift);
  }
  template <typename T>
  explicit accum(const block_vector<T, N> &v) {
    static_assert(floating, "blocks go into an accumulator of floats");
    for (unsigned i = 0; i < N; ++i) lanes[i] = v[i];
    allo_aie::issue_conversion(N, true);
  }
  template <typename Other, typename = std::enable_if_t<accum<Other, N>::floating == floating && !std::is_same_v<Other, Tag>>>
  accum(const accum<Other, N> &a) {
    for (unsigned i = 0; i < N; ++i) (*this)[i] = accumulator<Tag>::kept(a[i]);
  }

  static constexpr unsigned size() { return N; }
  static constexpr unsigned bits() { return N * accumulator<Tag>::bits; }
  static constexpr bool is_floating_point() { return floating; }

  template <typename T>
  void from_vector(const vector<T, N> &v, int shift = 0) {
    allo_aie::begin(this);
    for (unsigned i = 0; i < N; ++i) {
      if constexpr (floating)
        lanes[i] = float(v[i]);
      else
        lanes[i] = accumulator<Tag>::kept(allo_aie::shifted(__int128(v[i]), -shift, 0));
    }
    if (!std::is_same_v<T, float>) allo_aie::issue_conversion(N, floating);
  }
  /// Shifted right, rounded and saturated as the core is set to.
  template <typename T>
  auto to_vector(int shift = 0) const;
  /// The same for a type that is signed or not only when the kernel runs.
  template <typename T>
  vector<T, N> to_vector_sign(bool is_signed, int shift = 0) const {
    if (is_signed == allo_aie::is_signed<T>) return to_vector<T>(shift);
    using U = std::conditional_t<allo_aie::is_signed<T>, std::make_unsigned<T>, std::make_signed<T>>;
    return to_vector<typename U::type>(shift).template cast_to<T>();
  }
  template <typename T>
  operator vector<T, N>() const {
    return to_vector<T>();
  }

  template <unsigned M>
  accum<Tag, M> extract(unsigned part) const {
    accum<Tag, M> made;
    for (unsigned i = 0; i < M; ++i) made[i] = (*this)[part * M + i];
    return made;
  }
  template <unsigned M>
  accum &insert(unsigned part, const accum<Tag, M> &a) {
    allo_aie::changes(this);
    for (unsigned i = 0; i < M; ++i) lanes[part * M + i] = a[i];
    return *this;
  }
  template <unsigned M>
  accum<Tag, M> grow(unsigned part = 0) const {
    accum<Tag, M> made{};
    return made.insert(part, *this);
  }
  template <typename U>
  accum<U, N> cast_to() const {
    return accum<U, N>(*this);
  }
  accum to_native() const { return *this; }

  lane_type &operator[](unsigned i) { return lanes[i]; }
  const lane_type &operator[](unsigned i) const {
    allo_aie::reads(this);
    return lanes[i];
  }

 private:
  lane_type lanes[N];
};

}  // namespace aie
