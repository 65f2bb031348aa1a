#include "clients/results/record_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "games/records/game_record.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

LedgerContents contents_of(const Experiment& experiment) {
  LedgerContents out{{}, {}, Results(experiment)};
  for (std::size_t m = 0; m < experiment.matches.size(); ++m) {
    const Match& match = experiment.matches[m];
    for (int round = 0; round < match.games / match.round(); ++round) {
      out.played.push_back(recorded_round(experiment, static_cast<int>(m), round));
      out.results.add(static_cast<int>(m), round, out.played.back().games);
    }
  }
  return out;
}

std::string text_in(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("write_sgf writes a file a game, whose names sort as the games do") {
  Experiment experiment{.name = "two", .matches = {}, .sprt = {}};
  experiment.matches.push_back(made_match("hex size=5", "A", "B", 6));
  experiment.matches.push_back(made_match("rolit players=3", "A", "B", 2));
  experiment.matches.push_back(made_match("amazons", "B", "A", 1));
  const LedgerContents contents = contents_of(experiment);
  const ScratchFolder folder;
  const SgfFiles files = write_sgf(folder / "games", contents);
  CHECK(files.written == 14);
  CHECK(files.left_out == 12);

  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder / "games")) paths.push_back(entry.path());
  std::ranges::sort(paths);
  REQUIRE(paths.size() == 14);
  CHECK(paths[0].filename() == "01-0001-hex-A-B.sgf");
  CHECK(paths[9].filename() == "01-0010-hex-B-A.sgf");
  CHECK(paths[12].filename() == "03-0001-amazons-B-A.sgf");
  const auto games = contents.games();
  std::size_t at = 0;
  for (const std::size_t match : {0, 2}) {
    for (const PlayedGame& game : games[match]) {
      const auto read = games::read_sgf(text_in(paths[at++]));
      REQUIRE(read.size() == 1);
      const games::Record record =
          games::record_from_sgf(read[0], *games::make_game("connect4")).game;
      CHECK(join(record.moves) == game.moves);
    }
  }
}

TEST_CASE("games.csv has what the engines told, and is the same whenever it was played") {
  Experiment experiment{.name = "one", .matches = {}, .sprt = {}};
  experiment.matches.push_back(made_match("hex size=5", "A", "B", 2));
  const LedgerContents contents = contents_of(experiment);
  LedgerContents other = contents;
  for (PlayedRound& round : other.played) {
    round.begun += 1000;
    for (PlayedGame& game : round.games) game.evaluations = {};
  }
  const std::string csv = games_csv(contents);
  CHECK(csv == games_csv(other));
  CHECK(csv.starts_with(std::string(csv_header) + "\n1,hex size=5"));
  const PlayedGame& first = contents.played[0].games[0];
  CHECK(csv.find("," + first.values + "," +
                 first.efforts[0].substr(0, first.efforts[0].find('/'))) != std::string::npos);
}

}  // namespace pitboss::clients
