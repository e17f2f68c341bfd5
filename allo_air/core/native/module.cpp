// Walks over MLIR's operations: through the bindings, which call Python for each, one costs 0.4 us, of a few that are looked for 0.01.
#include "arguments.h"
#include "functions.h"
#include <unordered_set>

namespace {

struct Search {
  Names wanted; // none: all operations
  std::vector<Handle> found;
};

int visit(Handle operation, void *data) {
  auto &search = *static_cast<Search *>(data);
  void *name = search.wanted.empty() ? nullptr : api.name_of(operation).pointer;
  if (!name || holds(search.wanted, {name}))
    search.found.push_back(operation);
  return 0; // go on
}

int note_name(Handle operation, void *data) {
  static_cast<std::unordered_set<void *> *>(data)->insert(api.name_of(operation).pointer);
  return 0;
}

PyObject *open_library(PyObject *, PyObject *path) {
  const char *text = PyUnicode_AsUTF8(path);
  return text ? PyBool_FromLong(find_functions(text)) : nullptr;
}

PyObject *names(PyObject *, PyObject *capsule) {
  const char *kind;
  Handle operation = operation_in(capsule, kind);
  if (!operation.pointer)
    return nullptr;
  std::unordered_set<void *> found;
  api.walk(operation, note_name, &found, Order::pre);
  PyObject *set = PySet_New(nullptr);
  for (void *name : found) {
    Text text = api.text_of({name});
    PyObject *made = set ? PyUnicode_FromStringAndSize(text.data, static_cast<Py_ssize_t>(text.size)) : nullptr;
    if (!made || PySet_Add(set, made) < 0)
      Py_CLEAR(set);
    Py_XDECREF(made);
  }
  return set;
}

PyObject *bytes_of(const Words &words) {
  return PyBytes_FromStringAndSize(reinterpret_cast<const char *>(words.data()),
                                   static_cast<Py_ssize_t>(words.size() * sizeof(uintptr_t)));
}

PyObject *structure_of(PyObject *, PyObject *capsule) {
  const char *kind;
  Handle operation = operation_in(capsule, kind);
  return operation.pointer ? bytes_of(structure(operation)) : nullptr;
}

const char *const OUTER = "allo_air.outer";

// Bytes as of `structure`, in which values from outside are told apart and places count, and a capsule of these values.
PyObject *outline_of(PyObject *, PyObject *capsule) {
  const char *kind;
  Handle operation = operation_in(capsule, kind);
  if (!operation.pointer)
    return nullptr;
  Outline found = outline(operation);
  PyObject *outer = PyCapsule_New(new std::vector<Handle>(std::move(found.outer)), OUTER, [](PyObject *held) {
    delete static_cast<std::vector<Handle> *>(PyCapsule_GetPointer(held, OUTER));
  });
  PyObject *bytes = outer ? bytes_of(found.words) : nullptr;
  return bytes ? Py_BuildValue("(NN)", bytes, outer) : nullptr;
}

// A list of what `create` makes of each operation's capsule, of that `kind`.
PyObject *list_of(const std::vector<Handle> &operations, const char *kind, PyObject *create) {
  PyObject *list = PyList_New(static_cast<Py_ssize_t>(operations.size()));
  for (size_t i = 0; list && i < operations.size(); ++i) {
    PyObject *capsule = PyCapsule_New(operations[i].pointer, kind, nullptr);
    PyObject *made = capsule ? PyObject_CallOneArg(create, capsule) : nullptr;
    Py_XDECREF(capsule);
    if (!made)
      Py_CLEAR(list);
    else
      PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), made);
  }
  return list;
}

PyObject *walk(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  const char *kind;
  Search search;
  Handle operation = named_of(arguments, count, 4, kind, search.wanted);
  if (!operation.pointer)
    return nullptr;
  api.walk(operation, visit, &search, PyObject_IsTrue(arguments[3]) ? Order::post : Order::pre);
  return list_of(search.found, kind, arguments[2]);
}

