// The C functions that compiled cores call.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace sim {
std::map<std::string, uint64_t> symbols();
}
