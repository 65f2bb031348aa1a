#include "clients/published/cell_record.hpp"

#include <doctest/doctest.h>

#include <string>

#include "clients/experiments/match_configuration.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/referee/made_games.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace {

/// The record of a match of which these rounds were played, as "WD"; the moves of a round that is
/// written twice are the same.
CellRecord record_with(const std::vector<std::string>& rounds,
                       const std::vector<engine::Assignment>& options_of_a = {},
                       const std::string& efforts_of_a = "") {
  Experiment experiment{
      "e", {made_match("connect4", "A", "B", static_cast<int>(rounds.size()))}, std::nullopt};
  experiment.matches[0].players[0].options = options_of_a;
  const Match& match = experiment.matches[0];
  LedgerContents contents{{}, {}, Results(experiment)};
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const int number = static_cast<int>(i);
    PlayedRound round{0, number, made_round(match, number, rounds[i]), 0, 0};
    for (std::size_t game = 0; game < round.games.size(); ++game) {
      round.games[game].moves = rounds[i] + std::to_string(game);
      round.games[game].efforts = {efforts_of_a, "20/1/1/1"};
    }
    contents.results.add(0, number, round.games);
    contents.played.push_back(std::move(round));
  }
  contents.results.set_declared({{{Declaration{"novel 1", {{"k", "1"}, {"network_sha256", "abc"}}},
                                   Declaration{"plain 2", {}}}}});
  return record_of(contents, "signature");
}

}  // namespace

TEST_CASE("record_of: results, distinct games and rounds") {
  const CellRecord record = record_with({"WW", "WD", "WW", "LL"});
  CHECK(record.tally.wins == 5);
  CHECK(record.tally.draws == 1);
  CHECK(record.tally.losses == 2);
  CHECK(record.distinct_games == 6);
  CHECK(record.plies == 8);
  CHECK(record.rounds.rounds() == 4);
  CHECK(record.distinct_rounds.rounds() == 3);
  CHECK(record.distinct_rounds.mean() == doctest::Approx(3.5 / 6));
  CHECK(record.recorder_signature == "signature");
}

TEST_CASE("record_of: both players' programs and networks") {
  const CellRecord record = record_with({"WW"});
  CHECK(record.networks == std::array<std::string, 2>{"abc", ""});
  CHECK(record.programs == std::array<std::string, 2>{"novel 1", "plain 2"});
}

TEST_CASE("record_of: simulations a move of a match that time bounds") {
  const std::vector<engine::Assignment> timed{{"simulations", "0"}, {"movetime", "25"}};
  const CellRecord record = record_with({"WW", "WD"}, timed, "500/1/1/1 700/1/1/1 900/1/1/1");
  CHECK(record.simulations == std::array<std::int64_t, 2>{700, 20});
  const ScratchFolder folder;
  write_text(folder / "r.jsonl", text_of({record}));
  CHECK(read_records(folder / "r.jsonl").at(0).simulations == record.simulations);
  for (const char* const wrong : {"[700]", "[700,20,1]", "[-1,20]", "[\"a\",20]"}) {
    std::string text = text_of({record});
    text.replace(text.find("[700,20]"), 8, wrong);
    write_text(folder / "r.jsonl", text);
    CHECK_FALSE(error_of([&] { static_cast<void>(read_records(folder / "r.jsonl")); }).empty());
  }
  CHECK_FALSE(record_with({"WW"}, timed, "").simulations);  // A's engine tells none
  CHECK_FALSE(record_with({"WW"}, {{"simulations", "9"}}, "9/1/1/1").simulations);
}

TEST_CASE("record_of: the hash is of moves and results, in order") {
  const CellRecord record = record_with({"WW", "WD"});
  CHECK(record.sha256 == record_with({"WW", "WD"}).sha256);
  CHECK(record.sha256 != record_with({"WD", "WW"}).sha256);
  CHECK(record.sha256.size() == 64);
}

TEST_CASE("records are read as they were written") {
  const ScratchFolder folder;
  const std::string text = text_of({record_with({"WW", "WD", "WW"}), record_with({"LL"})});
  write_text(folder / "r.jsonl", text);
  const auto records = read_records(folder / "r.jsonl");
  REQUIRE(records.size() == 2);
  CHECK(text_of(records) == text);
  CHECK(records[0].tally == record_with({"WW", "WD", "WW"}).tally);
  CHECK(records[0].networks[0] == "abc");
  CHECK(read_records(folder / "none.jsonl").empty());
}

TEST_CASE("a record that is damaged is told with its line") {
  const ScratchFolder folder;
  const std::string sound = text_of({record_with({"WW", "WD", "WW"})});
  const auto error_with = [&](const std::string& from, const std::string& to) {
    std::string text = sound + sound;
    const auto at = text.rfind(from);
    REQUIRE(at != std::string::npos);
    write_text(folder / "r.jsonl", text.replace(at, from.size(), to));
    return error_of([&] { static_cast<void>(read_records(folder / "r.jsonl")); });
  };
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"wins\":5", "\"wins\":4"},
                                 {"\"wins\"", "\"win\""},
                                 {"connect4", "conect4"},
                                 {"[18,1]", "[17,9]"},
                                 {"{\"match\"", "\"match\""},
                                 {"\"distinct_games\":4", "\"distinct_games\":40"}}) {
    CAPTURE(from);
    const std::string error = error_with(from, to);
    CHECK_MESSAGE(error.find("r.jsonl, line 2: not the record of a match") != std::string::npos,
                  error);
  }
}

}  // namespace pitboss::clients
