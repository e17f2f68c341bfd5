// The transition system for Python.
#pragma once
#include <nanobind/nanobind.h>

void bindOrders(nanobind::module_ &module);
