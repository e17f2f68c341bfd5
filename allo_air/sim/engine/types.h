// Words, cycles and the names of things that act on the array.
#pragma once
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

namespace sim {

using Cycle = int64_t;
using Word = uint32_t;
constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

enum Direction : int { kS2MM = 0, kMM2S = 1 };
enum class TileKind { Core, Mem, Shim };

// Who did something. Numbers that do not apply are -1.
struct Actor {
  int col = -1, row = -1;
  const char *unit = "host"; // "core", "dma", "controller", "stream", "lock", "host"
  int direction = -1, channel = -1, bd = -1;
  int64_t site = -1;
  bool operator==(const Actor &o) const {
    return col == o.col && row == o.row && direction == o.direction && channel == o.channel && bd == o.bd && site == o.site &&
           std::strcmp(unit, o.unit) == 0;
  }
};

inline std::string tileName(int col, int row) { return "tile (" + std::to_string(col) + ", " + std::to_string(row) + ")"; }

} // namespace sim
