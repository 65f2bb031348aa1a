#include "protocol/command_groups.hpp"
#include "protocol/error.hpp"

namespace pitboss::protocol {

namespace {

Outcome setoption(Seat& seat, const Arguments& arguments) {
  const bool uci =
      arguments.size() == 4 && arguments.word(0) == "name" && arguments.word(2) == "value";
  if (!uci) arguments.expect(2, 2, "name NAME value VALUE, or NAME VALUE");
  const engine::Effect effect =
      seat.table->set_option(arguments.word(uci ? 1 : 0), arguments.word(uci ? 3 : 1));
  if (!seat.table->is_searching()) return {};
  return {effect == engine::Effect::live ? "in force in the running search"
                                         : "in force from the next search on"};
}

Outcome getoption(Seat& seat, const Arguments& arguments) {
  arguments.expect(1, 1, "NAME");
  return engine::get_option(seat.table->options(), arguments.word(0));
}

Outcome list_options(Seat& seat, const Arguments&) { return seat.table->option_lines(); }

constexpr std::array<Command, 3> list{{
    {"setoption", "name NAME value VALUE", "sets an option of the search", false, setoption,
     Needs::options},
    {"getoption", "NAME", "value of an option", false, getoption, Needs::options},
    {"list_options", "", "options with type, default and range, one a line", false, list_options,
     Needs::options},
}};

}  // namespace

std::span<const Command> option_commands() { return list; }

}  // namespace pitboss::protocol
