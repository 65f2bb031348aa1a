#include "protocol/error.hpp"
#include "server/commands/command_groups.hpp"

namespace pitboss::server {

namespace {

Outcome dialect(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(0, 1, "[plain / gogui / hexgui]");
  if (arguments.size() == 0) return std::string(protocol::dialect_name(seat.dialect));
  const auto named = protocol::dialect_named(arguments.word(0));
  if (!named)
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected plain, gogui or hexgui");
  seat.dialect = *named;
  seat.dialect_is_set = true;
  return {};
}

constexpr std::array<Command, 1> dialect_rows{{
    {"dialect", "[NAME]",
     "how this connection writes moves: plain, gogui or hexgui; alone: tells it", false, dialect,
     protocol::Right::watch, Needs::nothing},
}};

}  // namespace

std::span<const Command> dialect_commands() { return dialect_rows; }

}  // namespace pitboss::server
