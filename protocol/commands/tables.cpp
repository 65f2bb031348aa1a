#include "protocol/command_groups.hpp"
#include "protocol/error.hpp"

namespace pitboss::protocol {

namespace {

/// A new table of the game that is played at the present one.
std::shared_ptr<Table> fresh_table(const Seat& seat) {
  auto table = std::make_shared<Table>(seat.config);
  const auto [name, parameters] = seat.table->played();
  table->new_game(name, parameters);
  return table;
}

/// The table of that name; or, if there is none, the present table under that name; or, if the
/// present one has a name already, a new one.
Outcome attach(Seat& seat, const Arguments& arguments) {
  arguments.expect(0, 1, "[NAME]");
  if (arguments.size() == 0) return std::string(seat.tables->name_of(*seat.table));
  const std::string& name = arguments.word(0);
  if (auto other = seat.tables->find(name)) {
    if (other != seat.table) seat.change_to(std::move(other));
    return {};
  }
  if (seat.tables->name_of(*seat.table).empty()) {
    seat.tables->add(name, seat.table);
    seat.tables->sit(*seat.table);
    return {};
  }
  const auto table = fresh_table(seat);
  seat.tables->add(name, table);
  seat.change_to(table);
  return {};
}

Outcome detach(Seat& seat, const Arguments&) {
  if (seat.tables->name_of(*seat.table).empty()) {
    throw CommandError("not attached: this table has no name");
  }
  seat.change_to(fresh_table(seat));
  return {};
}

Outcome tables(Seat& seat, const Arguments&) {
  std::vector<std::string> rows;
  for (const Tables::Row& row : seat.tables->rows()) {
    const std::string_view what = row.table.turn().what();
    rows.push_back(std::string(row.name) + ' ' + std::string(row.table.played().name) + ' ' +
                   std::to_string(row.sessions) + ' ' +
                   std::string(what.empty() ? std::string_view("idle") : what));
  }
  return lines(rows);
}

constexpr std::array<Command, 3> list{{
    {"attach", "[NAME]", "sits down at the table of that name; alone: the name of this one", false,
     attach, Needs::nothing},
    {"detach", "", "leaves a table with a name for a new one without", false, detach,
     Needs::nothing},
    {"tables", "", "the tables with a name: NAME GAME SESSIONS COMMAND, one a line", false, tables,
     Needs::nothing},
}};

}  // namespace

std::span<const Command> table_commands() { return list; }

}  // namespace pitboss::protocol
