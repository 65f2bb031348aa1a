#include "games/records/move_steps.hpp"

#include <doctest/doctest.h>

#include "games/random.hpp"
#include "protocol/dialect.hpp"
#include "tests/games/set_up.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::games;
using tests::Conversation;

namespace {

const std::vector<std::string_view> lines{"connect4",
                                          "othello size=6",
                                          "breakthrough size=5",
                                          "breakthrough",
                                          "knightthrough",
                                          "atarigo size=4",
                                          "gomoku size=7",
                                          "othello",
                                          "pentalath",
                                          "hex size=4",
                                          "hex size=3 swap=on",
                                          "yavalath",
                                          "yavalath swap=on",
                                          "amazons size=8",
                                          "cannon",
                                          "chinesecheckers",
                                          "fanorona",
                                          "teeko",
                                          "rolit players=3"};

constexpr std::size_t most_points = 200;  // of games that may last much longer

std::string plain_state(Conversation& c) { return c.ask("get_position") + c.ask("moves"); }

}  // namespace

// Every game there is must be in the list above, so that none is forgotten.
TEST_CASE("moves point by point: every game is tested") {
  for (const auto name : games::game_names()) {
    CAPTURE(name);
    CHECK(std::ranges::any_of(lines, [&](auto line) { return games::split(line)[0] == name; }));
  }
}

TEST_CASE("moves point by point are the same games as whole moves, and undo goes back by points") {
  for (const auto line : lines) {
    CAPTURE(line);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      games::Random random(seed);
      Conversation by_points;
      Conversation whole;
      for (Conversation* c : {&by_points, &whole}) c->ask("game " + std::string(line));
      by_points.ask("dialect gogui");
      const auto game = games::game_of(line);
      std::vector<std::string> played;  // points
      std::vector<std::string> seen{by_points.ask("gogui-rules_legal_moves")};
      while (!whole.ask("legal_moves").empty() && played.size() < most_points) {
        const auto moves = games::split(whole.ask("legal_moves"));
        const std::string& move = moves[random.below(static_cast<int>(moves.size()))];
        const std::string colour = whole.ask("gogui-rules_side_to_move");
        for (const auto& point : steps_of(*game, move)) {
          REQUIRE(by_points.ask("gogui-rules_side_to_move") == colour);
          by_points.ask("play " + colour + " " +
                        protocol::spoken(protocol::Dialect::gogui, game->shape(), point));
          played.push_back(point);
          seen.push_back(by_points.ask("gogui-rules_legal_moves"));
        }
        whole.ask("play " + std::string(game->letter_of(game->to_move())) + " " + move);
        game->play(move);
        by_points.ask("dialect plain");
        REQUIRE(plain_state(by_points) == plain_state(whole));
        by_points.ask("dialect gogui");
      }
      CHECK(by_points.ask("gogui-rules_legal_moves").empty() == whole.ask("legal_moves").empty());
      // Back again, point by point, each time to what was seen on the way there.
      for (std::size_t i = played.size(); i > 0; --i) {
        REQUIRE(by_points.ask("gogui-rules_legal_moves") == seen[i]);
        by_points.ask("undo");
      }
      CHECK(by_points.ask("gogui-rules_legal_moves") == seen[0]);
      CHECK(by_points.ask("moves").empty());
      CHECK(by_points.refused("undo") == "cannot undo");
    }
  }
}
