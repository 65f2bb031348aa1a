// Lists that Python and TypeScript repeat, beside those of which they are copies.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "engine/options/options.hpp"
#include "games/any_game.hpp"
#include "games/board_drawing.hpp"
#include "protocol/access.hpp"
#include "protocol/failure_code.hpp"
#include "tests/folders.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;

namespace {

using Words = std::set<std::string>;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file, path);
  return {std::istreambuf_iterator<char>(file), {}};
}
std::string python(const std::string& path) {
  return text_of(tests::python_folder() + "/pitboss/" + path);
}
std::string page(const std::string& path) {
  return text_of(tests::tests_folder() + "/../clients/web/" + path);
}

/// All sources of that kind in a folder.
std::string sources(const std::string& folder, const std::string& extension) {
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) text += text_of(entry.path());
  }
  return text;
}

/// What stands between `begin` and the next `end`.
std::string part(const std::string& text, const std::string& begin, const std::string& end) {
  const auto from = text.find(begin);
  REQUIRE_MESSAGE(from != std::string::npos, begin);
  return text.substr(from + begin.size(), text.find(end, from) - from - begin.size());
}

/// What the pattern's group matches, wherever it does; there must be something.
Words matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  Words words;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    words.insert((*match)[1]);
  }
  REQUIRE_MESSAGE(!words.empty(), pattern);
  return words;
}

bool is_within(const Words& some, const Words& all) { return std::ranges::includes(all, some); }

}  // namespace

TEST_CASE("clients know failures by codes that exist") {
  Words codes;
  for (const auto& row : protocol::failure_codes) codes.emplace(row.word);
  const std::string compared = R"RE(\bcode [!=]==? "([a-z-]+)")RE";
  CHECK(is_within(matches(part(python("errors.py"), "_BY_CODE", "\n}"), "\n    \"([^\"]*)\":"),
                  codes));
  CHECK(is_within(matches(sources(tests::python_folder() + "/pitboss", ".py"), compared), codes));
  codes.emplace("disconnected");  // the page's own, where there is no answer
  CHECK(is_within(matches(sources(tests::tests_folder() + "/../clients/web/src", ".ts"), compared),
                  codes));
  // Failures that the client finds by itself, as the server would tell them.
  const auto quoted = [](protocol::FailureCode code) {
    return "\"" + std::string(protocol::word_of(code)) + "\"";
  };
  using protocol::FailureCode;
  CHECK(python("state.py").find(quoted(FailureCode::illegal_move)) != std::string::npos);
  CHECK(python("aio/connection.py").find(quoted(FailureCode::busy)) != std::string::npos);
}

TEST_CASE("clients have the rights, bounds and clocks of the server") {
  const Words rights(protocol::right_names.begin() + 1, protocol::right_names.end());
  CHECK(matches(part(python("evaluator/access.py"), "RIGHTS = (", ")"), "\"(\\w+)\"") == rights);

  std::string most = *matches(python("limit.py"), "MOST_SIMULATIONS = ([0-9_]+)").begin();
  std::erase(most, '_');
  CHECK(most == std::to_string(engine::max_simulations));

  tests::Conversation session;
  const std::string systems = session.ask("kata-list_time_settings");
  CHECK(matches(part(page("src/play/clock.ts"), "systems: Record", "\n};"),
                "\n  \"?([a-z-]+)\"?:") == matches(systems, "([a-z-]+)"));
}

TEST_CASE("clients can draw the pieces of every game") {
  Words shapes;
  Words colours;
  for (const auto name : games::game_names()) {
    const auto game = games::make_game(name);
    for (std::size_t kind = 0; kind < game->piece_letters().size(); ++kind) {
      const auto [colour, shape] = games::piece_drawing(*game, kind);
      shapes.emplace(shape);
      if (!colour.empty()) colours.emplace(colour);
    }
  }
  CHECK(is_within(colours,
                  matches(part(python("drawing.py"), "_COLOURS = {", "\n}"), "\"(\\w+)\": \"#")));
  CHECK(is_within(colours, matches(page("styles/board.css"), "\\.(\\w+) \\{ --piece:")));
  Words drawn = matches(part(python("drawing.py"), "def _piece(", "\ndef"), "\"(\\w+)\"");
  drawn.insert("disc");  // what the others are not
  CHECK(is_within(shapes, drawn));
  const std::string board = page("src/board/board.ts");
  drawn = matches(part(board, "const shapes", "\n};"), "\n  (\\w+): \"");
  drawn.merge(matches(board, "piece.shape === \"(\\w+)\""));
  CHECK(is_within(shapes, drawn));
}
