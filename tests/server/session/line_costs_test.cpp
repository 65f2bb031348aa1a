// What lines cost the thread that handles those of all sessions: the costliest of every command in
// every game.

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "engine/search/slice.hpp"
#include "games/any_game.hpp"
#include "games/grid.hpp"
#include "games/random.hpp"
#include "server/commands/commands.hpp"
#include "server/session/session.hpp"
#include "tests/sanitized.hpp"
#include "tests/server/session/conversation.hpp"
#include "tests/timing.hpp"

namespace pitboss::server {

namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr std::size_t longest_line = 65536;  // the server's limit

#ifdef NDEBUG
constexpr nanoseconds most = std::chrono::milliseconds(tests::sanitized ? 20 : 1);
#else
constexpr nanoseconds most = std::chrono::milliseconds(20);
#endif

/// `part`, again and again, as far as a line may be long.
std::string filled(std::string line, std::string_view part) {
  while (line.size() + part.size() < longest_line) line += part;
  return line;
}

/// Random moves, as gogui-play_sequence takes them.
std::string random_sequence(const games::AnyGame& game, games::Random& random) {
  constexpr int most_plies = 150;
  std::string sequence;
  const auto walk = game.clone();
  for (int ply = 0; ply < most_plies && !walk->result().finished(); ++ply) {
    const std::string mover(walk->name_of(walk->to_move()));
    const std::string move = walk->random_move(random);
    sequence += ' ' + mover + ' ' + move;
    walk->play(move);
  }
  return sequence;
}

/// Arguments of all kinds, few and as many as a line holds, for a position.
std::vector<std::string> arguments_in(const games::AnyGame& game, games::Random& random) {
  std::vector<std::string> all{"", " b", " 1", " on", " b 1", " 1 1 1", " name k value 0.5"};
  std::string points;
  std::string avoided = " b avoid b ";
  const games::BoardShape shape = game.shape();
  for (int x = 0; x < shape.width; ++x) {
    for (int y = 0; y < shape.height; ++y) points += " b " + games::point_text(x, y);
  }
  const auto moves = game.legal_moves();
  for (const std::string& move : moves) {
    if (avoided.size() < longest_line - 100) avoided += move + ',';
  }
  for (const std::string& move : moves) {
    all.push_back(" b " + move);
    all.push_back(" w " + move);
    if (all.size() > 12) break;
  }
  all.insert(all.end(), {random_sequence(game, random), points, avoided + " 1", filled("", " x"),
                         filled("", " b a1"), filled(" b avoid b ", "a1,") + " 1",
                         ' ' + filled("x", "x"), ' ' + filled("{", "\"k\":1,") + "\"k\":1}",
                         ' ' + filled("[", "["), " {\"k\":" + std::string(4000, '['),
                         filled("", " k=1"), ' ' + filled("", "8"), filled(" 1 1 1", " k=1")});
  return all;
}

/// Thread time of `handle` alone; a command that goes to a worker is interrupted there.
nanoseconds cost_of(tests::Conversation& client, const std::string& line) {
  std::string out;
  const auto begin = engine::thread_time();
  auto status = client.session.handle(line, out);
  const auto cost = engine::thread_time() - begin;
  while (status == tests::SteppedSession::Status::running) {
    client.session.interrupt();
    status = client.session.step(microseconds(100), out);
  }
  client.session.end_job();
  return cost;
}

struct Costly {
  nanoseconds cost;
  std::string line;
};

/// A session at a game that has come so far, perhaps after a search.
struct Situation {
  std::string game;
  std::string sequence;
  std::string searching;  ///< the colour that has searched a move; empty: none

  void set_up(tests::Conversation& client) const {
    client.ask("game " + game);
    if (!sequence.empty()) client.ask("gogui-play_sequence" + sequence);
    if (searching.empty()) return;
    client.ask("setoption simulations 300");
    client.ask("reg_genmove " + searching);
  }
};

Costly costliest(const Situation& situation, std::string_view command,
                 const std::vector<std::string>& arguments) {
  Costly worst{nanoseconds(0), ""};
  for (const std::string& words : arguments) {
    const std::string line = std::string(command) + words;
    const nanoseconds best = tests::quickest(100, most, [&] {
      tests::Conversation client;
      situation.set_up(client);
      return cost_of(client, line);
    });
    if (best > worst.cost) worst = {best, line.substr(0, 60)};
  }
  return worst;
}

void check_all(const Situation& situation, const std::vector<std::string>& arguments) {
  for (const Command& command : commands()) {
    const Costly worst = costliest(situation, command.name, arguments);
    CAPTURE(situation.game);
    CAPTURE(worst.line);
    CHECK(worst.cost <= most);
  }
}

}  // namespace

TEST_CASE("line costs: no line keeps the thread that handles lines for a millisecond") {
  if (tests::thread_sanitized) {
    MESSAGE("skipped: too slow with this sanitizer");
    return;
  }
  games::Random random(1);
  struct Row {
    std::string name;
    std::string parameters;
  };
  std::vector<Row> rows{{"amazons", ""},  {"gomoku", "size=19 opening=free"}, {"othello", ""},
                        {"fanorona", ""}, {"chinesecheckers", "board=full"},  {"rolit", ""},
                        {"connect4", ""}};
  if (tests::sanitized) rows.resize(2);  // the costliest
  for (const auto& [name, parameters] : rows) {
    const std::string game = name + ' ' + parameters;
    const auto start = games::make_game(name, games::parse_parameters(parameters));
    check_all({game, "", ""}, arguments_in(*start, random));
    check_all({game, random_sequence(*start, random), ""}, {"", " b", " 1", " 10"});
    check_all({game, "", std::string(start->name_of(start->to_move()))}, {"", " b"});
  }
}

}  // namespace pitboss::server
