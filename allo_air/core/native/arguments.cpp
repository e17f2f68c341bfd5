#include "arguments.h"
#include <cstring>

Handle operation_in(PyObject *capsule, const char *&kind) {
  kind = PyCapsule_GetName(capsule);
  return {kind ? PyCapsule_GetPointer(capsule, kind) : nullptr};
}

Handle first_of(PyObject *const *arguments, Py_ssize_t count, Py_ssize_t wanted, const char *&kind) {
  if (count == wanted)
    return operation_in(arguments[0], kind);
  PyErr_Format(PyExc_TypeError, "expected %zd arguments, got %zd", wanted, count);
  return {nullptr};
}

Handle named_of(PyObject *const *arguments, Py_ssize_t count, Py_ssize_t wanted, const char *&kind, Names &found) {
  Handle operation = first_of(arguments, count, wanted, kind);
  return operation.pointer && read_names(api.context_of(operation), arguments[1], found) ? operation : Handle{nullptr};
}

bool read_names(Handle context, PyObject *tuple, Names &found) {
  if (!PyTuple_Check(tuple)) {
    PyErr_SetString(PyExc_TypeError, "expected a tuple of names");
    return false;
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    Py_ssize_t size;
    const char *data = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(tuple, i), &size);
    if (!data)
      return false;
    found.push_back(api.identifier(context, {data, static_cast<size_t>(size)}).pointer);
  }
  std::sort(found.begin(), found.end());
  return true;
}

bool read_operations(PyObject *list, std::vector<Handle> &found) {
  if (!PyList_Check(list)) {
    PyErr_SetString(PyExc_TypeError, "expected a list of operations");
    return false;
  }
  const char *kind;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
    found.push_back(operation_in(PyList_GET_ITEM(list, i), kind));
    if (!found.back().pointer)
      return false;
  }
  return true;
}

bool read_waiting(Handle context, PyObject *tuple, Waiting &found) {
  PyObject *waiting, *only_deps;
  const char *join;
  Py_ssize_t reach, copies;
  if (!PyArg_ParseTuple(tuple, "OOsnn", &waiting, &only_deps, &join, &reach, &copies))
    return false;
  found.join = api.identifier(context, {join, strlen(join)}).pointer;
  found.reach = static_cast<size_t>(reach);
  found.copies = static_cast<size_t>(copies);
  return read_names(context, waiting, found.waiting) && read_names(context, only_deps, found.only_deps);
}

bool read_touching(Handle context, PyObject *tuple, Touching &found) {
  PyObject *plain, *views, *hierarchies, *moved;
  Py_ssize_t most_deps, most_uses;
  if (!PyArg_ParseTuple(tuple, "OOOO!nn", &plain, &views, &hierarchies, &PyTuple_Type, &moved, &most_deps, &most_uses))
    return false;
  found.most_deps = static_cast<size_t>(most_deps);
  found.most_uses = static_cast<size_t>(most_uses);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(moved); ++i) {
    const char *name;
    Py_ssize_t read, written;
    if (!PyArg_ParseTuple(PyTuple_GET_ITEM(moved, i), "snn", &name, &read, &written))
      return false;
    found.moved.push_back({api.identifier(context, {name, strlen(name)}).pointer, read, written});
  }
  return read_names(context, plain, found.plain) && read_names(context, views, found.views) &&
         read_names(context, hierarchies, found.hierarchies);
}
