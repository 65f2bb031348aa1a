#include "clients/results/dry_run.hpp"

#include <doctest/doctest.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "tests/environment/one_processor.hpp"

namespace pitboss::clients {

using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

/// How long a move takes that is made after so many others.
using Pause = std::function<std::chrono::milliseconds(int moves)>;

/// Plays the first legal move, each time after a while.
class FirstMove final : public Engine {
 public:
  FirstMove(Pause pause, int& moves) : pause_(std::move(pause)), moves_(moves) {}

  asio::awaitable<void> open() override {
    open_ = true;
    co_return;
  }
  [[nodiscard]] bool is_open() const override { return open_; }
  [[nodiscard]] bool is_alive() const override { return open_; }
  [[nodiscard]] environment::AwakeClock::time_point opened() const override { return {}; }
  void close() override { open_ = false; }
  asio::awaitable<Declaration> examine(const Match& match) override {
    if (match.game == "hex") throw EngineFailure(EngineFailure::Kind::refused, "no hex");
    co_return Declaration{};
  }
  asio::awaitable<void> begin(const Match& match, std::int64_t /*seed*/) override {
    position_ = match.initial_position();
    co_return;
  }
  asio::awaitable<void> play(games::Colour /*mover*/, std::string move) override {
    position_->play(move);
    co_return;
  }
  asio::awaitable<std::string> genmove(games::Colour /*mover*/,
                                       std::chrono::milliseconds /*timeout*/) override {
    asio::steady_timer timer(co_await asio::this_coro::executor, pause_(moves_));
    co_await timer.async_wait(asio::use_awaitable);
    const std::string move = position_->legal_moves().front();
    position_->play(move);
    ++moves_;
    co_return move;
  }
  [[nodiscard]] std::string excerpt() const override { return {}; }
  asio::awaitable<std::optional<int>> workers() override { co_return 3; }

 private:
  Pause pause_;
  int& moves_;
  bool open_ = false;
  std::unique_ptr<games::AnyGame> position_;
};

EngineMaker first_move(const Pause& pause, int& moves) {
  return [&moves, pause](const asio::any_io_executor& /*executor*/, const Player& /*player*/) {
    return std::make_unique<FirstMove>(pause, moves);
  };
}

ExperimentFile file_of(const std::string& text) { return parse_experiment(text, "f.toml"); }

const std::string three = R"(
game = "connect4"
games = 100
concurrency = 4
[sprt]
elo0 = 0
elo1 = 5
[[server]]
address = "a:1"
concurrency = 2
[[player]]
name = "timed"
options = { simulations = 0, movetime = 20 }
[[player]]
name = "counted"
options = { simulations = 100, k = 0.5 }
[[player]]
name = "both"
options = { simulations = 100, movetime = 50 }
)";

}  // namespace

TEST_CASE("stated_costs are the time for a move") {
  const MoveCosts costs = stated_costs(file_of(three).experiment);
  REQUIRE(costs.size() == 3);
  CHECK(costs[0][0]->seconds == 0.02);
  CHECK_FALSE(costs[0][0]->is_measured);
  CHECK_FALSE(costs[0][1].has_value());
  CHECK(costs[1][1]->seconds == 0.05);
}

TEST_CASE("stated_costs of players with clocks are what these allow on average") {
  const auto cost_with = [](const std::string& clock) {
    std::string text = three;
    const std::string set = "options = { simulations = 0, movetime = 20 }";
    text.replace(text.find(set), set.size(), "tc = \"" + clock + "\"");
    const ExperimentFile file = file_of(text);
    CHECK(plan_text(file, {}).find("player    timed: tc=" + clock) != std::string::npos);
    const auto cost = stated_costs(file.experiment)[0][0];
    REQUIRE(cost.has_value());
    CHECK_FALSE(cost->is_measured);
    return cost->seconds;
  };
  CHECK(cost_with("40/60") == doctest::Approx(1.5));
  CHECK(cost_with("30s:5") == doctest::Approx(30));
  const double moves = 100 / cost_with("100");  // in half a game
  CHECK(moves > 4);
  CHECK(moves < 21);
  CHECK(cost_with("100+2") == doctest::Approx(100 / moves + 2));
}

TEST_CASE("stated_costs of players with a clock and a time for a move are the shorter of both") {
  const auto cost_with = [](const std::string& clock) {
    std::string text = three;
    const std::string before = "name = \"timed\"\n";
    text.replace(text.find(before), before.size(), before + "tc = \"" + clock + "\"\n");
    return stated_costs(file_of(text).experiment)[0][0]->seconds;
  };
  CHECK(cost_with("40/60") == 0.02);
  CHECK(cost_with("100/1") == doctest::Approx(0.01));
}

TEST_CASE("measure_costs times each player once in a game, unless time is its only bound") {
  int moves = 0;
  const MoveCosts costs =
      measure_costs(file_of(three).experiment, first_move([](int) { return 3ms; }, moves));
  CHECK(moves == 2 * 4 * 20);
  CHECK_FALSE(costs[0][0]->is_measured);
  CHECK(costs[0][0]->seconds == 0.02);
  for (const auto& cost : {costs[0][1], costs[1][1], costs[2][0], costs[2][1]}) {
    REQUIRE(cost.has_value());
    CHECK(cost->is_measured);
    CHECK(cost->seconds >= 0.003);
    CHECK(cost->seconds < 1);
    CHECK(cost->at_once == 3);
  }
}

