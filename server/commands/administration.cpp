#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "environment/machine.hpp"
#include "protocol/error.hpp"
#include "protocol/geometry_json.hpp"
#include "protocol/limit.hpp"
#include "protocol/version.hpp"
#include "server/commands/command_groups.hpp"

namespace pitboss::server {

namespace {

Outcome protocol_version(Seat&, const protocol::Arguments&) { return {"2"}; }
Outcome name(Seat&, const protocol::Arguments&) { return {"Pitboss"}; }
Outcome version(Seat&, const protocol::Arguments&) { return std::string(protocol::version); }

Outcome known_command(Seat& seat, const protocol::Arguments& arguments) {
  const bool is_known =
      arguments.size() > 0 && find_command(seat.config.commands, arguments.word(0)) != nullptr;
  return {is_known ? "true" : "false"};
}

Outcome list_commands(Seat& seat, const protocol::Arguments&) {
  std::vector<std::string_view> names;
  for (const Command& c : seat.config.commands) names.push_back(c.name);
  return lines(names);
}

Outcome help(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(0, 1, "[command]");
  const auto row = [](const Command& c) {
    return std::string(c.name) + (c.arguments.empty() ? "" : " ") + std::string(c.arguments) +
           ": " + std::string(c.help) + (c.blocks ? " (takes time)" : "");
  };
  if (arguments.size() == 1) return row(command_named(seat.config.commands, arguments.word(0)));
  std::vector<std::string> rows;
  for (const Command& c : seat.config.commands) rows.push_back(row(c));
  return lines(rows);
}

ServerControl& server_of(const Seat& seat) {
  if (seat.config.server == nullptr)
    throw protocol::CommandError(protocol::FailureCode::unsupported, "this session has no server");
  return *seat.config.server;
}

Outcome auth(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 1, "TOKEN");
  if (seat.client.right != protocol::Right::nothing) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 seat.client.name.empty()
                                     ? "this server asks for no token"
                                     : "this connection has shown its token already");
  }
  auto client = server_of(seat).client_with(arguments.word(0));
  if (!client) {
    ++seat.wrong_tokens;
    throw protocol::LimitError(protocol::Limit::wrong_token, "wrong token");
  }
  client->address = seat.client.address;
  seat.client = *std::move(client);
  return seat.client.name + ' ' + std::string(name_of(seat.client.right));
}

Outcome error_codes(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(0, 1, "[on / off]");
  if (arguments.size() == 0) return std::string(seat.tells_codes ? "on" : "off");
  seat.tells_codes = arguments.on_or_off(0);
  return {};
}

Outcome quit(Seat&, const protocol::Arguments&) {
  Outcome outcome;
  outcome.closes = true;
  return outcome;
}

Outcome stats(Seat& seat, const protocol::Arguments&) { return server_of(seat).stats(); }

Outcome sessions(Seat& seat, const protocol::Arguments&) { return server_of(seat).sessions(); }

Outcome disconnect(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 1, "NUMBER");
  const auto number = arguments.whole(0, 1, std::numeric_limits<std::int64_t>::max());
  if (!server_of(seat).disconnect(number)) {
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "there is no session " + std::to_string(number));
  }
  return {};
}

Outcome workers(Seat& seat, const protocol::Arguments&) {
  return std::to_string(server_of(seat).workers());
}

Outcome about(Seat&, const protocol::Arguments&) {
  static const std::string processor = environment::processor_name();  // the file takes its time
  static const std::string instance = to_string(boost::uuids::random_generator()());
  return nlohmann::ordered_json{
      {"version", protocol::json_version}, {"build", protocol::version_of("Pitboss")},
      {"host", environment::host_name()},  {"processor", processor},
      {"boot", environment::boot_id()},    {"instance", instance}}
      .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Outcome log_level(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(0, 1, "[LEVEL]");
  ServerControl& server = server_of(seat);
  if (arguments.size() == 0) return server.log_level();
  server.set_log_level(arguments.word(0));
  return {};
}

/// Its presence in list_commands tells GoGui that "# interrupt" works.
Outcome gogui_interrupt(Seat&, const protocol::Arguments&) { return {}; }

constexpr std::array<Command, 16> administration_rows{{
    {"protocol_version", "", "version of GTP", false, protocol_version, protocol::Right::nothing,
     Needs::nothing},
    {"name", "", "name of the program", false, name, protocol::Right::nothing, Needs::nothing},
    {"version", "", "version of the program", false, version, protocol::Right::nothing,
     Needs::nothing},
    {"auth", "TOKEN", "shows the token that a server asks for; tells its name and right", false,
     auth, protocol::Right::nothing, Needs::nothing},
    {"error_codes", "[on / off]",
     "whether failures of this connection begin with a code: `? CODE: sentence`; alone: tells it",
     false, error_codes, protocol::Right::nothing, Needs::nothing},
    {"known_command", "NAME", "whether there is such a command", false, known_command,
     protocol::Right::watch, Needs::nothing},
    {"list_commands", "", "all commands, one a line", false, list_commands, protocol::Right::watch,
     Needs::nothing},
    {"help", "[NAME]", "what the commands do", false, help, protocol::Right::watch, Needs::nothing},
    {"stats", "", "what the server counts, as JSON", false, stats, protocol::Right::admin,
     Needs::nothing},
    {"sessions", "",
     "one a line: number, address, client, right, busy or idle, seconds since its last line", false,
     sessions, protocol::Right::admin, Needs::nothing},
    {"disconnect", "NUMBER", "ends a session, whose running command is interrupted", false,
     disconnect, protocol::Right::admin, Needs::nothing},
    {"workers", "", "how many threads search at once for all clients together", false, workers,
     protocol::Right::watch, Needs::nothing},
    {"about", "",
     "the program's build, its machine and processor, and an id of this start of it, as JSON",
     false, about, protocol::Right::watch, Needs::nothing},
    {"log_level", "[LEVEL]", "from which level up the server logs, from now on", false, log_level,
     protocol::Right::admin, Needs::nothing},
    {"quit", "", "ends the session", false, quit, protocol::Right::nothing, Needs::nothing},
    {"gogui-interrupt", "", "says that the line '# interrupt' ends a command early", false,
     gogui_interrupt, protocol::Right::watch, Needs::nothing},
}};

}  // namespace

std::span<const Command> administration_commands() { return administration_rows; }

}  // namespace pitboss::server
