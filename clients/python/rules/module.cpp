// pitboss._rules: games, positions and batches of them, without a server. Its classes are what
// pitboss.State and pitboss.States are made of (pitboss/_rules.pyi).

#include <algorithm>
#include <array>

#include "clients/python/rules/python.hpp"
#include "clients/python/rules/state.hpp"
#include "clients/python/rules/states.hpp"

namespace pitboss::rules {

namespace {

constexpr std::string_view bytes = "bB?";
constexpr std::string_view floats = "f";

/// The types of State and States: one each, which stay as long as the process, however often Python
/// imports the module.
struct Types {
  PyTypeObject* state = nullptr;
  PyTypeObject* states = nullptr;
  std::int64_t interpreter = 0;  ///< to which they belong
};
Types& types() {
  // NOLINTNEXTLINE(*-non-const-global-variables): Python changes its types
  static Types types;
  return types;
}

// ---- State

PyObject* new_state(PyTypeObject* type, PyObject* arguments, PyObject*) noexcept {
  return guarded([&] {
    const char* rules = nullptr;
    Py_ssize_t length = 0;
    if (PyArg_ParseTuple(arguments, "s#", &rules, &length) == 0) throw ErrorIsSet();
    return make(type, State(std::string_view(rules, static_cast<std::size_t>(length))));
  });
}

template <class T>
PyObject* clone(PyObject* self, PyObject*) noexcept {
  return guarded([&] { return make(Py_TYPE(self), T(value_of<T>(self))); });
}

PyObject* at_position(PyObject* self, PyObject* text) noexcept {
  return guarded([&] {
    return make(Py_TYPE(self), State(value_of<State>(self), Argument<std::string>::of(text)));
  });
}

PyObject* equals(PyObject* self, PyObject* other, int operation) noexcept {
  return guarded([&] {
    const bool comparable = Py_TYPE(other) == Py_TYPE(self);
    if (!comparable || (operation != Py_EQ && operation != Py_NE)) {
      Py_IncRef(Py_NotImplemented);
      return Py_NotImplemented;
    }
    const bool same = value_of<State>(self) == value_of<State>(other);
    return to_python(same == (operation == Py_EQ));
  });
}

std::size_t planes_of(const games::AnyGame& game) {
  return static_cast<std::size_t>(game.plane_count()) *
         static_cast<std::size_t>(game.shape().cells());
}

void write_planes(const State& state, const Array& out) {
  if (out.has(floats)) {
    state.game().fill_planes(out.of<float>(floats, planes_of(state.game())).data());
  } else {
    state.game().fill_planes(out.of<std::int8_t>(bytes, planes_of(state.game())).data());
  }
}

/// Other threads of Python's run while this lives; nothing of Python's may be touched.
class OthersRun {
 public:
  OthersRun() : state_(PyEval_SaveThread()) {}
  OthersRun(const OthersRun&) = delete;
  OthersRun& operator=(const OthersRun&) = delete;
  ~OthersRun() { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

/// Looks now and then whether Ctrl-C was pressed.
void check_signals() {
  if (PyErr_CheckSignals() != 0) throw ErrorIsSet();
}

std::uint64_t perft(const State& state, int depth) {
  if (depth < 0) throw games::BadGame("the depth must be at least 0");
  if (!state.chosen().empty()) throw games::BadGame("this is the middle of a move");
  constexpr std::int64_t positions = 100'000;
  const auto count = state.game().perft(depth);
  const auto is_counted = [&] {
    const OthersRun others;
    return count->advance(positions);
  };
  while (!is_counted()) check_signals();
  return count->count();
}

PyObject* playouts(PyObject* self, PyObject* arguments) noexcept {
  return guarded([&] {
    int games = 0;
    unsigned long long seed = 0;  // NOLINT(google-runtime-int): as Python calls it
    if (PyArg_ParseTuple(arguments, "iK", &games, &seed) == 0) throw ErrorIsSet();
    if (games < 1) throw games::BadGame("the number of games must be at least 1");
    constexpr int at_once = 1000;
    games::Random random(seed);
    const State state = value_of<State>(self);  // another thread may play on
    const auto means_of = [&](int some) {
      const OthersRun others;
      return state.playouts(some, random);
    };
    std::vector<double> sums;
    for (int done = 0; done < games; done += at_once) {
      const int some = std::min(at_once, games - done);
      const auto means = means_of(some);
      sums.resize(means.size());
      for (std::size_t i = 0; i < means.size(); ++i) sums[i] += means[i] * some / games;
      check_signals();
    }
    return to_python(sums);
  });
}

// NOLINTNEXTLINE(*-non-const-global-variables): as Python takes them
std::array<PyMethodDef, 29> state_methods{{
    {"clone", clone<State>, METH_NOARGS, nullptr},
    {"at_position", at_position, METH_O, nullptr},
    {"rules", call<&State::rules>, METH_NOARGS, nullptr},
    {"colours", call<&State::colours>, METH_NOARGS, nullptr},
    {"num_actions", call<&State::num_actions>, METH_NOARGS, nullptr},
    {"max_plies", call<&State::max_plies>, METH_NOARGS, nullptr},
    {"planes_shape", call<&State::planes_shape>, METH_NOARGS, nullptr},
    {"geometry", call<&State::geometry>, METH_NOARGS, nullptr},
    {"start", call<&State::start>, METH_NOARGS, nullptr},
    {"position", call<&State::position>, METH_NOARGS, nullptr},
    {"is_terminal", call<&State::is_terminal>, METH_NOARGS, nullptr},
    {"current_player", call<&State::current_player>, METH_NOARGS, nullptr},
    {"returns", call<&State::returns>, METH_NOARGS, nullptr},
    {"result", call<&State::result>, METH_NOARGS, nullptr},
    {"legal_actions", call<&State::legal_actions>, METH_NOARGS, nullptr},
    {"legal_moves", call<&State::legal_moves>, METH_NOARGS, nullptr},
    {"action_to_string", call<&State::action_to_string>, METH_O, nullptr},
    {"move_to_actions", call<&State::move_to_actions>, METH_O, nullptr},
    {"apply_action", call<&State::apply_action>, METH_O, nullptr},
    {"apply_move", call<&State::apply_move>, METH_O, nullptr},
    {"undo_action", call<&State::undo_action>, METH_NOARGS, nullptr},
    {"moves", call<&State::moves>, METH_NOARGS, nullptr},
    {"history", call<&State::history>, METH_NOARGS, nullptr},
    {"move_number", call<&State::move_number>, METH_NOARGS, nullptr},
    {"chosen", call<&State::chosen>, METH_NOARGS, nullptr},
    {"write_planes", call<&write_planes>, METH_O, nullptr},
    {"perft", call<&perft>, METH_O, nullptr},
    {"playouts", playouts, METH_VARARGS, nullptr},
    {},
}};

// ---- States

PyObject* new_states(PyTypeObject* type, PyObject* arguments, PyObject*) noexcept {
  return guarded([&] {
    PyObject* list = nullptr;
    if (PyArg_ParseTuple(arguments, "O", &list) == 0) throw ErrorIsSet();
    std::vector<const State*> states;
    for (Py_ssize_t i = 0, size = PyList_Size(list); i < size; ++i) {
      PyObject* const item = PyList_GetItem(list, i);
      if (Py_TYPE(item) != types().state) throw games::BadGame("this is no list of states");
      states.push_back(&value_of<State>(item));
    }
    if (PyErr_Occurred() != nullptr) throw ErrorIsSet();
    return make(type, States(states));
  });
}

PyObject* state_at(PyObject* self, PyObject* place) noexcept {
  return guarded([&] {
    const auto number = static_cast<std::size_t>(Argument<int>::of(place));
    return make(types().state, value_of<States>(self).at(number));
  });
}

Py_ssize_t size_of(PyObject* self) {
  return static_cast<Py_ssize_t>(value_of<States>(self).size());
}

/// How many elements an array has that has so many for each.
std::size_t all(const States& states, int each) {
  return states.size() * static_cast<std::size_t>(each);
}

void write_players(const States& states, const Array& out) {
  states.write_players(out.of<std::int32_t>("i", states.size()));
}
void write_returns(const States& states, const Array& out) {
  states.write_returns(out.of<double>("d", all(states, states.game().players())));
}
void write_mask(const States& states, const Array& out) {
  states.write_mask(out.of<std::int8_t>(bytes, all(states, states.game().policy_size())));
}
void write_all_planes(const States& states, const Array& out) {
  const std::size_t size = states.size() * planes_of(states.game());
  if (out.has(floats)) {
    states.write_planes(out.of<float>(floats, size));
  } else {
    states.write_planes(out.of<std::int8_t>(bytes, size));
  }
}

/// Writes the counts; returns the actions, as bytes that may be written to.
PyObject* write_counts(PyObject* self, PyObject* out) noexcept {
  return guarded([&] {
    const auto& states = value_of<States>(self);
    const Array counts(out, PyBUF_WRITABLE);
    const auto actions = states.write_counts(counts.of<std::int32_t>("i", states.size()));
    const auto size = static_cast<Py_ssize_t>(actions.size() * sizeof(std::int32_t));
    // NOLINTNEXTLINE(*-reinterpret-cast): as Python takes bytes
    return PyByteArray_FromStringAndSize(reinterpret_cast<const char*>(actions.data()), size);
  });
}

PyObject* apply(PyObject* self, PyObject* actions) noexcept {
  return guarded([&] {
    auto& states = value_of<States>(self);
    states.apply(Array(actions, PyBUF_SIMPLE).of<std::int32_t>("i", states.size()));
    return none();
  });
}

// NOLINTNEXTLINE(*-non-const-global-variables): as Python takes them
std::array<PyMethodDef, 10> states_methods{{
    {"clone", clone<States>, METH_NOARGS, nullptr},
    {"at", state_at, METH_O, nullptr},
    {"write_players", call<&write_players>, METH_O, nullptr},
    {"write_returns", call<&write_returns>, METH_O, nullptr},
    {"write_mask", call<&write_mask>, METH_O, nullptr},
    {"write_counts", write_counts, METH_O, nullptr},
    {"write_planes", call<&write_all_planes>, METH_O, nullptr},
    {"apply", apply, METH_O, nullptr},
    {"restart", call<&States::restart>, METH_NOARGS, nullptr},
    {},
}};

// ---- the module

// NOLINTBEGIN(*-reinterpret-cast): Python takes every function as void*
template <class Function>
PyType_Slot slot(int id, Function function) {
  return {id, reinterpret_cast<void*>(function)};
}

template <class T, std::size_t Size>
PyTypeObject* make_type(PyObject* module, const char* name, std::array<PyType_Slot, Size> slots) {
  PyType_Spec spec{name, sizeof(Object<T>), 0, Py_TPFLAGS_DEFAULT, slots.data()};
  return reinterpret_cast<PyTypeObject*>(
      checked(PyType_FromModuleAndSpec(module, &spec, nullptr)).release());
}
// NOLINTEND(*-reinterpret-cast)

void make_types(PyObject* module, std::int64_t interpreter) {
  PyTypeObject* const state = make_type<State>(
      module, "pitboss._rules.State",
      std::array{slot(Py_tp_new, new_state), slot(Py_tp_dealloc, destroy<State>),
                 slot(Py_tp_richcompare, equals), slot(Py_tp_hash, PyObject_HashNotImplemented),
                 PyType_Slot{Py_tp_methods, state_methods.data()}, PyType_Slot{0, nullptr}});
  PyTypeObject* const states = make_type<States>(
      module, "pitboss._rules.States",
      std::array{slot(Py_tp_new, new_states), slot(Py_tp_dealloc, destroy<States>),
                 slot(Py_sq_length, size_of), PyType_Slot{Py_tp_methods, states_methods.data()},
                 PyType_Slot{0, nullptr}});
  types() = {state, states, interpreter};
}

int fill(PyObject* module) {
  PyObject* const filled = guarded([&] {
    const std::int64_t interpreter = PyInterpreterState_GetID(PyInterpreterState_Get());
    if (types().states == nullptr) make_types(module, interpreter);
    if (types().interpreter != interpreter) {
      PyErr_SetString(PyExc_ImportError, "pitboss._rules works in one interpreter of a process");
      throw ErrorIsSet();
    }
    if (PyModule_AddType(module, types().state) != 0) throw ErrorIsSet();
    if (PyModule_AddType(module, types().states) != 0) throw ErrorIsSet();
    return module;
  });
  return filled == nullptr ? -1 : 0;
}

}  // namespace

PyModuleDef& definition() {
  static std::array<PyModuleDef_Slot, 2> slots{{
      // NOLINTNEXTLINE(*-reinterpret-cast): Python takes every function as void*
      {Py_mod_exec, reinterpret_cast<void*>(fill)},
      {},
  }};
  static PyModuleDef module{};
  module.m_name = "pitboss._rules";
  module.m_slots = slots.data();
  return module;
}

}  // namespace pitboss::rules

// NOLINTNEXTLINE(readability-identifier-naming): the name that Python calls
PyMODINIT_FUNC PyInit__rules() { return PyModuleDef_Init(&pitboss::rules::definition()); }
