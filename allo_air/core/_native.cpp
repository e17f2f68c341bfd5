// Walks over MLIR's operations: through the bindings, which call Python for each, one costs 0.4 us, of a few that are looked for 0.01.
//
// The bindings' wheel has no headers. What is used of MLIR's C API is declared here; the library that holds it is loaded already,
// by the bindings, and is asked for the functions by name.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <algorithm>
#include <cstdint>
#include <dlfcn.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace {

struct Handle {
  void *pointer;
};

struct Text {
  const char *data;
  size_t size;
};

struct NamedAttribute {
  Handle name;
  Handle attribute;
};

enum class Order : int { pre, post };

using Visit = int (*)(Handle operation, void *data);

struct Api {
  Handle (*context_of)(Handle operation);
  Handle (*name_of)(Handle operation);
  Handle (*identifier)(Handle context, Text text);
  void (*walk)(Handle operation, Visit visit, void *data, Order order);
  Text (*text_of)(Handle identifier);
  intptr_t (*count_attributes)(Handle operation);
  NamedAttribute (*attribute)(Handle operation, intptr_t position);
  intptr_t (*count_operands)(Handle operation);
  Handle (*operand)(Handle operation, intptr_t position);
  intptr_t (*count_results)(Handle operation);
  Handle (*result)(Handle operation, intptr_t position);
  intptr_t (*count_successors)(Handle operation);
  Handle (*successor)(Handle operation, intptr_t position);
  intptr_t (*count_regions)(Handle operation);
  Handle (*region)(Handle operation, intptr_t position);
  Handle (*first_block)(Handle region);
  Handle (*next_block)(Handle block);
  Handle (*first_operation)(Handle block);
  Handle (*next_operation)(Handle operation);
  intptr_t (*count_arguments)(Handle block);
  Handle (*argument)(Handle block, intptr_t position);
  Handle (*type_of)(Handle value);
} api;

struct Search {
  std::vector<void *> wanted; // names; none: all operations
  std::vector<void *> found;
};

int visit(Handle operation, void *data) {
  auto &search = *static_cast<Search *>(data);
  void *name = search.wanted.empty() ? nullptr : api.name_of(operation).pointer;
  if (!name || std::binary_search(search.wanted.begin(), search.wanted.end(), name))
    search.found.push_back(operation.pointer);
  return 0; // go on
}

int note_name(Handle operation, void *data) {
  static_cast<std::unordered_set<void *> *>(data)->insert(api.name_of(operation).pointer);
  return 0;
}

// Writes what an operation is, value by value: two that are written alike differ at most in values from outside, and in places.
class Structure {
public:
  explicit Structure(Handle operation) {
    number(operation);
    write(operation);
  }
  std::vector<uintptr_t> words;

private:
  std::unordered_map<void *, uintptr_t> numbers; // of results, arguments and blocks inside; from 1 on
  void add(uintptr_t word) { words.push_back(word); }
  void add(Handle handle) { add(reinterpret_cast<uintptr_t>(handle.pointer)); }
  void name(Handle handle) { numbers.emplace(handle.pointer, numbers.size() + 1); }

  template <typename Visit> static void each_block(Handle operation, Visit visit) {
    for (intptr_t r = 0, regions = api.count_regions(operation); r < regions; ++r)
      for (Handle block = api.first_block(api.region(operation, r)); block.pointer; block = api.next_block(block))
        visit(block, r);
  }

  void number(Handle operation) {
    for (intptr_t i = 0, count = api.count_results(operation); i < count; ++i)
      name(api.result(operation, i));
    each_block(operation, [&](Handle block, intptr_t) {
      name(block);
      for (intptr_t i = 0, count = api.count_arguments(block); i < count; ++i)
        name(api.argument(block, i));
      for (Handle inner = api.first_operation(block); inner.pointer; inner = api.next_operation(inner))
        number(inner);
    });
  }

  void write(Handle operation) {
    add(api.name_of(operation));
    intptr_t count = api.count_attributes(operation);
    add(static_cast<uintptr_t>(count));
    for (intptr_t i = 0; i < count; ++i) {
      NamedAttribute found = api.attribute(operation, i);
      add(found.name);
      add(found.attribute);
    }
    count = api.count_operands(operation);
    add(static_cast<uintptr_t>(count));
    for (intptr_t i = 0; i < count; ++i) {
      Handle value = api.operand(operation, i);
      auto known = numbers.find(value.pointer);
      add(known == numbers.end() ? 0 : known->second);
      add(api.type_of(value));
    }
    count = api.count_results(operation);
    add(static_cast<uintptr_t>(count));
    for (intptr_t i = 0; i < count; ++i)
      add(api.type_of(api.result(operation, i)));
    count = api.count_successors(operation);
    add(static_cast<uintptr_t>(count));
    for (intptr_t i = 0; i < count; ++i) {
      auto known = numbers.find(api.successor(operation, i).pointer);
      add(known == numbers.end() ? 0 : known->second);
    }
    add(static_cast<uintptr_t>(api.count_regions(operation)));
    each_block(operation, [&](Handle block, intptr_t region) {
      add(static_cast<uintptr_t>(region));
      intptr_t arguments = api.count_arguments(block);
      add(static_cast<uintptr_t>(arguments));
      for (intptr_t i = 0; i < arguments; ++i)
        add(api.type_of(api.argument(block, i)));
      for (Handle inner = api.first_operation(block); inner.pointer; inner = api.next_operation(inner))
        write(inner);
      add(0); // no name
    });
    add(~uintptr_t(0)); // no region
  }
};

