#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/text.hpp"

// `pitboss sprt` and `pitboss games`: a match's numbers, before it and after it.

namespace pitboss::clients {

namespace {

peers::ProgramEnd told(std::vector<std::string> words) {
  words.insert(words.begin(), tests::bin_folder() + "/pitboss");
  return peers::ended(words);
}

using tests::contains;

}  // namespace

TEST_CASE("pitboss sprt: pairs and games as fastchess counts them") {
  // The numbers but for the ends of Elo are what fastchess computes.
  const auto pairs = told({"sprt", "10", "40", "100", "50", "20"});
  CHECK(pairs.code == 0);
  CHECK_MESSAGE(contains(pairs.out, "440"), pairs.out);
  CHECK_MESSAGE(contains(pairs.out, "+23.7 [+1.5, +46.2]"), pairs.out);
  CHECK_MESSAGE(contains(pairs.out, "+34.6 [+2.2, +67.1]"), pairs.out);
  CHECK_MESSAGE(contains(pairs.out, "98.2 %"), pairs.out);
  CHECK_MESSAGE(contains(pairs.out, "+0.58 [-2.94, +2.94]"), pairs.out);
  CHECK_MESSAGE(contains(pairs.out, "undecided"), pairs.out);
  const auto games = told({"sprt", "1120", "0", "880", "--sprt", "elo0=0 elo1=10 model=logistic"});
  CHECK_MESSAGE(contains(games.out, "+6.08 [-2.94, +2.94]"), games.out);
  CHECK_MESSAGE(contains(games.out, "accepted +10 Elo, not 0"), games.out);
}

TEST_CASE("pitboss games: says what a difference takes, from draws or from rounds") {
  const auto apart = told({"games", "--elo", "10", "--draws", "0.3"});
  CHECK(apart.code == 0);
  // (1.96 * 0.418 * 695.3 / 10)^2.
  CHECK_MESSAGE(contains(apart.out, "3248 games"), apart.out);
  CHECK_MESSAGE(contains(apart.out, "elo1 is accepted with 95.0 %"), apart.out);
  CHECK_MESSAGE(contains(apart.out, "elo1 is accepted with 5.0 %"), apart.out);
  // Pairs that each player halves but for one of ten take a fifth of the games.
  const auto pairs = told({"games", "--rounds", "5 0 90 0 5"});
  CHECK_MESSAGE(contains(pairs.out, "0.224 points a game"), pairs.out);
}

TEST_CASE("pitboss sprt and games: mistakes end with a sentence and 2") {
  struct Row {
    std::vector<std::string> words;
    const char* says;
  };
  for (const Row& row : {Row{{"sprt"}, "five numbers"},
                         {{"sprt", "1", "2"}, "there are 2"},
                         {{"sprt", "1", "-2", "3"}, "-2"},
                         {{"sprt", "1", "x", "3"}, "not 'x'"},
                         {{"sprt", "0", "0", "0"}, "no game was played"},
                         {{"sprt", "1", "1", "1", "--sprt", "elo0=5 elo1=0"}, "--sprt: "},
                         {{"sprt", "1", "1", "1", "--sprt", "elo0=0"}, "elo1"},
                         {{"games", "--elo", "0"}, "not 0"},
                         {{"games", "--elo", "nan"}, "--elo"},
                         {{"games", "--draws", "1.5"}, "no games are"},
                         {{"games", "--draws", "1", "--elo", "10"}, "no games are"},
                         {{"games", "--rounds", "0 0 10 0 0"}, "no deviation"},
                         {{"games", "--rounds", "1 1 1", "--draws", "0.5"}, "leave out"},
                         {{"games", "--error", "-1"}, "--error must be above 0"}}) {
    const auto end = told(row.words);
    CAPTURE(row.words.back());
    CHECK(end.code == 2);
    CHECK_MESSAGE(contains(end.err, row.says), end.err);
    CHECK(end.out.empty());
  }
}

}  // namespace pitboss::clients
