// Operations as text: the bindings call Python for each word that MLIR prints, which takes longer than to print it.
#include "functions.h"
#include <string>

namespace {

void add(Text piece, void *text) { static_cast<std::string *>(text)->append(piece.data, piece.size); }

// A limit, of which -1 is none.
bool read_limit(PyObject *object, intptr_t &limit) {
  limit = object == Py_None ? -1 : PyLong_AsSsize_t(object);
  return !PyErr_Occurred();
}

} // namespace

PyObject *printed(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  const char *kind;
  Handle operation = first_of(arguments, count, 8, kind);
  intptr_t elements, resources;
  if (!operation.pointer || !read_limit(arguments[6], elements) || !read_limit(arguments[7], resources))
    return nullptr;
  auto wants = [&](int which) { return PyObject_IsTrue(arguments[which]) == 1; };
  Handle flags = api.printing_flags();
  if (elements >= 0)
    api.elide_elements(flags, elements);
  if (resources >= 0)
    api.elide_resources(flags, resources);
  if (wants(2))
    api.print_locations(flags, true, wants(3));
  if (wants(1))
    api.print_generic(flags);
  if (wants(4))
    api.print_local_scope(flags);
  if (wants(5))
    api.skip_regions(flags);
  api.assume_verified(flags);
  std::string text;
  api.print(operation, flags, add, &text);
  api.destroy_flags(flags);
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
}