TEST_CASE("measure_costs: neither a cold engine nor a few slow moves count") {
  int moves = 0;
  const Pause uneven = [](int n) { return n < 4 || n % 15 == 7 ? 40ms : 1ms; };
  Experiment one = file_of(three).experiment;
  one.matches.resize(1);
  const MoveCosts costs = measure_costs(one, first_move(uneven, moves));
  CHECK(costs[0][1]->seconds < 0.006);  // the mean of all is more
}

TEST_CASE("measure_costs: of slow moves one round is enough") {
  int moves = 0;
  Experiment one = file_of(three).experiment;
  one.matches.resize(1);
  const MoveCosts costs = measure_costs(one, first_move([](int) { return 260ms; }, moves));
  CHECK(moves == 4);
  CHECK(costs[0][1]->seconds >= 0.26);
}

TEST_CASE("measure_costs: programs search at once as many as there are processors to use") {
  Experiment one = file_of(three).experiment;
  one.matches.resize(1);
  one.matches[0].players[1].location = Program{{"engine"}};
  const tests::OneProcessor processor;
  int moves = 0;
  const MoveCosts costs = measure_costs(one, first_move([](int) { return 1ms; }, moves));
  CHECK(costs[0][1]->at_once == 1);
}

TEST_CASE("load_text: nothing of a machine that is as good as idle") {
  CHECK(load_text(0.4, 2).empty());
  CHECK(load_text(5, 64).empty());
  CHECK(load_text(5.64, 2) ==
        "load        this machine has a load of 5.6 on 2 processors, and the time is that of an "
        "idle one: it will take longer\n");
}

TEST_CASE("games_at_once: what the file, the places and their processors allow") {
  const ExperimentFile file = file_of(three);
  const Match& match = file.experiment.matches[0];
  CHECK(games_at_once(file, match, {MoveCost{0.1, true, 1}, MoveCost{0.1, true, 8}}) == 1);
  CHECK(games_at_once(file, match, {MoveCost{0.1, true, 8}, std::nullopt}) == 2);
}

TEST_CASE("measure_costs says who does not play") {
  int moves = 0;
  Experiment experiment = file_of(three).experiment;
  for (Match& match : experiment.matches) set_game(match, "hex");
  try {
    static_cast<void>(measure_costs(experiment, first_move([](int) { return 0ms; }, moves)));
    FAIL("no error");
  } catch (const UserError& e) {
    CHECK(std::string(e.what()) == "a:1 cannot be asked by counted for moves of hex: no hex");
  }
}

TEST_CASE("mean_plies") {
  Match match;
  set_game(match, "amazons size=8");
  // Random games of amazons differ little in length: 46 plies, deviation 4 (the program behind
  // Quality-based Rewards, 2000 games).
  CHECK(mean_plies(match) > 36);
  CHECK(mean_plies(match) < 56);
  CHECK(mean_plies(match) == mean_plies(match));
  match.max_plies = 10;
  CHECK(mean_plies(match) == 10);
}

TEST_CASE("estimated_seconds") {
  Match match;
  set_game(match, "amazons");
  match.games = 10;
  match.max_plies = 12;  // two of them the opening's
  CHECK_FALSE(estimated_seconds(match, {MoveCost{1}, std::nullopt}, mean_plies(match)).has_value());
  CHECK(*estimated_seconds(match, {MoveCost{1}, MoveCost{3}}, mean_plies(match)) ==
        doctest::Approx(10 * 10 * 2.0));
}

TEST_CASE("plan_text") {
  const ExperimentFile file = file_of(three);
  const auto has = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  };
  const std::string stated = plan_text(file, stated_costs(file.experiment));
  has(stated, "experiment  f\nseed        1\n");
  has(stated, "games       300 at most in 3 matches\n");
  has(stated, "leaves (-2.94, 2.94): normalized Elo 0 against 5, alpha 0.05, beta 0.05; ");
  has(stated, "; about 25591 games if it is the first, 41861 half-way, 25591 if the second\n");
  has(stated, "place       a:1, 2 games at once\n");
  has(stated, "openings  random:1, 49 distinct: each is played in about 1.0 rounds\n");
  has(stated, "player    counted: simulations=100 k=0.5\n");
  has(stated, "match     timed - counted: 100 games in rounds of 2; a move at most 0.0200 s and ");
  has(stated, "and what 2 matches may take: no move was timed\n");
  has(stated, "An estimate:");
  has(stated, "Where time bounds moves, a server plays no more games at once than it has workers");

  MoveCosts costs(3, {MoveCost{0.1, true}, MoveCost{0.1, true}});
  const std::string timed = plan_text(file, costs);
  has(timed, "with 2 games at once");
  CHECK(timed.find("no move was timed") == std::string::npos);
  CHECK(timed.find("Where time bounds moves") == std::string::npos);
  has(plan_text(file, {}), "time        unknown: 3 matches, no move was timed\n");

  const std::string programs = plan_text(file_of(R"(
game = "hex"
games = 2
[[player]]
name = "mine"
program = "'my engine' -x"
speaks = "gtp"
dialect = "hexgui"
[[player]]
name = "other"
program = "stockfish"
speaks = "uci"
options = { nodes = 5, "Use Book" = true }
)"),
                                         {});
  has(programs, "player      mine, speaks gtp, dialect hexgui, at 'my engine' -x\n");
  has(programs, "  player    mine: 'my engine' -x, speaks gtp, dialect hexgui; its defaults\n");
  has(programs, "  player    other: stockfish, speaks uci; nodes=5 'Use Book=true'\n");
}

}  // namespace pitboss::clients
