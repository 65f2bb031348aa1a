#include "clients/results/machines.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clients/results/document/writers.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/match_tables.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/text.hpp"

namespace pitboss::clients {

namespace {

Experiment connect4_and_hex(int rounds) {
  Experiment experiment{.name = "", .matches = {}, .sprt = {}};
  experiment.matches.push_back(made_match("connect4", "A", "B", 2 * rounds));
  experiment.matches.push_back(made_match("hex size=5", "A", "B", 2 * rounds));
  return experiment;
}

/// An experiment that referees on these hosts share; a host may have several.
class Shared {
 public:
  Shared(const Experiment& experiment, const std::vector<std::string>& hosts)
      : contents_{{}, {}, Results(experiment)}, experiment_(experiment) {
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      RefereeEntry referee = made_referee(std::to_string(i), "folder");
      referee.host = hosts[i];
      contents_.referees.push_back(referee);
    }
  }
  /// The referee plays the match's next rounds, of which the first player wins both games of so
  /// many of each hundred, and one game of each of the others.
  void play(int match, const std::string& referee, int rounds, int whole_wins) {
    for (int i = 0; i < rounds; ++i) {
      const int number = next_[match]++;
      PlayedRound round = recorded_round(experiment_, match, number);
      round.referee = referee;
      round.begun = 1000 + number;
      round.ended = round.begun + 1;
      const bool is_whole = i * whole_wins / 100 != (i + 1) * whole_wins / 100;
      for (std::size_t g = 0; g < 2; ++g) set_winner(round.games[g], is_whole || g == 0);
      contents_.results.add(match, number, round.games);
      contents_.played.push_back(std::move(round));
    }
  }
  [[nodiscard]] const LedgerContents& contents() const { return contents_; }

 private:
  static void set_winner(PlayedGame& game, bool is_first) {
    game.twelfths = is_first ? 12 : 0;
    game.winner = is_first ? "A" : "B";
    const bool has_black = (game.seats[0] == "A") == is_first;
    game.result = has_black ? "B+1" : "W+1";
  }

  LedgerContents contents_;
  const Experiment& experiment_;
  std::vector<int> next_ = {0, 0};
};

using tests::contains;

}  // namespace

TEST_CASE("machines_of: rounds, games and speed of each machine, whoever refereed") {
  const Experiment experiment = connect4_and_hex(200);
  Shared shared(experiment, {"one", "two", "one"});
  shared.play(0, "0", 60, 50);
  shared.play(0, "1", 100, 50);
  shared.play(0, "2", 30, 50);
  shared.play(0, "lost", 10, 50);
  shared.play(1, "1", 20, 50);
  const std::vector<Machine> machines = machines_of(shared.contents());
  REQUIRE(machines.size() == 3);
  CHECK(machines[0].host == "one");
  CHECK(machines[0].rounds == 90);
  CHECK(machines[0].games == 180);
  CHECK(machines[0].games_a_minute == doctest::Approx(60 * 180 / 90.0));
  CHECK(machines[1].host == "two");
  CHECK(machines[1].games == 240);
  REQUIRE(machines[1].scores.size() == 2);
  CHECK(machines[1].scores[1].match == 1);
  CHECK(machines[1].scores[1].rounds == 20);
  CHECK_FALSE(machines[1].scores[1].p);  // nobody else has played it
  CHECK(machines[2].host == "not recorded");
  CHECK(machines[2].rounds == 10);
  int rounds = 0;
  for (const Machine& machine : machines) {
    rounds += machine.rounds;
    CHECK_FALSE(machine.differs());
  }
  CHECK(rounds == static_cast<int>(shared.contents().played.size()));
  REQUIRE(machines[0].scores[0].p);
  CHECK(*machines[0].scores[0].p > 0.9);
}

