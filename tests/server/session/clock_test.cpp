#include "server/session/clock.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "games/random.hpp"
#include "server/session/table.hpp"
#include "tests/peers/late_search.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::chrono_literals;
using Colour = games::Colour;
using Seconds = TimeSettings::Seconds;

namespace {

constexpr Colour black = Colour::black;
constexpr TimeSettings no_limit{};

TimeSettings absolute(Seconds main) { return {.system = TimeSystem::absolute, .main = main}; }
TimeSettings canadian(Seconds main, Seconds period, int stones) {
  return {.system = TimeSystem::canadian, .main = main, .period = period, .count = stones};
}
TimeSettings byo_yomi(Seconds main, Seconds period, int periods) {
  return {.system = TimeSystem::byo_yomi, .main = main, .period = period, .count = periods};
}
TimeSettings fischer(Seconds main, Seconds increment, Seconds most = TimeSettings::unlimited,
                     Seconds most_a_move = TimeSettings::unlimited) {
  return {.system = TimeSystem::fischer,
          .main = main,
          .period = increment,
          .most = most,
          .most_a_move = most_a_move};
}

/// The clock of a strict controller for one player, written without a look at ours.
class Controller {
 public:
  explicit Controller(const TimeSettings& settings)
      : settings_(settings), left_(settings.main), periods_(settings.count) {
    if (left_ == Seconds{}) enter_overtime(Seconds{});
  }

  /// A move that took `used`; false if the flag has fallen.
  bool take(Seconds used) {
    if (used > settings_.most_a_move) return false;
    available_ += settings_.system == TimeSystem::fischer ? settings_.period : Seconds{};
    if (in_overtime_)
      return settings_.system == TimeSystem::canadian ? canadian(used) : japanese(used);
    left_ -= used;
    if (settings_.system == TimeSystem::fischer && left_ >= Seconds{}) {
      left_ = std::min(left_ + settings_.period, settings_.most);
    }
    if (left_ > Seconds{}) return true;
    if (settings_.count == 0) return left_ >= Seconds{};
    const Seconds beyond = -left_;
    enter_overtime(Seconds{});
    return settings_.system == TimeSystem::canadian ? canadian(beyond) : japanese(beyond);
  }
  /// What `time_left` says.
  [[nodiscard]] Seconds left() const { return left_; }
  [[nodiscard]] int count() const {
    if (!in_overtime_) return 0;
    return settings_.system == TimeSystem::canadian ? stones_ : periods_;
  }
  [[nodiscard]] bool has_lost_a_period() const { return periods_ < settings_.count; }
  /// All the time a player has been given who has used up none of a period.
  [[nodiscard]] Seconds available() const { return settings_.main + available_; }

 private:
  void enter_overtime(Seconds used) {
    if (settings_.count == 0) return;
    in_overtime_ = true;
    left_ = settings_.period - used;
    stones_ = settings_.count;
  }
  bool canadian(Seconds used) {
    left_ -= used;
    if (left_ < Seconds{}) return false;
    available_ += settings_.period / settings_.count;
    if (--stones_ == 0) enter_overtime(Seconds{});
    return true;
  }
  bool japanese(Seconds used) {
    for (; used > settings_.period && periods_ > 0; used -= settings_.period) --periods_;
    available_ += settings_.period;
    left_ = settings_.period;
    return periods_ > 0;
  }

