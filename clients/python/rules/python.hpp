#pragma once

// Of the stable ABI alone: one build serves Python 3.11 and all later versions. No library binds
// with it there (nanobind from 3.12 on, pybind11 not at all).
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/bad_game.hpp"

/// C++ classes as types of Python.
namespace pitboss::rules {

/// Python has been told of an error.
struct ErrorIsSet {};

struct DecRef {
  void operator()(PyObject* object) const { Py_DecRef(object); }
};
using Reference = std::unique_ptr<PyObject, DecRef>;

/// What a function of Python's has given. Throws ErrorIsSet if it has failed.
inline Reference checked(PyObject* given) {
  if (given == nullptr) throw ErrorIsSet();
  return Reference(given);
}

/// Does the work; what it throws becomes an error of Python's, and the result null.
template <class Work>
PyObject* guarded(Work work) noexcept {
  try {
    return work();
  } catch (const ErrorIsSet&) {
    return nullptr;
  } catch (const games::BadGame& bad) {
    PyErr_SetString(PyExc_ValueError, bad.what());
  } catch (const std::out_of_range&) {
    PyErr_SetString(PyExc_IndexError, "there is no state of that number");
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

// ---- objects

/// A value of C++ in an object of Python.
template <class T>
struct Object {
  PyObject head;
  T value;
};

template <class T>
T& value_of(PyObject* self) {
  return reinterpret_cast<Object<T>*>(self)->value;  // NOLINT(*-reinterpret-cast): as Python does
}

/// The function that a type has for this purpose.
template <class Function>
Function slot_of(PyTypeObject* type, int slot) {
  return reinterpret_cast<Function>(PyType_GetSlot(type, slot));  // NOLINT(*-reinterpret-cast)
}

template <class T>
PyObject* make(PyTypeObject* type, T value) {
  Reference made = checked(slot_of<allocfunc>(type, Py_tp_alloc)(type, 0));
  new (&value_of<T>(made.get())) T(std::move(value));
  return made.release();
}

template <class T>
void destroy(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  value_of<T>(self).~T();
  slot_of<freefunc>(type, Py_tp_free)(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));  // NOLINT(*-reinterpret-cast)
}

// ---- values

inline PyObject* to_python(bool value) { return PyBool_FromLong(value ? 1 : 0); }
inline PyObject* to_python(int value) { return PyLong_FromLong(value); }
inline PyObject* to_python(std::uint64_t value) { return PyLong_FromUnsignedLongLong(value); }
inline PyObject* to_python(double value) { return PyFloat_FromDouble(value); }
inline PyObject* to_python(std::string_view text) {
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}
template <class T>
PyObject* to_python(const std::vector<T>& list) {
  Reference made = checked(PyList_New(static_cast<Py_ssize_t>(list.size())));
  for (std::size_t i = 0; i < list.size(); ++i) {
    PyList_SetItem(made.get(), static_cast<Py_ssize_t>(i), checked(to_python(list[i])).release());
  }
  return made.release();
}

/// An array of Python's, as long as this lives.
class Array {
 public:
  Array(PyObject* object, int flags) {
    if (PyObject_GetBuffer(object, &view_, flags | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
      throw ErrorIsSet();
    }
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { PyBuffer_Release(&view_); }

  /// Whether its elements have one of these letters of the module `struct`.
  [[nodiscard]] bool has(std::string_view letters) const {
    const std::string_view format = this->format();
    return format.size() == 1 && letters.find(format[0]) != std::string_view::npos;
  }
  /// Its elements. Throws games::BadGame unless they are so many of this kind.
  template <class Number>
  [[nodiscard]] std::span<Number> of(std::string_view letters, std::size_t count) const {
    const auto size = static_cast<std::size_t>(view_.len) / sizeof(Number);
    if (!has(letters) || size != count) {
      throw games::BadGame("expected an array of " + std::to_string(count) + " elements of '" +
                           std::string(letters) + "', not " + std::to_string(view_.len) +
                           " bytes of '" + std::string(format()) + "'");
    }
    return {static_cast<Number*>(view_.buf), size};
  }

 private:
  /// Bytes, if the array does not say.
  [[nodiscard]] std::string_view format() const {
    return view_.format == nullptr ? "B" : view_.format;
  }

  Py_buffer view_{};
};

/// An argument as it comes.
template <class T>
struct Argument;
template <>
struct Argument<int> {
  static int of(PyObject* object) {
    int is_too_large = 0;
    const long value = PyLong_AsLongAndOverflow(object, &is_too_large);
    if (value == -1 && PyErr_Occurred() != nullptr) throw ErrorIsSet();
    if (is_too_large != 0 || value != static_cast<int>(value)) {
      throw games::BadGame("the number is too large");
    }
    return static_cast<int>(value);
  }
};
template <>
struct Argument<std::string> {
  static std::string of(PyObject* object) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
    if (text == nullptr) throw ErrorIsSet();
    return {text, static_cast<std::size_t>(size)};
  }
};
/// An array that is written to.
template <>
struct Argument<Array> {
  static Array of(PyObject* object) { return {object, PyBUF_WRITABLE}; }
};

// ---- methods

inline PyObject* none() {
  Py_IncRef(Py_None);
  return Py_None;
}

/// Calls a method or function of C++ with the object's value and the argument, if it takes one.
template <auto Method, class T, class... A>
PyObject* result_of(PyObject* self, [[maybe_unused]] PyObject* argument) {
  const auto work = [&]() -> decltype(auto) {
    return std::invoke(Method, value_of<T>(self),
                       Argument<std::remove_cvref_t<A>>::of(argument)...);
  };
  if constexpr (std::is_void_v<decltype(work())>) {
    work();
    return none();
  } else {
    return to_python(work());
  }
}

template <auto Method, class R, class T, class... A>
PyObject* deduced(R (T::*)(A...) const, PyObject* self, PyObject* argument) {
  return result_of<Method, T, A...>(self, argument);
}
template <auto Method, class R, class T, class... A>
PyObject* deduced(R (T::*)(A...), PyObject* self, PyObject* argument) {
  return result_of<Method, T, A...>(self, argument);
}
template <auto Method, class R, class T, class... A>
PyObject* deduced(R (*)(const T&, A...), PyObject* self, PyObject* argument) {
  return result_of<Method, T, A...>(self, argument);
}

/// A method with an argument or none, as Python calls it.
template <auto Method>
PyObject* call(PyObject* self, PyObject* argument) noexcept {
  return guarded([&] { return deduced<Method>(Method, self, argument); });
}

}  // namespace pitboss::rules
