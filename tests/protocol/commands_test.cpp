#include "protocol/commands.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tests/documents.hpp"

using namespace pitboss::protocol;

TEST_CASE("commands: unique names, each with a help line, and docs/protocol.md derives from them") {
  std::set<std::string_view> names;
  for (const Command& c : commands()) {
    CAPTURE(c.name);
    CHECK(names.insert(c.name).second);
    CHECK_FALSE(c.help.empty());
    // It would end a cell of the table.
    CHECK(c.arguments.find('|') == std::string_view::npos);
    CHECK(c.help.find('|') == std::string_view::npos);
    CHECK(find_command(c.name) == &c);
  }
  CHECK(find_command("nonsense") == nullptr);
  pitboss::tests::check_generated("protocol.md", "commands", command_table());
}