  TimeSettings settings_;
  bool in_overtime_ = false;
  Seconds left_;
  Seconds available_{};
  int stones_ = 0;
  int periods_;
};

struct TimeUse {
  bool flagged = false;
  bool lost_a_period = false;
  double share = 0;  ///< of the time there was that was used to think
};

/// One player's moves in a game of `plies` that may last up to `max_plies`, each delayed by up to
/// `latency`; `tells`: the controller sends time_left before every move.
TimeUse play(const TimeSettings& settings, int plies, int max_plies, Seconds lag, Seconds latency,
             bool tells) {
  Clock clock;
  clock.set(settings);
  Controller controller(settings);
  games::Random random(7);
  Seconds thought{};
  for (int ply = 0; ply < plies; ply += 2) {
    if (tells) clock.set_left(black, {controller.left(), controller.count()});
    const Seconds time = clock.for_move(black, lag, moves_to_come(ply, max_plies, 2)).value();
    const Seconds delay = latency * (random.below(1001) / 1000.0);
    thought += time;
    clock.spend(black, time + lag);  // a session does not see the delay
    if (!controller.take(time + delay)) return {true, true, 0};
  }
  return {false, controller.has_lost_a_period(), thought / controller.available()};
}

struct Row {
  std::string name;
  TimeSettings settings;
};
const Row rows[] = {
    {"a minute", absolute(1min)},
    {"ten minutes", absolute(10min)},
    {"1 minute, then 1 move in 5 s", canadian(1min, 5s, 1)},
    {"10 moves in 30 s", canadian(0s, 30s, 10)},
    {"10 s, then 25 moves in a minute", canadian(10s, 1min, 25)},
    {"5 periods of 5 s", byo_yomi(0s, 5s, 5)},
    {"1 minute, then one period of 2 s", byo_yomi(1min, 2s, 1)},
    {"a second, then 3 periods of 10 s", byo_yomi(1s, 10s, 3)},
    {"10 s and 1 s a move", fischer(10s, 1s)},
    {"2 minutes and 5 s a move", fischer(2min, 5s)},
    {"a minute and a quarter of a second a move", fischer(1min, 250ms)},
    {"20 s and 2 s a move, at most 30 s", fischer(20s, 2s, 30s)},
    {"a minute and 3 s a move, at most 90 s, 4 s a move", fischer(1min, 3s, 90s, 4s)},
};

}  // namespace

TEST_CASE("Clock: never flags while no move is delayed by more than the lag it reckons with") {
  for (const Row& row : rows) {
    for (const bool tells : {false, true}) {
      for (const auto lag : {0ms, 20ms, 100ms, 200ms, 350ms, 500ms}) {
        for (const int plies : {10, 42, 60, 120, 200}) {
          for (const int max_plies : {plies, 200, 361}) {
            CAPTURE(row.name);
            CAPTURE(tells);
            CAPTURE(lag.count());
            CAPTURE(plies);
            CAPTURE(max_plies);
            const TimeUse outcome =
                play(row.settings, plies, std::max(plies, max_plies), lag, lag, tells);
            CHECK_FALSE(outcome.flagged);
            CHECK_FALSE(outcome.lost_a_period);
          }
        }
      }
    }
  }
}

TEST_CASE("Clock: uses a sensible share of the time") {
  // The default lag, moves that arrive at once; games as long as those of connect4, of breakthrough
  // and of Go on a small board, whose rules allow many more.
  for (const Row& row : rows) {
    for (const auto& [plies, max_plies] : {std::pair{36, 42}, {60, 193}, {120, 361}}) {
      const TimeUse outcome = play(row.settings, plies, max_plies, 200ms, 0ms, true);
      CAPTURE(row.name);
      CAPTURE(plies);
      CHECK(outcome.share > 0.5);
      CHECK(outcome.share <= 1);
    }
  }
}

TEST_CASE("Clock: no settings bound nothing") {
  Clock clock;
  CHECK_FALSE(clock.for_move(black, 0ms, 20).has_value());
  clock.set(absolute(1s));
  clock.set(no_limit);
  CHECK_FALSE(clock.for_move(black, 0ms, 20).has_value());
}

TEST_CASE("Clock: what the client says is left is believed, in every system") {
  for (const Row& row : rows) {
    CAPTURE(row.name);
    Clock clock;
    clock.set(row.settings);
    clock.set_left(black, {500ms, row.settings.count > 0 ? 1 : 0});
    CHECK(clock.for_move(black, 100ms, 1).value() <= 400ms);
    CHECK(clock.for_move(black, 100ms, 1).value() >= 300ms);
    clock.set_left(black, {0s, 0});
    CHECK(clock.for_move(black, 100ms, 1).value() >= 1ms);
  }
  Clock clock;  // of a client that sends no settings
  clock.set_left(black, {10s, 5});
  CHECK(clock.for_move(black, 0ms, 20) == 2s);
  for (int i = 0; i < 5; ++i) clock.spend(black, 2s);
  CHECK(clock.for_move(black, 0ms, 20) == 1ms);
}

