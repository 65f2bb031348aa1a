#include "clients/players/uci_option.hpp"

#include <doctest/doctest.h>

#include "clients/players/engine_failure.hpp"

namespace pitboss::clients {

using Type = UciOption::Type;

TEST_CASE("read_uci_option") {
  const auto spin = read_uci_option("option name Skill Level type spin default 20 min -20 max 20");
  REQUIRE(spin);
  CHECK(spin->name == "Skill Level");
  CHECK(spin->type == Type::spin);
  CHECK(spin->default_value == "20");
  CHECK(spin->min == -20);
  CHECK(spin->max == 20);

  const auto combo =
      read_uci_option("option name Style type combo default Very Solid var Very Solid var Risky");
  REQUIRE(combo);
  CHECK(combo->default_value == "Very Solid");
  CHECK(combo->choices == std::vector<std::string>{"Very Solid", "Risky"});

  const auto text = read_uci_option("option name File type string default a min of var");
  REQUIRE(text);
  CHECK(text->type == Type::string);
  CHECK(text->default_value == "a min of var");

  const auto button = read_uci_option("option name Clear Hash type button");
  REQUIRE(button);
  CHECK(button->type == Type::button);
  CHECK(read_uci_option("option name X type check default")->default_value.empty());
  CHECK(read_uci_option("option name X type magic default 3")->type == Type::string);
  for (const char* line : {"", "id name X", "option name X", "option name", "uciok"}) {
    CAPTURE(line);
    CHECK_FALSE(read_uci_option(line));
  }
}

TEST_CASE("UciOption::accepted") {
  const auto accepted = [](const char* line, const std::string& value) {
    try {
      return read_uci_option(line)->accepted(value);
    } catch (const EngineFailure& failure) {
      CHECK(failure.kind() == EngineFailure::Kind::refused);
      return std::string(failure.what());
    }
  };
  const char* const hash = "option name Hash type spin default 16 min 1 max 1024";
  CHECK(accepted(hash, "1") == "1");
  CHECK(accepted(hash, "1024") == "1024");
  for (const char* wrong : {"0", "1025", "-1", "1.5", "1e2", "", " 5", "99999999999999999999"}) {
    CHECK(accepted(hash, wrong) ==
          "Hash takes a whole number from 1 to 1024, not \"" + std::string(wrong) + "\"");
  }
  CHECK(accepted("option name N type spin default 1 min 1", "0") ==
        "N takes a whole number of at least 1, not \"0\"");
  CHECK(accepted("option name N type spin default 1 max 3", "4") ==
        "N takes a whole number of at most 3, not \"4\"");
  CHECK(accepted("option name N type spin", "4") == "4");
  const char* const check = "option name Use Book type check default false";
  CHECK(accepted(check, "True") == "true");
  CHECK(accepted(check, "1") == "Use Book takes true or false, not \"1\"");
  const char* const combo = "option name Style type combo default A B var A B var c";
  CHECK(accepted(combo, "a b") == "A B");
  CHECK(accepted(combo, "C") == "c");
  CHECK(accepted(combo, "A") == "Style takes one of A B, c, not \"A\"");
  CHECK(accepted("option name F type string default x", "any thing") == "any thing");
}

TEST_CASE("UciOption::command") {
  CHECK(read_uci_option("option name Hash type spin default 1 min 1 max 9")->command("3") ==
        "setoption name Hash value 3");
  CHECK(read_uci_option("option name Clear Hash type button")->command("true") ==
        "setoption name Clear Hash");
}

}  // namespace pitboss::clients
