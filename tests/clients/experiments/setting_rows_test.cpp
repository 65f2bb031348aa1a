#include "clients/experiments/setting_rows.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "clients/experiments/user_error.hpp"
#include "tests/clients/error_of.hpp"

namespace pitboss::clients {

namespace {

struct Oven {
  int trays = 2;
  std::int64_t seed = 1;
  double heat = 180;
  std::chrono::milliseconds time = std::chrono::seconds(90);
  std::string bread = "rye";
  std::string note;
};

constexpr std::array rows{
    setting("trays", &Oven::trays, 1, 8, "that are filled"),
    setting("seed", &Oven::seed, 0, unbounded),
    setting("heat", &Oven::heat, 0.5, 300, "degrees"),
    setting("time", &Oven::time, 0.001, 1e7, "until it is done", "baking-time"),
    setting("bread", &Oven::bread, "what is baked", "rye, oat, white"),
    setting("note", &Oven::note, "anything"),
};

Oven read(const std::string& text) {
  Oven out;
  read_rows(parse_settings(text, "f"), rows, out);
  return out;
}

std::string mistake(const std::string& text) {
  return error_of([&] { static_cast<void>(read(text)); });
}

}  // namespace

TEST_CASE("setting rows: a file sets what it has, up to each limit") {
  const Oven all = read(
      "trays = 8\nseed = 9223372036854775807\nheat = 300\ntime = 0.001\nbread = \"white\"\n"
      "note = \"\"\n");
  CHECK(all.trays == 8);
  CHECK(all.seed == std::numeric_limits<std::int64_t>::max());
  CHECK(all.heat == 300);
  CHECK(all.time.count() == 1);
  CHECK(all.bread == "white");
  const Oven none = read("");
  CHECK(none.trays == 2);
  CHECK(none.heat == 180);
  CHECK(none.bread == "rye");
}

TEST_CASE("setting rows: what is out of range or of another kind has a sentence") {
  CHECK(mistake("trays = 0") == "f, line 1, trays: expected a whole number from 1 to 8");
  CHECK(mistake("\ntrays = 9") == "f, line 2, trays: expected a whole number from 1 to 8");
  CHECK(mistake("trays = 1.5") == "f, line 1, trays: expected a whole number from 1 to 8");
  CHECK(mistake("seed = -1") == "f, line 1, seed: expected a whole number of at least 0");
  CHECK(mistake("heat = 0.4") == "f, line 1, heat: expected a number from 0.5 to 300");
  CHECK(mistake("time = 0") == "f, line 1, time: expected a number from 0.001 to 10000000");
  CHECK(mistake("bread = \"wite\"") ==
        "f, line 1, bread: expected \"rye\", \"oat\" or \"white\"; did you mean 'white'?");
  CHECK(mistake("note = 1") == "f, line 1, note: expected a text in quotes");
}

TEST_CASE("setting rows: keys, and the texts of values") {
  std::vector<std::string_view> keys{"more"};
  add_keys(rows, keys);
  CHECK(keys ==
        std::vector<std::string_view>{"more", "trays", "seed", "heat", "time", "bread", "note"});
  CHECK(toml_of(1.0) == "1.0");
  CHECK(toml_of(1e-6) == "1e-06");
  CHECK(typed_text(1.0) == "1");
  CHECK(toml_of(std::string("a\"b")) == "\"a\\\"b\"");
  CHECK(typed_text(std::chrono::milliseconds(50)) == "0.05");
  CHECK(std::get<std::int64_t>(typed_value("12")) == 12);
  CHECK(std::get<double>(typed_value("1.5")) == 1.5);
  CHECK(std::get<std::string>(typed_value("12x")) == "12x");
  constexpr std::array two{rows[0], rows[4]};
  nlohmann::ordered_json json;
  add_json(two, Oven(), json);
  CHECK(json.dump() == R"({"trays":2,"bread":"rye"})");
}

}  // namespace pitboss::clients
