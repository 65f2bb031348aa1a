#include "clients/pitboss/commands.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/program_options.hpp>
#include <chrono>
#include <cmath>
#include <exception>
#include <iostream>
#include <utility>

#include "clients/experiments/address.hpp"
#include "clients/experiments/preset_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/access_flags.hpp"
#include "clients/pitboss/gtp_bridge.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/players/gtp_client.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
namespace po = boost::program_options;
using Milliseconds = std::chrono::milliseconds;
using namespace std::chrono_literals;

namespace {

using environment::AwakeClock;
constexpr int exit_lost = 1;
constexpr int exit_signal = 128;

// Set-up commands that only Pitboss has.
constexpr std::string_view attach_command = "attach ";
constexpr std::string_view set_command = "setoption name ";
constexpr std::string_view dialect_command = "dialect ";
constexpr std::string_view live_graphics_command = "pitboss-live_graphics on";
/// The dialect of the GUI that reads live graphics from standard output.
constexpr std::string_view dialect_with_inline_graphics = "hexgui";

constexpr auto connect_timeout = 10s;
constexpr auto answer_timeout = 30s;
constexpr auto retry_pause = 100ms;
constexpr double max_wait = 1e6;

constexpr std::string_view gtp_usage =
    "Connects a program that starts its engine as a process (GoGui, HexGui, Sabaki) with a "
    "server.\n"
    "See docs/guis.md.\n\n"
    "  pitboss gtp --connect 127.0.0.1:4580 --game othello --set alpha=0.02 --live-graphics\n\n";

struct GtpFlags {
  std::string server;
  AccessFlags access;
  std::string attach;
  std::vector<std::string> game;  ///< its name, and perhaps parameters
  std::vector<std::string> settings;
  std::string dialect;
  double wait = 0;
};

po::options_description describe(GtpFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("connect", po::value(&a.server)->default_value("127.0.0.1:4580")->value_name("HOST:PORT"),
      "the server; tls://HOST:PORT if it speaks TLS");
  a.access.add_to(all);
  add("game", po::value(&a.game)->multitoken()->value_name("NAME [KEY=VALUE ...]"),
      "the game, perhaps with parameters: othello size=6; default: the server's");
  add("set", po::value(&a.settings)->composing()->value_name("NAME=VALUE"),
      "an option of the search; repeatable");
  add("attach", po::value(&a.attach)->value_name("NAME"),
      "share the named engine; to come back to its game, leave --game out");
  add("dialect", po::value(&a.dialect)->value_name("NAME"),
      "how the program writes moves: plain, gogui or hexgui");
  add("live-graphics", "pictures of a running search for GoGui, on standard error");
  add("wait", po::value(&a.wait)->default_value(0, "0")->value_name("SECONDS"),
      "how long to try to reach the server");
  add("help", "this text");
  return all;
}

/// The game's name and parameters in one line, quoted or not: GUIs differ in their quotation marks.
std::string game_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool is_parameter = word.find('=') != std::string::npos;
    if (!line.empty() && !is_parameter) {
      throw UserError("--game " + line + ": '" + word + "' must be KEY=VALUE");
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line;
}

/// The commands that are sent, in this order, before the program's own.
std::vector<std::string> set_up_commands(const GtpFlags& a, bool live_graphics) {
  std::vector<std::string> commands;
  const auto add = [&](std::string_view command, std::string_view argument) {
    const bool is_line = std::ranges::none_of(
        argument, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '#'; });
    if (!is_line)
      throw UserError("--attach, --game and --set must not have control characters or #");
    commands.push_back(std::string(command) + std::string(argument));
  };
  if (!a.attach.empty()) add(attach_command, a.attach);
  if (const std::string game = game_line(a.game); !game.empty()) add("game ", game);
  std::vector<engine::Assignment> options;
  for (const std::string& setting : a.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == 0 || equals == std::string::npos) {
      throw UserError("--set must be NAME=VALUE, not '" + setting + "'");
    }
    options.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  expand_presets(options);
  for (const auto& [name, value] : options) add(set_command, name + " value " + value);
  if (!a.dialect.empty()) add(dialect_command, a.dialect);
  if (live_graphics) add(live_graphics_command, "");
  return commands;
}

/// Connects, trying again for `wait`, and sends the commands. Throws UserError.
asio::awaitable<void> set_up(GtpClient& client, const Address& server,
                             const std::vector<std::string>& commands, Milliseconds wait) {
  for (const auto end = AwakeClock::now() + wait; !client.is_connected();) {
    try {
      co_await client.connect(server, connect_timeout);
      break;
    } catch (const EngineFailure& failure) {
      if (AwakeClock::now() >= end) {
        throw UserError(sentence_of(failure, server));
      }
    }
    asio::steady_timer pause(co_await asio::this_coro::executor, retry_pause);
    co_await pause.async_wait(asio::use_awaitable);
  }
  if (commands.empty()) co_return;
  try {
    co_await client.ask_for_codes(true, answer_timeout);
    for (const std::string& command : commands) {
      const std::string remark = co_await client.demand(command, answer_timeout);
      if (!remark.empty() && command.starts_with(set_command)) {
        std::cerr << "pitboss: " << remark << "\n";
      }
    }
    co_await client.ask_for_codes(false, answer_timeout);  // GUIs show the text to users
  } catch (const EngineFailure& failure) {
    throw UserError(sentence_of(failure, server));
  }
}

int connect(const Address& server, const std::vector<std::string>& commands, Milliseconds wait,
            bool moves_graphics) {
  asio::io_context io{1};
  GtpClient client(io.get_executor());
  bool is_set_up = false;
  asio::co_spawn(io, set_up(client, server, commands, wait), [&](const std::exception_ptr& error) {
    if (error) std::rethrow_exception(error);
    is_set_up = true;
  });
  while (!is_set_up) io.run_one();

  GtpClient::Released connection = client.release();
  const BridgeResult result =
      run_bridge(io, std::move(connection.socket), std::move(connection.received), moves_graphics);
  switch (result.end) {
    case BridgeEnd::closed:
      return 0;
    case BridgeEnd::unasked:
      std::cerr << "pitboss: " << server.text()
                << " has closed the connection: the server ends, or nothing was asked for too long"
                << (server.access.token.empty() ? "" : ", or the token is not valid any more")
                << "\n";
      return exit_lost;
    case BridgeEnd::lost:
      std::cerr << "pitboss: connection to " << server.text() << " lost: " << result.why << "\n";
      return exit_lost;
    case BridgeEnd::nobody:
      return exit_lost;
    case BridgeEnd::interrupted:
      return exit_signal + result.signal;
  }
  return exit_lost;
}

}  // namespace

int gtp(const std::vector<std::string>& arguments) {
  GtpFlags values;
  const po::options_description options = describe(values);
  const auto map = read_flags("gtp", gtp_usage, options, arguments);
  if (!map) return 0;
  if (!(values.wait >= 0 && values.wait <= max_wait)) {
    throw UserError("--wait must be from 0 to 1e6 seconds");
  }
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0)
      throw UserError("standard input, output and error must be open");
  }
  Address server = parse_address(values.server);
  server.access = values.access.read();
  return connect(server, set_up_commands(values, map->contains("live-graphics")),
                 Milliseconds(std::llround(1000 * values.wait)),
                 values.dialect != dialect_with_inline_graphics);
}

}  // namespace pitboss::clients
