#include "clients/experiments/shell_words.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/clients/error_of.hpp"

namespace pitboss::clients {

using Words = std::vector<std::string>;

TEST_CASE("shell_words") {
  struct Row {
    std::string text;
    Words words;
  };
  const Row rows[] = {
      {"", {}},
      {"  gnugo  --mode\tgtp ", {"gnugo", "--mode", "gtp"}},
      {"'/opt/my engines/engine' --gtp", {"/opt/my engines/engine", "--gtp"}},
      {R"("/opt/my engines/engine" -x)", {"/opt/my engines/engine", "-x"}},
      {R"(/opt/my\ engines/engine)", {"/opt/my engines/engine"}},
      {R"(name=A program='gnugo --mode gtp')", {"name=A", "program=gnugo --mode gtp"}},
      {R"('' "it's" 'a "b"')", {"", "it's", R"(a "b")"}},
      {"$HOME/engine", {std::string(std::getenv("HOME")) + "/engine"}},
      {"'$HOME' /no/such/*", {"$HOME", "/no/such/*"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(shell_words(row.text) == row.words);
  }
}

TEST_CASE("has_pattern: outside quotes alone") {
  for (const char* const text : {"a *", "?", "a[b]", "\"a\"*", "'\\'*"}) CHECK(has_pattern(text));
  for (const char* const text : {"", "a b", "'a *'", "\"?\"", "\\[", "\"\\\"*\""}) {
    CHECK_FALSE(has_pattern(text));
  }
}

TEST_CASE("shell_words: what is refused") {
  const std::string before = "cannot split into words as a shell does: ";
  const auto why = [](const std::string& text) {
    return error_of([&] { static_cast<void>(shell_words(text)); });
  };
  CHECK(why("'/opt/my engine") == before + "a quote is not closed");
  CHECK(why("engine; rm x") == before + "| & ; < > ( ) { } and line feeds need quotes");
  CHECK(why("engine $(whoami)") == before + "no command is run to make words; quote ` and $(");
  CHECK(why("$NO_SUCH_VARIABLE_HERE/engine") == before + "a variable is not set");
  CHECK(why(std::string("a\0b", 3)) == "a word has no zero byte");
}

TEST_CASE("shell_text is what shell_words takes apart") {
  const Words words{"/opt/my engines/engine", "--k=0.3", "", "it's", "$HOME", "a;b", "~", "*", "x"};
  CHECK(shell_words(shell_text(words)) == words);
  CHECK(shell_text(Words{"gnugo", "--mode", "gtp"}) == "gnugo --mode gtp");
  CHECK(shell_text(Words{"my engine", "x"}) == "'my engine' x");
}

}  // namespace pitboss::clients
