// Functions that Python calls and that have files of their own.
#pragma once
#include "arguments.h"

PyObject *constant_of(PyObject *, PyObject *capsule);
PyObject *integer_of(PyObject *, PyObject *const *arguments, Py_ssize_t count);
PyObject *named_values(PyObject *, PyObject *text);
PyObject *printed(PyObject *, PyObject *const *arguments, Py_ssize_t count);
PyObject *rename_in(PyObject *, PyObject *const *arguments, Py_ssize_t count);
PyObject *renumbered(PyObject *, PyObject *text);
PyObject *span_of(PyObject *, PyObject *const *arguments, Py_ssize_t count);
