#include "server/commands/commands.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "protocol/failure_code.hpp"
#include "tests/documents.hpp"

using namespace pitboss::protocol;
using namespace pitboss::server;

TEST_CASE("commands: unique names, each with a help line, and docs/protocol.md derives from them") {
  std::set<std::string_view> names;
  for (const Command& c : commands()) {
    CAPTURE(c.name);
    CHECK(names.insert(c.name).second);
    CHECK_FALSE(c.help.empty());
    // It would end a cell of the table.
    CHECK(c.arguments.find('|') == std::string_view::npos);
    CHECK(c.help.find('|') == std::string_view::npos);
    CHECK(find_command(commands(), c.name) == &c);
  }
  CHECK(find_command(commands(), "nonsense") == nullptr);
  pitboss::tests::check_generated("protocol.md", "commands", command_table());
}

TEST_CASE("commands: codes of failures are words of their own, and docs/protocol.md lists them") {
  for (const FailureCodeRow& row : failure_codes) {
    CAPTURE(row.word);
    CHECK(row.word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos);
    const auto code = failure_code_named(row.word);
    REQUIRE(code);
    CHECK(&row_of(*code) == &row);
  }
  CHECK(std::ranges::is_sorted(failure_codes, {}, &FailureCodeRow::word));
  CHECK(word_of(FailureCode::wrong_token) == "wrong-token");
  CHECK_FALSE(failure_code_named("nonsense"));
  CHECK_FALSE(failure_code_named(""));
  pitboss::tests::check_generated("protocol.md", "failure codes", failure_code_table());
}
