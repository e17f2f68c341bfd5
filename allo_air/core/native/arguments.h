// What functions that Python calls take.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "api.h"

// The operation in a capsule; null, with an error set, where it is none. Its capsule's name is that of all operations.
Handle operation_in(PyObject *capsule, const char *&kind);

// The operation that is the first of `wanted` arguments; null, with an error set, where there are not so many.
Handle first_of(PyObject *const *arguments, Py_ssize_t count, Py_ssize_t wanted, const char *&kind);

// The same, with the names in the second argument.
Handle named_of(PyObject *const *arguments, Py_ssize_t count, Py_ssize_t wanted, const char *&kind, Names &found);

// The names in a tuple; false, with an error set, where it is none. So are those below.
bool read_names(Handle context, PyObject *tuple, Names &found);

// The operations in a list of capsules.
bool read_operations(PyObject *list, std::vector<Handle> &found);

// What a tuple `(waiting, only_deps, join, reach, copies)` says.
bool read_waiting(Handle context, PyObject *tuple, Waiting &found);

// What a tuple `(plain, views, hierarchies, moved, most_deps, most_uses)` says, `moved` of triples `(name, read, written)`.
bool read_touching(Handle context, PyObject *tuple, Touching &found);
