#include "clients/tuning/search_space.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/clients/error_of.hpp"

namespace pitboss::clients {
namespace {

SearchSpace read(const std::string& text, bool is_ours = true, const char* game = "othello") {
  Match match;
  set_game(match, game);
  return read_search_space(parse_settings(text, "t.toml"), match, is_ours);
}
std::string error(const std::string& text, bool is_ours = true) {
  return error_of([&] { static_cast<void>(read(text, is_ours)); });
}

TEST_CASE("read_search_space: lists, ranges, and what the option table knows") {
  const SearchSpace space = read(
      "k = [0.1, 0.20, 3]\n"
      "Novelty = [\"none\", \"PSEUDOCOUNT\"]\n"
      "alpha = { min = 1e-5, max = 10, scale = \"log\", zero = true }\n"
      "beta = { min = 0.5, max = 2, step = 0.25 }\n"
      "feature_moves = { min = 0, max = 8 }\n");
  REQUIRE(space.size() == 5);
  CHECK(space[0].values == std::vector<std::string>{"0.1", "0.2", "3"});
  CHECK(space[1].name == "novelty");
  CHECK(space[1].values == std::vector<std::string>{"none", "pseudocount"});
  CHECK(space[2].range.is_logarithmic);
  CHECK(space[2].range.low_is_zero);
  CHECK(space[3].range.step_in_coordinates() == 0.25);
  CHECK(space[4].range.is_whole);
  CHECK(text_of(space, {"0.1", "none", "0", "1", "3"}) ==
        "k=0.1 novelty=none alpha=0 beta=1 feature_moves=3");
  // Of an engine of others nothing is known.
  const SearchSpace others =
      read("Hash = { min = 1, max = 64, whole = true }\nStyle = [1, 2]", false);
  CHECK(others[0].range.is_whole);
  CHECK(others[0].name == "Hash");
}

TEST_CASE("Range: coordinates, the value that stands for 0, clipping after rounding") {
  const Range linear{.low = 1, .high = 4};
  CHECK(linear.text_at(linear.coordinate_of(2.5)) == "2.5");
  CHECK(linear.text_at(0.3) == "1");
  CHECK(linear.text_at(9) == "4");
  CHECK(linear.text_at(1.23456789) == "1.23457");
  CHECK(linear.step_in_coordinates() == doctest::Approx(0.5));
  const Range log{.low = 1e-4, .high = 10, .is_logarithmic = true, .low_is_zero = true};
  CHECK(log.text_at(log.coordinate_of(0.01)) == "0.01");
  CHECK(log.text_at(log.coordinate_of(0)) == "0");
  CHECK(log.text_at(std::log(1e-4)) == "0");
  CHECK(log.text_at(std::log(1.01e-4)) == "0.000101");
  CHECK(log.step_in_coordinates() == doctest::Approx(std::log(1e5) / 6));
  const Range positive{.low = 1.23456789, .high = 10, .is_logarithmic = true};
  CHECK(positive.text_at(-5) == "1.23456789");  // not rounded to below the bound
}

TEST_CASE("Range: whole numbers are floor(x + u), and a step changes them") {
  const Range range{.low = 0, .high = 2, .is_whole = true};
  CHECK(range.step_in_coordinates() == 0.5);  // a sixth of the range is less
  CHECK(range.text_at(1.3, 0.69) == "1");
  CHECK(range.text_at(1.3, 0.71) == "2");
  CHECK(range.text_at(2, 0.99) == "2");
  CHECK(range.text_at(-0.4, 0.1) == "0");
  const Range log{.low = 1, .high = 4, .is_logarithmic = true, .is_whole = true};
  CHECK(std::exp(log.step_in_coordinates()) == doctest::Approx(1.5));
}

TEST_CASE("read_search_space: a game has values of its own, in the place of all games' values") {
  const std::string text =
      "k = [0.1, 0.2]\nbeta = [1, 2]\n"
      "othello = { k = [0.03, 0.06] }\n"
      "gomoku = { k = [0.3, 0.4], alpha = { min = 0, max = 1 } }\n"
      "\"gomoku size=9\" = { k = [0.5, 0.6] }\n";
  const auto values = [](const SearchSpace& space) {
    std::string all;
    for (const TunedParameter& parameter : space) {
      all += parameter.name + ":";
      for (const std::string& value : parameter.values) all += value + ",";
    }
    return all;
  };
  CHECK(values(read(text, true, "hex")) == "k:0.1,0.2,beta:1,2,");
  CHECK(values(read(text, true, "othello")) == "k:0.03,0.06,beta:1,2,");
  CHECK(values(read(text, true, "gomoku size=7")) == "k:0.3,0.4,beta:1,2,alpha:");
  CHECK(values(read(text, true, "gomoku size=9")) == "k:0.5,0.6,beta:1,2,alpha:");
  CHECK(error("k = [0.1, 0.2]\nhex = { k = [0.1, 0.1] }\n").find("line 2, k") != std::string::npos);
  CHECK(error("othello = { othello = { k = [0, 1] } }\n")
            .find("a game's table has parameters, not tables of games") != std::string::npos);
  CHECK(
      error("otello = { k = [0, 1] }\n")
          .find("line 1, otello: expected a list of values, a range { min = ..., max = ... }, or a "
                "game's name with its parameters") != std::string::npos);
}

TEST_CASE("read_search_space: mistakes name file, line and key") {
  CHECK(error("\nkk = [1, 2]") ==
        "t.toml, line 2, kk: unknown option 'kk'; docs/options.md and the command list_options "
        "tell all");
  CHECK(error("k = []") == "t.toml, line 1, k: expected at least two values to choose from, not 0");
  CHECK(error("k = [0.5]") ==
        "t.toml, line 1, k: expected at least two values to choose from, not 1");
  CHECK(error("k = [0.1, 0.2, 0.10]") == "t.toml, line 1, k: the value 0.1 is given twice");
  CHECK(error("k = [0.1, 200]") ==
        "t.toml, line 1, k: k must be a number from 0 to 100, not '200'");
  CHECK(error("novelty = [\"none\", \"some\"]").find("novelty must be") != std::string::npos);
  CHECK(error("k = 0.5") ==
        "t.toml, line 1, k: expected a list of values, or a range { min = ..., max = ... }");
  CHECK(error("k = { min = 2, max = 1 }") ==
        "t.toml, line 1, max: expected more than min, which is 2");
  CHECK(error("k = { min = 1, max = 1 }") ==
        "t.toml, line 1, max: expected more than min, which is 1");
  CHECK(error("k = { min = 0, max = 200 }") == "t.toml, line 1, max: k may be 0 to 100, not 200");
  CHECK(error("k = { min = -1, max = 2 }") == "t.toml, line 1, min: k may be 0 to 100, not -1");
  CHECK(error("k = { min = 0, max = 1, scale = \"log\" }") ==
        "t.toml, line 1, min: a logarithmic scale does not contain 0; expected a number above 0, "
        "which with zero = true stands for 0 itself");
  CHECK(error("k = { min = 0, max = 1, scale = \"square\" }") ==
        "t.toml, line 1, scale: expected \"linear\" or \"log\"");
  CHECK(error("k = { min = 0, max = 1, zero = true }") ==
        "t.toml, line 1, zero: only with scale = \"log\" the lowest value stands for 0; a linear "
        "range begins at 0 itself");
  CHECK(error("k = { min = 0 }") == "t.toml, line 1, k: \"max\" is missing");
  CHECK(error("k = { min = 0, max = 1, stp = 1 }") ==
        "t.toml, line 1, stp: this key is unknown; did you mean 'step'?");
  CHECK(error("k = { min = 0, max = 1, step = 0 }") ==
        "t.toml, line 1, step: expected a number above 0");
  CHECK(error("k = { min = 0, max = 1, step = 0.6 }") ==
        "t.toml, line 1, step: expected at most half the range");
  CHECK(error("k = { min = 1, max = 8, scale = \"log\", step = 1 }") ==
        "t.toml, line 1, step: expected a factor above 1");
  CHECK(error("feature_moves = { min = 0, max = 8, step = 0.4 }") ==
        "t.toml, line 1, step: whole numbers need a step of at least 0.5");
  CHECK(error("feature_moves = { min = 0.5, max = 8 }") ==
        "t.toml, line 1, min: expected a whole number");
  CHECK(error("solver = { min = 0, max = 1 }").find("solver is no number; list its values") !=
        std::string::npos);
  CHECK(error("preset = [\"uct\", \"paper\"]") ==
        "t.toml, line 1, preset: a preset cannot be tuned; name the options that it sets");
  for (const std::string name : {"seed", "simulations", "movetime"}) {
    CHECK(error(name + " = [1000, 2000]").find(name + " cannot be tuned") != std::string::npos);
  }
  CHECK(error("k = [1, 2]\nK = [1, 2]") == "t.toml, line 2, K: k is given twice");
  CHECK(error("") == "t.toml, line 1: expected at least one parameter");
  CHECK(error("A = [\"x\\ny\", \"z\"]", false) == "t.toml, line 1, A: one line is expected");
}

}  // namespace
}  // namespace pitboss::clients
