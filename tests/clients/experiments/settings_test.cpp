#include "clients/experiments/settings.hpp"

#include <doctest/doctest.h>

#include "clients/experiments/user_error.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

TEST_CASE("a file of settings is read in its order") {
  const Setting file = parse_settings(
      "zeta = 1\nalpha = \"x\"\n[table]\nb = true\na = [1, 0.5]\n[[many]]\nn = 1\n[[many]]\nn = "
      "2\n",
      "f");
  REQUIRE(file.table().size() == 4);
  CHECK(file.table()[0].key() == "zeta");
  CHECK(file.table()[1].key() == "alpha");
  CHECK(file.at("zeta").count(0) == 1);
  CHECK(file.at("alpha").text() == "x");
  CHECK(file.at("table").table()[0].key() == "b");
  CHECK(file.at("table").at("b").flag());
  CHECK(file.at("table").at("a").list()[1].number(0, 1) == 0.5);
  CHECK(file.list_at("many").size() == 2);
  CHECK(file.list_at("many")[1].at("n").count(0) == 2);
  CHECK(file.find("nosuch") == nullptr);
  CHECK(file.list_at("nosuch").empty());
}

TEST_CASE("toml_text: what is read back is the same") {
  const std::string text =
      "zeta = 1\nhalf = 0.5\nyes = true\n\"odd key\" = \"a \\\"b\\\" \\\\ \\n c\"\n"
      "list = [\"env\", \"-C\", \"/a b\"]\nnone = []\n"
      "\n[sprt]\nelo0 = 0\n"
      "\n[[player]]\nname = \"A\"\noptions = { k = \"0.3\", hex = { k = 1 } }\n"
      "\n[[player]]\nname = \"B\"\n";
  CHECK(toml_text(parse_settings(text, "f")) == text);
  // Values come first, whatever their place: behind a table they would be the table's.
  const auto file = parse_settings("[t]\na = 1\n", "f");
  Setting::Table later = file.table();
  later.push_back(parse_settings("b = 2", "f").at("b"));
  CHECK(toml_text(file.with(later)) == "b = 2\n\n[t]\na = 1\n");
  Setting::Table foreign;
  foreign.push_back(file.at("t").with(std::string("\xff")));
  CHECK(error_of([&] { static_cast<void>(toml_text(file.with(foreign))); }) ==
        "a file of TOML has texts in UTF-8, and one here is in none");
}

TEST_CASE("Setting::word writes values as somebody would type them") {
  const Setting file = parse_settings(
      "a = 0.00003\nb = 2\nc = true\nd = \"x\"\ne = 1e300\nf = 0.1\ng = -0.5\nh = 2.0\n", "f");
  std::string words;
  for (const Setting& s : file.table()) words += s.word() + " ";
  CHECK(words == "0.00003 2 true x 1e+300 0.1 -0.5 2 ");
}

TEST_CASE("mistakes in settings name file, line and key") {
  CHECK(error_of([] {
          static_cast<void>(parse_settings("a = 1\nb = = 2\n", "f"));
        }).starts_with("f, line 2: not TOML: "));
  CHECK(error_of([] {
          static_cast<void>(parse_settings("a = 1\na = 2\n", "f"));
        }).starts_with("f, line 2: not TOML: "));
  CHECK(error_of([] { static_cast<void>(parse_settings("\na = 1979-05-27\n", "f")); }) ==
        "f, line 2, a: dates and times have no meaning here");

  const Setting file = parse_settings("a = 1\nt = \"x\"\n[table]\ngamse = 1\n", "f");
  CHECK(error_of([&] { static_cast<void>(file.at("a").text()); }) ==
        "f, line 1, a: expected a text in quotes");
  CHECK(error_of([&] { static_cast<void>(file.at("a").count(2)); }) ==
        "f, line 1, a: expected a whole number of at least 2");
  CHECK(error_of([&] { static_cast<void>(file.at("a").count(2, 3)); }) ==
        "f, line 1, a: expected a whole number from 2 to 3");
  CHECK(error_of([&] { static_cast<void>(file.at("a").number(0, 0.5)); }) ==
        "f, line 1, a: expected a number from 0 to 0.5");
  CHECK(error_of([&] { static_cast<void>(file.at("t").number(0, 1)); }) ==
        "f, line 2, t: expected a number from 0 to 1");
  for (const auto read : {+[](const Setting& s) { static_cast<void>(s.flag()); },
                          +[](const Setting& s) { static_cast<void>(s.list()); },
                          +[](const Setting& s) { static_cast<void>(s.table()); },
                          +[](const Setting& s) { static_cast<void>(s.texts()); }}) {
    CHECK(error_of([&] { read(file.at("a")); }).starts_with("f, line 1, a: "));
  }
  CHECK(error_of([&] { static_cast<void>(file.at("nosuch")); }) ==
        "f, line 1: \"nosuch\" is missing");
  CHECK(error_of([&] {
          file.at("table").expect_keys({"name", "games"});
        }) == "f, line 4, gamse: this key is unknown; did you mean 'games'?");
  CHECK(error_of([&] {
          file.at("table").expect_keys({"name", "seed"});
        }) == "f, line 4, gamse: this key is unknown; known: name, seed");
}

TEST_CASE("read_settings says what it cannot read") {
  const ScratchFolder folder;
  CHECK_THROWS_AS(static_cast<void>(read_settings(folder / "nosuch.toml")), UserError);
  CHECK_THROWS_AS(static_cast<void>(read_settings(folder.path())), UserError);
  write_text(folder / "a.toml", "a = 1\n");
  CHECK(read_settings(folder / "a.toml").at("a").count(0) == 1);
}

}  // namespace pitboss::clients
