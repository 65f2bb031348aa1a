#include <algorithm>

#include "protocol/error.hpp"
#include "server/commands/command_groups.hpp"

namespace pitboss::server {

namespace {

/// A new table for the game that is played at the present one.
std::shared_ptr<Table> fresh_table(const Seat& seat) {
  auto table = std::make_shared<Table>(seat.config);
  const auto [name, parameters] = seat.table->played();
  table->new_game(name, parameters);
  return table;
}

/// Whether the client may name the present table: it has no name, and did not belong to another
/// token when it had one. That holds for administrators, too, since naming makes the table theirs.
bool may_name(const Seat& seat) {
  const std::string& owner = seat.table->ownership().owner;
  return seat.tables->name_of(*seat.table).empty() && (owner.empty() || owner == seat.client.name);
}

/// Sits down at the table of that name. If there is none, names the present table, or if that is
/// not allowed, a new one.
Outcome attach(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(0, 1, "[NAME]");
  if (arguments.size() == 0) return std::string(seat.tables->name_of(*seat.table));
  const std::string& name = arguments.word(0);
  if (auto other = seat.tables->find(name)) {
    if (other->ownership().right_of(seat.client) < protocol::Right::watch) {
      throw protocol::CommandError(protocol::FailureCode::needs_right,
                                   "the table '" + name + "' belongs to another token");
    }
    if (other != seat.table) seat.change_to(std::move(other));
    return {};
  }
  if (seat.client.right < protocol::Right::play) {
    throw protocol::CommandError(
        protocol::FailureCode::needs_right,
        "there is no table '" + name + "', and to name a table needs the right play");
  }
  if (may_name(seat)) {
    seat.tables->add(name, seat.table, seat.client);
    if (seat.table->seated().empty()) Tables::sit(*seat.table, seat.client);
    return {};
  }
  const auto table = fresh_table(seat);
  seat.tables->add(name, table, seat.client);
  seat.change_to(table);
  return {};
}

Outcome detach(Seat& seat, const protocol::Arguments&) {
  if (seat.table->seated().empty())
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "not attached: this table has no name");
  seat.change_to(fresh_table(seat));
  return {};
}

/// Throws CommandError if the seat's table belongs to another client.
void check_owns(const Seat& seat) {
  const protocol::Ownership& ownership = seat.table->ownership();
  if (ownership.right_of(seat.client) >= protocol::Right::admin) return;
  throw protocol::CommandError(protocol::FailureCode::needs_right,
                               "this table belongs to " + ownership.owner);
}

/// Throws CommandError if people hold colours of a table of no token, and the client has shown none
/// of their keys: who knows the table's name is to end no game of others.
void check_is_player(const Seat& seat) {
  const Table& table = *seat.table;
  if (!table.ownership().owner.empty() || !table.colour_seats().are_held()) return;
  if (table.colour_seats().is_held_by(&seat)) return;
  throw protocol::CommandError(
      protocol::FailureCode::needs_right,
      "people hold the seats of this table: who has a key takes its seat first");
}

Outcome release(Seat& seat, const protocol::Arguments&) {
  if (seat.tables->name_of(*seat.table).empty()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "this table has no name to release");
  }
  check_owns(seat);
  check_is_player(seat);
  const auto peers = std::ranges::count_if(
      seat.table->seated(),
      [&](const protocol::Identity& other) { return other.right >= seat.client.right; });
  if (seat.table->ownership().owner.empty() && peers > 1) {  // the client itself counts
    throw protocol::CommandError(
        protocol::FailureCode::needs_right,
        "this table belongs to no token, and other sessions with the same right sit at it");
  }
  seat.tables->remove(*seat.table);
  return {};
}

Outcome tables(Seat& seat, const protocol::Arguments&) {
  std::vector<std::string> rows;
  for (const Tables::Row& row : seat.tables->rows()) {
    if (row.table.ownership().right_of(seat.client) < protocol::Right::watch) continue;
    const std::string_view what = row.table.turn().what();
    rows.push_back(std::string(row.name) + ' ' + std::string(row.table.played().name) + ' ' +
                   std::to_string(row.table.seated().size()) + ' ' +
                   std::string(what.empty() ? std::string_view("idle") : what));
  }
  return lines(rows);
}

Outcome share(Seat& seat, const protocol::Arguments& arguments) {
  constexpr std::string_view usage = "[nobody / watch / play]";
  arguments.expect(0, 1, usage);
  protocol::Ownership& ownership = seat.table->ownership();
  if (ownership.owner.empty()) {
    throw protocol::CommandError(
        protocol::FailureCode::needs_right,
        "this table belongs to no token; attach NAME makes one that does, if the server has "
        "tokens");
  }
  if (arguments.size() == 0) return std::string(name_of(ownership.others));
  check_owns(seat);
  if (seat.client.right < protocol::Right::play)
    throw protocol::CommandError(protocol::FailureCode::needs_right, "share needs the right play");
  const auto right = protocol::right_named(arguments.word(0));
  if (!right || *right == protocol::Right::admin) {
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected " + std::string(usage));
  }
  ownership.others = *right;
  seat.table->audience().tell_rights();
  return {};
}

