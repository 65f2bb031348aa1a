#include "clients/experiments/published_table.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "tests/clients/error_of.hpp"

namespace pitboss::clients {

namespace {

/// Two players and their control against a baseline, in two games; `of_a` are more keys of A.
std::string file_with_published(const std::string& table, const std::string& of_a,
                                const std::string& pairings = "{ against = \"base\" }") {
  return "game = [\"connect4\", \"gomoku size=7\"]\ngames = 4\npairings = " + pairings + "\n" +
         table + R"([[server]]
address = "127.0.0.1:4580"
[[player]]
name = "base"
[[player]]
name = "A"
)" + of_a +
         R"([[player]]
name = "C"
options = { alpha = 0 }
)";
}

const std::string bare = "[published]\ntitle = \"T\"\ngames = 2000\n";
const std::string table = bare + "question = \"Is A better?\"\n";

}  // namespace

TEST_CASE("published_table_of: scores and controls by match") {
  const auto file = parse_experiment(
      file_with_published(table + "about = \"all of it\"\noptions = \"other\"\n",
                          "published = { connect4 = 53.7 }\ncontrol = { gomoku = \"C\" }\n"),
      "f.toml");
  REQUIRE(file.published);
  CHECK(file.published->title == "T");
  CHECK(file.published->about == "all of it");
  CHECK(file.published->games == 2000);
  CHECK(file.published->question == "Is A better?");
  CHECK(!file.published->has_paper_options);
  const auto& cells = file.published->cells;
  REQUIRE(cells.size() == 4);  // A and C at connect4, A and C at gomoku
  CHECK(std::get<double>(cells[0].score.value()) == doctest::Approx(0.537));
  CHECK(cells[0].controls.empty());
  CHECK(!cells[1].score);
  CHECK(!cells[2].score);
  CHECK(cells[2].controls == std::vector<std::size_t>{3});
}

TEST_CASE("published_table_of: without tables by game a score holds for all") {
  const auto file =
      parse_experiment(file_with_published(table, "published = 60\ncontrol = \"C\"\n"), "f.toml");
  CHECK(file.published->has_paper_options);
  CHECK(file.published->cells[0].controls == std::vector<std::size_t>{1});
  CHECK(file.published->cells[2].controls == std::vector<std::size_t>{3});
  CHECK(std::get<double>(file.published->cells[2].score.value()) == doctest::Approx(0.6));
}

TEST_CASE(
    "published_table_of: words instead of numbers, of which the paper's games are not asked") {
  const auto file = parse_experiment(
      file_with_published("[published]\ntitle = \"T\"\n",
                          "published = { connect4 = \"better\", gomoku = \"not better\" }\n"),
      "f.toml");
  const auto& cells = file.published->cells;
  CHECK(file.published->games == 0);
  CHECK(std::get<Wording>(cells[0].score.value()) == Wording::better);
  CHECK(std::get<Wording>(cells[2].score.value()) == Wording::not_better);
}

TEST_CASE("published_table_of: of several opponents, the one that a player's key names") {
  const std::string pairings = R"([["A", "base"], ["A", "C"]])";
  const auto file = parse_experiment(
      file_with_published(table, "published = 60\nagainst = \"C\"\n", pairings), "f.toml");
  const auto& cells = file.published->cells;
  REQUIRE(cells.size() == 4);  // A against base and C at connect4, then at gomoku
  CHECK(!cells[0].score);
  CHECK(cells[1].score);
  CHECK(cells[3].score);
  const auto by_game = parse_experiment(
      file_with_published(
          table, "published = 60\nagainst = { connect4 = \"base\", gomoku = \"C\" }\n", pairings),
      "f.toml");
  CHECK(by_game.published->cells[0].score);
  CHECK(!by_game.published->cells[1].score);
  CHECK(!by_game.published->cells[2].score);
  CHECK(by_game.published->cells[3].score);
}

TEST_CASE("published_table_of: points of a figure") {
  const auto file = parse_experiment(
      file_with_published(
          table + "x_axis = \"weeks\"\n",
          "published = 60\ngame = [\"connect4\"]\npoint = { series = \"s\", x = 2.5 }\n"),
      "f.toml");
  CHECK(file.published->x_axis == "weeks");
  CHECK(file.published->cells[0].point.value().series == "s");
  CHECK(file.published->cells[0].point.value().x == 2.5);
  CHECK(!file.published->cells[1].point);
}