PyObject *dependences_of(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  const char *kind;
  Names wanted, ignored;
  Handle root = named_of(arguments, count, 3, kind, wanted);
  if (!root.pointer || !read_names(api.context_of(root), arguments[2], ignored))
    return nullptr;
  return bytes_of(dependences(root, wanted, ignored));
}

// For each operation of the `wanted` names bytes that say what it accesses, in pre-order.
PyObject *accesses_of(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  const char *kind;
  Search search;
  Names through, ignored;
  Handle root = named_of(arguments, count, 4, kind, search.wanted);
  if (!root.pointer || !read_names(api.context_of(root), arguments[2], through) ||
      !read_names(api.context_of(root), arguments[3], ignored))
    return nullptr;
  if (!search.wanted.empty())
    api.walk(root, visit, &search, Order::pre);
  PyObject *list = PyList_New(static_cast<Py_ssize_t>(search.found.size()));
  for (size_t i = 0; list && i < search.found.size(); ++i) {
    PyObject *made = bytes_of(access(search.found[i], through, ignored));
    if (!made)
      Py_CLEAR(list);
    else
      PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), made);
  }
  return list;
}

PyObject *skeleton_of(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  const char *kind;
  Names free;
  Handle operation = named_of(arguments, count, 2, kind, free);
  if (!operation.pointer)
    return nullptr;
  Skeleton found = skeleton(operation, free);
  return Py_BuildValue("(NN)", bytes_of(found.words), bytes_of(found.numbers));
}

// A list of pairs: the operation that takes a value, and the value's place there.
PyObject *pairs_of(const Takers &takers, const char *kind, PyObject *create) {
  PyObject *list = list_of(takers.operations, kind, create);
  for (size_t i = 0; list && i < takers.places.size(); ++i) {
    auto at = static_cast<Py_ssize_t>(i);
    PyObject *pair = Py_BuildValue("(On)", PyList_GET_ITEM(list, at), static_cast<Py_ssize_t>(takers.places[i]));
    if (!pair || PyList_SetItem(list, at, pair) < 0)
      Py_CLEAR(list);
  }
  return list;
}

PyObject *memrefs_of(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  const char *kind;
  Names skipped;
  Handle operation = named_of(arguments, count, 3, kind, skipped);
  return operation.pointer ? pairs_of(takers_of_memrefs(operation, skipped), kind, arguments[2]) : nullptr;
}

PyObject *outer_of(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  const char *kind;
  Handle operation = first_of(arguments, count, 2, kind);
  return operation.pointer ? pairs_of(takers_of_outer(operation), kind, arguments[1]) : nullptr;
}

PyObject *copy_constants(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  const char *kind;
  Names wanted;
  Handle operation = named_of(arguments, count, 3, kind, wanted);
  return operation.pointer ? list_of(copy_inside(operation, wanted), kind, arguments[2]) : nullptr;
}

PyObject *remap_in(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  const char *kind;
  Handle operation = first_of(arguments, count, 3, kind);
  if (!operation.pointer)
    return nullptr;
  auto *from = static_cast<std::vector<Handle> *>(PyCapsule_GetPointer(arguments[1], OUTER));
  auto *to = from ? static_cast<std::vector<Handle> *>(PyCapsule_GetPointer(arguments[2], OUTER)) : nullptr;
  if (!to)
    return nullptr;
  if (from->size() != to->size()) {
    PyErr_SetString(PyExc_ValueError, "expected as many values as there were");
    return nullptr;
  }
  remap(operation, *from, *to);
  Py_RETURN_NONE;
}

PyObject *first_indirect_of(PyObject *, PyObject *arguments) {
  PyObject *list, *names;
  Py_ssize_t start;
  std::vector<Handle> ops;
  Waiting waiting;
  if (!PyArg_ParseTuple(arguments, "OO!n", &list, &PyTuple_Type, &names, &start) || !read_operations(list, ops))
    return nullptr;
  if (ops.empty())
    return PyLong_FromLong(-1);
  if (!read_waiting(api.context_of(ops.front()), names, waiting))
    return nullptr;
  return PyLong_FromSsize_t(first_indirect(ops, waiting, start));
}

