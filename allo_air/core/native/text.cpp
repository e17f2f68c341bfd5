// Values in printed text get other names.
#include "text.h"

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '$' || c == '.' || c == '_' || c == '-'; }

} // namespace

Py_ssize_t end_of_string(const char *text, Py_ssize_t at, Py_ssize_t size) {
  for (Py_ssize_t i = at + 1; i < size; ++i) {
    if (text[i] == '"')
      return i + 1;
    if (text[i] == '\n')
      return at;
    if (text[i] == '\\' && (++i == size || text[i] == '\n'))
      return at;
  }
  return at;
}

Py_ssize_t end_of_value(const char *text, Py_ssize_t at, Py_ssize_t size, bool only_numbers) {
  Py_ssize_t i = at;
  if (i < size && is_digit(text[i]))
    while (i < size && is_digit(text[i]))
      ++i;
  else if (!only_numbers && i < size && is_letter(text[i]))
    while (i < size && (is_letter(text[i]) || is_digit(text[i])))
      ++i;
  if (only_numbers || i == at || i + 1 >= size || text[i] != '#' || !is_digit(text[i + 1]))
    return i;
  ++i;
  while (i < size && is_digit(text[i]))
    ++i;
  return i;
}

bool read_ascii(PyObject *object, const char *&text, Py_ssize_t &size) {
  if (!PyUnicode_Check(object) || !PyUnicode_IS_ASCII(object))
    return false;
  text = reinterpret_cast<const char *>(PyUnicode_1BYTE_DATA(object));
  size = PyUnicode_GET_LENGTH(object);
  return true;
}

PyObject *string_of(const std::string &text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
}

PyObject *rename_in(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  if (count != 3 || !PyUnicode_Check(arguments[0]) || !PyDict_Check(arguments[1])) {
    PyErr_SetString(PyExc_TypeError, "expected a line, a dict of names, and whether these are numbers");
    return nullptr;
  }
  const char *text;
  Py_ssize_t size, copied = 0;
  if (!read_ascii(arguments[0], text, size))
    Py_RETURN_NOTIMPLEMENTED;
  bool only_numbers = PyObject_IsTrue(arguments[2]);
  std::string made;
  bool good = each_value(text, size, only_numbers, [&](Py_ssize_t begin, Py_ssize_t end) {
    Py_ssize_t start = only_numbers ? begin : begin - 1;
    PyObject *key = PyUnicode_FromStringAndSize(text + start, end - start);
    PyObject *name = key ? PyDict_GetItemWithError(arguments[1], key) : nullptr;
    Py_XDECREF(key);
    if (!name)
      return !PyErr_Occurred();
    Py_ssize_t length;
    const char *data = PyUnicode_AsUTF8AndSize(name, &length);
    if (!data)
      return false;
    made.append(text + copied, static_cast<size_t>(begin - 1 - copied)).append(data, static_cast<size_t>(length));
    copied = end;
    return true;
  });
  if (!good)
    return nullptr;
  if (!copied)
    return Py_NewRef(arguments[0]);
  return string_of(made.append(text + copied, static_cast<size_t>(size - copied)));
}

PyObject *named_values(PyObject *, PyObject *given) {
  const char *text;
  Py_ssize_t size;
  if (!read_ascii(given, text, size))
    Py_RETURN_NOTIMPLEMENTED;
  PyObject *names = PySet_New(nullptr);
  for (Py_ssize_t i = 0; names && i < size;) {
    Py_ssize_t end = text[i] == '%' ? end_of_value(text, i + 1, size, false) : i + 1;
    if (end != i + 1 && !is_digit(text[i + 1])) {
      PyObject *name = PyUnicode_FromStringAndSize(text + i, end - i);
      if (!name || PySet_Add(names, name) < 0)
        Py_CLEAR(names);
      Py_XDECREF(name);
    }
    i = end;
  }
  return names;
}
