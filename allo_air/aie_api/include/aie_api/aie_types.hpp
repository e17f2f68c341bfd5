// The types alone, which aie.hpp declares.
#pragma once
#include "aie.hpp"
