#include "protocol/command_groups.hpp"
#include "protocol/error.hpp"

namespace pitboss::protocol {

namespace {

Outcome setoption(Seat& seat, const Arguments& arguments) {
  set_option(*seat.table, arguments);
  return {};
}

Outcome getoption(Seat& seat, const Arguments& arguments) {
  arguments.expect(1, 1, "NAME");
  return engine::get_option(seat.table->options(), arguments.word(0));
}

Outcome list_options(Seat& seat, const Arguments&) { return seat.table->option_lines(); }

constexpr std::array<Command, 3> list{{
    {"setoption", "name NAME value VALUE", "sets an option of the search", false, setoption},
    {"getoption", "NAME", "value of an option", false, getoption},
    {"list_options", "", "options with type, default and range, one a line", false, list_options},
}};

}  // namespace

std::span<const Command> option_commands() { return list; }

}  // namespace pitboss::protocol