PyObject *first_false_of(PyObject *, PyObject *arguments) {
  PyObject *list, *names, *more;
  std::vector<Handle> ops;
  Waiting waiting;
  Touching touching;
  if (!PyArg_ParseTuple(arguments, "OO!O!", &list, &PyTuple_Type, &names, &PyTuple_Type, &more) || !read_operations(list, ops))
    return nullptr;
  if (ops.empty())
    return PyLong_FromLong(-1);
  Handle context = api.context_of(ops.front());
  if (!read_waiting(context, names, waiting) || !read_touching(context, more, touching))
    return nullptr;
  return PyLong_FromSsize_t(first_false(ops, waiting, touching));
}

template <typename Function> PyCFunction method(Function *function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef methods[] = {
    {"open_library", open_library, METH_O, "Finds MLIR's C API in the loaded library at a path; whether it is all there."},
    {"walk", method(walk), METH_FASTCALL,
     "The operations of some names, or all, in an operation: each before or after what it contains."},
    {"names", names, METH_O, "The names of an operation and of those in it."},
    {"structure", structure_of, METH_O, "Bytes that are equal, within a context, for operations that differ in places and outer values."},
    {"outline", outline_of, METH_O,
     "Bytes that are equal, within a context, for operations that differ in outer values alone, and a capsule of these values."},
    {"skeleton", method(skeleton_of), METH_FASTCALL,
     "Bytes that are equal, within a context, for operations that differ in integer constants which operations of some names take, "
     "and these: words for the operation's place in pre-order, the operand's, and the number."},
    {"remap", method(remap_in), METH_FASTCALL, "Lets an operation use the values of a capsule in the place of those of another."},
    {"dependences", method(dependences_of), METH_FASTCALL,
     "Bytes that are equal, within a context, where operations of some names and what they depend on are alike."},
    {"accesses", method(accesses_of), METH_FASTCALL,
     "For each operation of some names bytes that are equal, within a context, where it and what makes its operands are alike."},
    {"memrefs", method(memrefs_of), METH_FASTCALL,
     "The memrefs that an operation and those inside take, each once: the operation that takes it first, and the operand's number."},
    {"outer", method(outer_of), METH_FASTCALL,
     "The values from outside that an operation and those inside take, each once: who takes it first, and the operand's number."},
    {"constant", constant_of, METH_O,
     "The number that `arith.constant` gives a value, None for other values; NotImplemented for types that Python knows better."},
    {"integer", method(integer_of), METH_FASTCALL,
     "The number in an operation's attribute of a name, None without one; NotImplemented where Python knows better."},
    {"rename", method(rename_in), METH_FASTCALL,
     "A line in which values that are not in strings have the names of a dict; NotImplemented where it is not of ASCII alone."},
    {"renumber", renumbered, METH_O,
     "A text in which numbers of unnamed values are counted anew, region by region; NotImplemented where it is not of ASCII alone."},
    {"named_values", named_values, METH_O,
     "The names in a text of values that are no numbers; NotImplemented where it is not of ASCII alone."},
    {"print", method(printed), METH_FASTCALL, "The text of an operation, which must verify."},
    {"span", method(span_of), METH_FASTCALL,
     "The sum of the first entries of an operation's segment sizes, of a name, and that of those that follow."},
    {"first_indirect", first_indirect_of, METH_VARARGS,
     "The number of the first of operations, from a number on, that waits for what it need not; -1 if none does."},
    {"first_false", first_false_of, METH_VARARGS,
     "The number of the first of operations a dependence of which orders nothing; -1 if there is none."},
    {"copy_constants", method(copy_constants), METH_FASTCALL,
     "Copies constants that stand beside an operation and are used in it to the start of its body; the originals."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_native", "Walks over MLIR's operations in C++.", -1, methods,
                          nullptr, nullptr, nullptr, nullptr};

} // namespace

PyMODINIT_FUNC PyInit__native() { return PyModule_Create(&definition); }