TEST_CASE("Clock: without settings, what is told of one colour's time limits that colour only") {
  Clock clock;
  clock.set_left(black, {10s, 0});
  CHECK(clock.for_move(black, 0ms, 20) == 500ms);
  CHECK_FALSE(clock.for_move(Colour::white, 0ms, 20).has_value());
  clock.spend(Colour::white, 1h);
  CHECK_FALSE(clock.for_move(Colour::white, 0ms, 20).has_value());
  clock.restart();  // a new game
  CHECK_FALSE(clock.for_move(black, 0ms, 20).has_value());
}

TEST_CASE("Clock: each colour has its own time, and a new game all of it") {
  Clock clock;
  clock.set(absolute(10s));
  const auto fresh = clock.for_move(black, 0ms, 20);
  clock.spend(black, 5s);
  CHECK(clock.for_move(black, 0ms, 20) < fresh);
  CHECK(clock.for_move(Colour::white, 0ms, 20) == fresh);
  clock.restart();
  CHECK(clock.for_move(black, 0ms, 20) == fresh);
}

TEST_CASE("Table: a new game begins with all of its time, however it begins") {
  peers::LateEvaluator evaluator(1h);
  SessionConfig config;
  config.make_search = [&](const games::AnyGame&, const std::shared_ptr<engine::MemorySource>&) {
    return std::make_unique<peers::LateSearch>(evaluator);
  };
  Table table{config};
  const auto has_time = [&] {
    table.begin_move(true);
    const bool has = table.search().run(1ms).wake_at > environment::AwakeClock::now() + 1min;
    table.search().end();
    return has;
  };
  table.clock().set(absolute(1h));
  CHECK(has_time());
  const std::function<void()> beginnings[] = {
      [&] { table.clear(); }, [&] { table.new_game("othello", {}); },
      [&] {
        table.resume({games::make_game("connect4"), {"d1", "d2"}});
      },
      [&] {
        table.resume({games::make_game("connect4"), {"d1"}}, {{"k", "0.5"}});
      }};
  for (const auto& begin : beginnings) {
    for (const Colour colour : {black, Colour::white}) {
      table.clock().spend(colour, 1h);
    }
    CHECK_FALSE(has_time());
    begin();
    CHECK(has_time());
  }
}

TEST_CASE("Clock: main time that is used up leads to the overtime") {
  Clock clock;
  clock.set(canadian(1s, 10s, 5));
  clock.spend(black, 3s);  // two of them in the first period: 8 s for four moves
  CHECK(clock.for_move(black, 0ms, 20) == 2s);
  for (int i = 0; i < 4; ++i) clock.spend(black, 2s);
  CHECK(clock.for_move(black, 0ms, 20) == 2s);  // the next period
  clock.set(byo_yomi(1s, 10s, 3));
  clock.spend(black, 13s);
  CHECK(clock.for_move(black, 0ms, 20) == 10s);
}

TEST_CASE("Clock: nothing left is still a millisecond, and a flag that has fallen no more") {
  Clock clock;
  for (const Row& row : rows) {
    CAPTURE(row.name);
    clock.set(row.settings);
    clock.spend(black, 1h);
    CHECK(clock.for_move(black, 200ms, 20).value() >= 1ms);
  }
}

TEST_CASE("moves_to_come") {
  CHECK(moves_to_come(0, 42, 2) == 21);  // as many as the rules allow
  CHECK(moves_to_come(41, 42, 2) == 1);
  CHECK(moves_to_come(50, 42, 2) == 1);
  CHECK(moves_to_come(1, 4, 2) == 2);  // the second and the fourth
  CHECK(moves_to_come(2, 4, 2) == 1);
  CHECK(moves_to_come(1, 60, 4) == 15);
  CHECK(moves_to_come(4, 60, 4) == 14);
  CHECK(moves_to_come(0, 361, 2) == 100);  // but not reckoned with to the last
  CHECK(moves_to_come(100, 361, 2) == 50);
  CHECK(moves_to_come(160, 361, 2) == 20);
  CHECK(moves_to_come(300, 361, 2) == 20);
  CHECK(moves_to_come(100, 1000, 4) == 75);
}