TEST_CASE("published_table_of: controls without a published score") {
  const auto file = parse_experiment(
      file_with_published("[published]\ntitle = \"T\"\nquestion = \"Q?\"\n", "control = \"C\"\n"),
      "f.toml");
  CHECK(file.published->cells[0].controls == std::vector<std::size_t>{1});
  CHECK(!file.published->cells[0].score);
}

TEST_CASE("every mistake in what a file says of a paper has a sentence") {
  struct Row {
    std::string text;
    std::string error;  // contained
  };
  const std::vector<Row> rows{
      {file_with_published("", "published = 50\n"), "published: belongs to a table [published]"},
      {file_with_published("", "control = \"C\"\n"), "control: belongs to a table [published]"},
      {file_with_published(table, ""), "published: no player has a published score or a control"},
      {file_with_published("[published]\ngames = 2\n", "published = 50\n"), "\"title\" is missing"},
      {file_with_published("[published]\ntitle = \"T\"\n", "published = 50\n"),
       "\"games\" is missing"},
      {file_with_published(table + "option = 1\n", "published = 50\n"), "did you mean 'options'?"},
      {file_with_published(table + "options = \"mine\"\n", "published = 50\n"),
       "options: expected \"paper\" or \"other\""},
      {file_with_published(bare, "published = 50\ncontrol = \"C\"\n"),
       "published: question is missing, which players are compared with controls for"},
      {file_with_published(table, "published = 101\n"),
       "published: expected a number from 0 to 100"},
      {file_with_published(table, "published = \"good\"\n"),
       R"(published: expected per cent, "better", "not better", "even" or "worse")"},
      {file_with_published(table + "x_axis = \"weeks\"\n", "published = 50\n"),
       "published: x_axis and players with a point go together"},
      {file_with_published(table, "published = 50\npoint = { series = \"s\", x = 1 }\n"),
       "published: x_axis and players with a point go together"},
      {file_with_published(table + "x_axis = \"weeks\"\n", "point = { series = \"s\", y = 1 }\n"),
       "y: this key is unknown; known: series, x"},
      {file_with_published("", "against = \"base\"\n"), "against: belongs to a table [published]"},
      {file_with_published(table, "published = 50\nagainst = \"C\"\n"),
       "against: C is no opponent of A, as the first"},
      {file_with_published(table, "published = 50\nagainst = { hex = \"base\" }\n"),
       "\"hex\" is not a game of this experiment"},
      {file_with_published(table, "published = 50\nagainst = { connect4 = \"nobody\" }\n"),
       "connect4: nobody is no opponent of A, as the first, at connect4"},
      {file_with_published(table, "published = 50\nagainst = { connect4 = \"base\" }\n",
                           R"([["A", "base"], ["A", "C"]])"),
       R"(A has more than one opponent at gomoku, and its key "against" names none there)"},
      {file_with_published("[published]\ntitle = \"T\"\ngames = -1\n", "published = \"even\"\n"),
       "games: expected"},
      {file_with_published(table + "x_axis = \"weeks\"\n",
                           "published = 50\npoint = { series = \"s\", x = 1 }\n"),
       "the figure has two scores of the series \"s\" at the same x"},
      {file_with_published(table, "published = { hex = 50 }\n"),
       "\"hex\" is not a game of this experiment"},
      {file_with_published(table, "published = 50\ncontrol = \"D\"\n"),
       "control: no other player \"D\" meets base at connect4"},
      {file_with_published(table, "published = 50\ncontrol = \"A\"\n"),
       "control: no other player \"A\" meets base at connect4"},
      {file_with_published(table, "published = 50\ncontrol = [\"C\", \"C\"]\n"),
       "control: the control \"C\" is named twice"},
      {file_with_published(table, "published = 50\n", R"([["A", "base"], ["A", "C"]])"),
       "published: A has more than one opponent at connect4, and no key \"against\""},
      {file_with_published(table, "published = 50\n", R"([["base", "A"], ["C", "base"]])"),
       "published: A is the first player of no match"},
      {file_with_published("[sprt]\nelo0 = 0\nelo1 = 5\n" + table, "published = 50\n"),
       "published: a match that a test ends has a biased score"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string error =
        error_of([&] { static_cast<void>(parse_experiment(row.text, "f.toml")); });
    CHECK_MESSAGE(error.find(row.error) != std::string::npos, error);
  }
}

}  // namespace pitboss::clients