TEST_CASE("machines_of: a machine differs if chance does not explain it, all tests together") {
  const Experiment experiment = connect4_and_hex(1000);
  {
    Shared shared(experiment, {"one", "two"});
    shared.play(0, "0", 200, 50);
    shared.play(0, "1", 200, 65);
    // 100 and 130 of 200: chi-squared is 9.2, one test.
    const auto machines = machines_of(shared.contents());
    REQUIRE(machines[0].scores[0].p);
    CHECK(*machines[0].scores[0].p == doctest::Approx(0.0024).epsilon(0.02));
    CHECK(*machines[0].scores[0].p_holm == *machines[0].scores[0].p);
    CHECK(*machines[1].scores[0].p_holm == *machines[0].scores[0].p);
    CHECK(machines[0].differs());
    CHECK(machines[1].differs());
    const std::string report = report_html(shared.contents());
    CHECK(contains(report, "Results differ by machine, by more than chance: one, two."));
  }
  // The same difference among many machines is one in many tests.
  std::vector<std::string> hosts;
  for (int i = 0; i < 25; ++i) hosts.push_back("host" + std::to_string(i));
  Shared many(experiment, hosts);
  for (int i = 0; i < 25; ++i) many.play(0, std::to_string(i), 40, i == 7 ? 70 : 50);
  const auto machines = machines_of(many.contents());
  REQUIRE(machines.size() == 25);
  REQUIRE(machines[7].scores[0].p);
  CHECK(*machines[7].scores[0].p < 0.02);
  CHECK(*machines[7].scores[0].p_holm ==
        doctest::Approx(25 * *machines[7].scores[0].p).epsilon(1e-9));
  for (const Machine& machine : machines) CHECK_FALSE(machine.differs());
  const std::string report = report_html(many.contents());
  CHECK(contains(report, "differ from the others"));
  CHECK_FALSE(contains(report, "Results differ by machine"));
}

TEST_CASE("machines, referees and the whole have one speed") {
  const Experiment experiment = connect4_and_hex(2000);
  Shared shared(experiment, {"one"});
  shared.play(0, "0", 1400, 50);  // a round a second: more than is looked at
  const auto& contents = shared.contents();
  const double speed = speed_of(contents.played, [](auto&) { return true; });
  CHECK(speed == doctest::Approx(120).epsilon(0.01));
  CHECK(machines_of(contents)[0].games_a_minute == speed);
  const DataTable referees = referees_table(contents);
  CHECK(referees.rows[0][referees.place_of("games_a_minute")] == speed_cell(speed));
}

TEST_CASE("speed_of: the last of what counts, without the time between runs") {
  std::vector<PlayedRound> rounds;
  const auto play = [&](const std::string& referee, std::int64_t begun, int count) {
    for (int i = 0; i < count; ++i) {
      // Times are whole seconds: a second between two rounds is none.
      const std::vector<PlayedGame> games(2);
      rounds.push_back({0, i, games, begun + 2 * i, begun + 2 * i + 1, referee});
    }
  };
  play("a", 1000, 30);
  play("a", 1300, 30);
  play("b", 9000, 60);
  const auto of = [&](const std::string& referee) {
    return speed_of(rounds, [&](auto& round) { return round.referee == referee; });
  };
  CHECK(of("a") == doctest::Approx(60 * 120 / 118.0));
  CHECK(of("b") == doctest::Approx(60 * 120 / 119.0));
  CHECK(of("c") == 0);
}

TEST_CASE("machines_section: a single machine is compared with none") {
  const Experiment experiment = connect4_and_hex(200);
  Shared shared(experiment, {"one", "two"});
  shared.play(0, "0", 20, 50);
  const auto shown = [&] { return terminal_text({"", {machines_section(shared.contents())}}); };
  CHECK(contains(shown(), "failures"));
  CHECK_FALSE(contains(shown(), "difference"));
  shared.play(0, "1", 20, 50);
  CHECK(contains(shown(), "no difference was shown"));
}

TEST_CASE("machines_section: what programs read") {
  const Experiment experiment = connect4_and_hex(200);
  Shared shared(experiment, {"one", "two"});
  shared.play(1, "0", 2, 50);
  shared.play(1, "1", 100, 50);
  auto tables = tables_of({"", {machines_section(shared.contents())}});
  const Rows& machines = tables["machines"];
  const Rows& scores = tables["machine_scores"];
  REQUIRE(machines.size() == 2);
  CHECK(machines[0]["machine"] == "one");
  CHECK(machines[0]["processor"] == "abacus, 1 thread");
  CHECK(machines[1]["games"] == 200);
  REQUIRE(scores.size() == 2);
  CHECK(scores[0]["match"] == 2);
  CHECK(scores[0]["p"].is_null());  // too few rounds
  CHECK(scores[1]["score"] == 0.75);
  const auto json = nlohmann::json::parse(machines_json(shared.contents()));
  CHECK(json["machines"].size() == 2);
  CHECK(json["scores"][1]["rounds"] == 100);
}

}  // namespace pitboss::clients
