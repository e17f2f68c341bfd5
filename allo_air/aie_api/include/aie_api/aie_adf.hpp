#include "aie.hpp"