Outcome keep(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(0, 1, "[on / off]");
  const Table& table = *seat.table;
  if (seat.tables->name_of(table).empty()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "only a table with a name can be kept: attach NAME gives it one");
  }
  if (arguments.size() == 0) return std::string(seat.tables->is_kept(table) ? "on" : "off");
  const protocol::Ownership& ownership = table.ownership();
  if (!ownership.owner.empty()) {
    check_owns(seat);
  } else if (!ownership.lets_play(seat.client)) {
    throw protocol::CommandError(protocol::FailureCode::needs_right, "keep needs the right play");
  }
  if (!seat.tables->can_keep()) {
    throw protocol::CommandError(protocol::FailureCode::unsupported,
                                 "this server keeps no tables: start pitbossd with --state FOLDER");
  }
  check_is_player(seat);
  const bool is_kept = arguments.on_or_off(0);
  if (is_kept && seat.tables->is_reserved(seat.tables->name_of(table))) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "a kept table of this name could not be restored, and its file is "
                                 "left as it is: choose another name");
  }
  seat.tables->keep(table, is_kept);
  return {};
}

/// Sits down at a colour, or tells who does.
Outcome seat_at_colour(Seat& seat, const protocol::Arguments& arguments) {
  constexpr std::string_view usage = "[COLOUR KEY]";
  Table& table = *seat.table;
  if (table.ownership().right_of(seat.client) < protocol::Right::watch) {
    throw protocol::CommandError(protocol::FailureCode::needs_right,
                                 "the table belongs to another token");
  }
  if (arguments.size() == 0) {
    std::vector<std::string> rows;
    for (const ColourSeats::Held& held : table.colour_seats().all())
      rows.push_back(held.colour_name + (held.sitter == nullptr ? " away" : " here"));
    return lines(rows);
  }
  arguments.expect(2, 2, usage);
  if (!table.ownership().lets_play(seat.client)) {
    throw protocol::CommandError(protocol::FailureCode::needs_right,
                                 "to take a seat needs the right play at this table");
  }
  if (!table.colour_seats().are_held()) check_owns(seat);  // the owner may do less from now on
  if (seat.tables->name_of(table).empty()) {
    throw protocol::CommandError(
        protocol::FailureCode::wrong_state,
        "only at a table with a name are there seats: attach NAME gives it one");
  }
  if (!table.turn().is_free()) {
    throw protocol::CommandError(
        protocol::FailureCode::busy,
        "no seat can be taken while a command has the table: " + std::string(table.turn().what()));
  }
  const games::Colour colour = seat.colour(arguments, 0);
  table.colour_seats().take(colour, table.game().name_of(colour), arguments.word(1), &seat);
  return {};
}

/// The session looks on, and other sessions have the table for themselves.
Outcome watch(Seat& seat, const protocol::Arguments&) {
  if (seat.table->ownership().right_of(seat.client) < protocol::Right::watch) {
    throw protocol::CommandError(protocol::FailureCode::needs_right,
                                 "the table belongs to another token");
  }
  Outcome outcome;
  outcome.watch = std::make_shared<Watch>(seat.config.on_news);
  outcome.watch->begin_with_position();
  seat.table->audience().add(outcome.watch);
  return outcome;
}

constexpr std::array<Command, 8> table_rows{{
    {"attach", "[NAME]", "sits down at the table of that name; alone: the name of this one", false,
     attach, protocol::Right::watch, Needs::nothing},
    {"detach", "", "leaves a table with a name for a new one without", false, detach,
     protocol::Right::watch, Needs::nothing},
    {"release", "", "takes the name away from this table, at which the session stays", false,
     release, protocol::Right::play, Needs::nothing},
    {"share", "[nobody / watch / play]",
     "what other tokens may do at this table, which has a name; alone: what they may", false, share,
     protocol::Right::watch, Needs::nothing},
    {"keep", "[on / off]",
     "whether this table, which has a name, outlives its players and the server; alone: tells it",
     false, keep, protocol::Right::watch, Needs::nothing},
    {"seat", "[COLOUR KEY]",
     "takes a colour of this table, which has a name, by a key of 16 to 64 letters and digits that "
     "the first to take it chooses: nobody else moves for it; alone: COLOUR here / away, one a "
     "line",
     false, seat_at_colour, protocol::Right::watch, Needs::nothing},
    {"watch", "",
     "tells until the next line what happens at this table: searches, options, positions, as JSON",
     false, watch, protocol::Right::watch, Needs::nothing},
    {"tables", "", "the tables with a name: NAME GAME SESSIONS COMMAND, one a line", false, tables,
     protocol::Right::watch, Needs::nothing},
}};

}  // namespace

std::span<const Command> table_commands() { return table_rows; }

}  // namespace pitboss::server
