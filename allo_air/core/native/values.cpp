// What values and lists of operands are, asked one by one: to the point, as each question is asked thousands of times.
#include "arguments.h"
#include "functions.h"
#include <cstring>

namespace {

bool is_called(Handle identifier, Text wanted) {
  Text text = api.text_of(identifier);
  return text.size == wanted.size && std::memcmp(text.data, wanted.data, wanted.size) == 0;
}

// Whether a number of this type is what its 64 bits say, sign and all.
bool is_plain(Handle type) {
  return api.is_index(type) || (api.is_integer(type) && api.is_signless(type) && api.width(type) >= 2 && api.width(type) <= 64);
}

} // namespace

PyObject *constant_of(PyObject *, PyObject *capsule) {
  const char *kind;
  Handle value = operation_in(capsule, kind);
  if (!value.pointer)
    return nullptr;
  if (!api.is_result(value))
    Py_RETURN_NONE;
  Handle owner = api.result_owner(value);
  if (!is_called(api.name_of(owner), {"arith.constant", 14}))
    Py_RETURN_NONE;
  Handle type = api.type_of(value);
  if (!api.is_index(type) && !api.is_integer(type))
    Py_RETURN_NONE;
  if (!is_plain(type))
    Py_RETURN_NOTIMPLEMENTED;
  Handle attribute = api.named_attribute(owner, {"value", 5});
  if (!attribute.pointer || !api.is_integer_attribute(attribute))
    Py_RETURN_NOTIMPLEMENTED;
  return PyLong_FromLongLong(api.integer(attribute));
}

PyObject *integer_of(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  const char *kind;
  Handle operation = first_of(arguments, count, 2, kind);
  Py_ssize_t size;
  const char *name = operation.pointer ? PyUnicode_AsUTF8AndSize(arguments[1], &size) : nullptr;
  if (!name)
    return nullptr;
  Handle attribute = api.named_attribute(operation, {name, static_cast<size_t>(size)});
  if (!attribute.pointer)
    Py_RETURN_NONE;
  if (!api.is_integer_attribute(attribute) || !is_plain(api.attribute_type(attribute)))
    Py_RETURN_NOTIMPLEMENTED;
  return PyLong_FromLongLong(api.integer(attribute));
}

PyObject *span_of(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  const char *kind;
  Handle operation = first_of(arguments, count, 4, kind);
  if (!operation.pointer)
    return nullptr;
  Py_ssize_t size;
  const char *name = PyUnicode_AsUTF8AndSize(arguments[1], &size);
  Py_ssize_t first = PyLong_AsSsize_t(arguments[2]), slots = PyLong_AsSsize_t(arguments[3]);
  if (!name || PyErr_Occurred())
    return nullptr;
  Handle sizes = api.named_attribute(operation, {name, static_cast<size_t>(size)});
  if (!sizes.pointer)
    return Py_BuildValue("(ii)", 0, 0);
  long before = 0, inside = 0;
  for (Py_ssize_t i = 0; i < first + slots; ++i)
    (i < first ? before : inside) += api.i32_element(sizes, i);
  return Py_BuildValue("(ll)", before, inside);
}