template <typename Function> bool find_symbol(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

PyObject *open_library(PyObject *, PyObject *path) {
  const char *text = PyUnicode_AsUTF8(path);
  if (!text)
    return nullptr;
  void *library = dlopen(text, RTLD_NOW | RTLD_NOLOAD);
  bool found = library
               && find_symbol(library, "mlirOperationGetContext", api.context_of)
               && find_symbol(library, "mlirOperationGetName", api.name_of)
               && find_symbol(library, "mlirIdentifierGet", api.identifier)
               && find_symbol(library, "mlirOperationWalk", api.walk)
               && find_symbol(library, "mlirIdentifierStr", api.text_of)
               && find_symbol(library, "mlirOperationGetNumAttributes", api.count_attributes)
               && find_symbol(library, "mlirOperationGetAttribute", api.attribute)
               && find_symbol(library, "mlirOperationGetNumOperands", api.count_operands)
               && find_symbol(library, "mlirOperationGetOperand", api.operand)
               && find_symbol(library, "mlirOperationGetNumResults", api.count_results)
               && find_symbol(library, "mlirOperationGetResult", api.result)
               && find_symbol(library, "mlirOperationGetNumSuccessors", api.count_successors)
               && find_symbol(library, "mlirOperationGetSuccessor", api.successor)
               && find_symbol(library, "mlirOperationGetNumRegions", api.count_regions)
               && find_symbol(library, "mlirOperationGetRegion", api.region)
               && find_symbol(library, "mlirRegionGetFirstBlock", api.first_block)
               && find_symbol(library, "mlirBlockGetNextInRegion", api.next_block)
               && find_symbol(library, "mlirBlockGetFirstOperation", api.first_operation)
               && find_symbol(library, "mlirOperationGetNextInBlock", api.next_operation)
               && find_symbol(library, "mlirBlockGetNumArguments", api.count_arguments)
               && find_symbol(library, "mlirBlockGetArgument", api.argument)
               && find_symbol(library, "mlirValueGetType", api.type_of);
  return PyBool_FromLong(found);
}

// The operation in a capsule; null, with an error set, where it is none. Its capsule's name is that of all operations.
Handle operation_in(PyObject *capsule, const char *&kind) {
  kind = PyCapsule_GetName(capsule);
  return {kind ? PyCapsule_GetPointer(capsule, kind) : nullptr};
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

PyObject *structure(PyObject *, PyObject *capsule) {
  const char *kind;
  Handle operation = operation_in(capsule, kind);
  if (!operation.pointer)
    return nullptr;
  Structure found(operation);
  return PyBytes_FromStringAndSize(reinterpret_cast<const char *>(found.words.data()),
                                   static_cast<Py_ssize_t>(found.words.size() * sizeof(uintptr_t)));
}

PyObject *walk(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
  if (count != 4 || !PyTuple_Check(arguments[1])) {
    PyErr_SetString(PyExc_TypeError, "expected an operation's capsule, a tuple of names, what makes operations of capsules, an order");
    return nullptr;
  }
  const char *kind;
  Handle operation = operation_in(arguments[0], kind);
  if (!operation.pointer)
    return nullptr;
  Search search;
  Handle context = api.context_of(operation);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arguments[1]); ++i) {
    Py_ssize_t size;
    const char *data = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(arguments[1], i), &size);
    if (!data)
      return nullptr;
    search.wanted.push_back(api.identifier(context, {data, static_cast<size_t>(size)}).pointer);
  }
  std::sort(search.wanted.begin(), search.wanted.end());
  api.walk(operation, visit, &search, PyObject_IsTrue(arguments[3]) ? Order::post : Order::pre);
  PyObject *list = PyList_New(static_cast<Py_ssize_t>(search.found.size()));
  for (size_t i = 0; list && i < search.found.size(); ++i) {
    PyObject *capsule = PyCapsule_New(search.found[i], kind, nullptr);
    PyObject *made = capsule ? PyObject_CallOneArg(arguments[2], capsule) : nullptr;
    Py_XDECREF(capsule);
    if (!made)
      Py_CLEAR(list);
    else
      PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), made);
  }
  return list;
}

PyMethodDef methods[] = {
    {"open_library", open_library, METH_O, "Finds MLIR's C API in the loaded library at a path; whether it is all there."},
    {"walk", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(walk)), METH_FASTCALL,
     "The operations of some names, or all, in an operation: each before or after what it contains."},
    {"names", names, METH_O, "The names of an operation and of those in it."},
    {"structure", structure, METH_O, "Bytes that are equal, within a context, for operations that differ in places and outer values."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_native", "Walks over MLIR's operations in C++.", -1, methods,
                          nullptr, nullptr, nullptr, nullptr};

} // namespace

PyMODINIT_FUNC PyInit__native() { return PyModule_Create(&definition); }
