#include "engine/search/knowledge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/engine/exact/solved_hex.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/games/set_up.hpp"
#include "tests/sanitized.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using namespace std::chrono_literals;

namespace {

constexpr const char* preset =
    "preset=uct exact=false playout=informed estimators=history,rave c_history=0.05 c_rave=0 "
    "bias_rave=0.02 first_play_urgency=1 ";

bool is_win(const std::vector<ExactMove>& moves) {
  return std::ranges::any_of(moves, [](const ExactMove& m) { return m.score > 0; });
}

/// Whether what a report says is proven of moves is what the solver says. Returns how many are.
int check_proofs(const std::vector<MoveReport>& moves, const std::vector<ExactMove>& truth) {
  std::map<std::string, bool> wins;
  for (const ExactMove& move : truth) wins[move.move] = *move.score > 0;
  int proven = 0;
  for (const MoveReport& move : moves) {
    if (move.proven == Proven::no) continue;
    CAPTURE(move.move);
    CHECK(wins.at(move.move) == (move.proven == Proven::win));
    ++proven;
  }
  return proven;
}

/// A whole search that avoids moves.
Report search_without(Search& search, const games::AnyGame& position, const Options& options,
                      const std::set<std::string>& avoided) {
  Limits limits = limits_of(options);
  limits.avoided = avoided;
  search.begin(position, 0, options, limits);
  while (search.run(1s) != Progress::done) {
  }
  return search.report();
}

/// Searches positions, and compares what is proven at the root and below it with the solver.
void check_searches(const std::string& rest, int positions) {
  CAPTURE(rest);
  games::Random random(5);
  int proven = 0;
  int below = 0;
  int ended = 0;
  for (int i = 0; i < positions; ++i) {
    const auto position = hex_after(4 + i % 3, 3 + i % 9, random);
    CAPTURE(position->position());
    const Options options = options_of("simulations=2000 " + rest);
    const auto search = make_search(*position);
    const Report report = search_by_threads(*search, *position, options, 1ms);
    const auto truth = solved(*position);
    proven += check_proofs(report.moves, truth);
    const auto played = std::ranges::find(truth, report.move, &ExactMove::move);
    REQUIRE(played != truth.end());
    if (report.simulations < 2000) {
      ++ended;
      CHECK((*played->score > 0) == is_win(truth));
    }
    // A move that wins is never given up.
    const bool is_left = std::ranges::any_of(
        report.moves, [&](const MoveReport& m) { return m.proven != Proven::loss; });
    if (is_win(truth)) CHECK(is_left);
    for (const MoveReport& move : report.moves) {
      if (move.visits < 50) continue;
      const auto after = position->clone();
      after->play(move.move);
      if (after->result().finished()) continue;
      const std::vector<games::Move> path{move.code};
      const auto reply = search->report_below(path);
      if (reply) below += check_proofs(reply->moves, solved(*after));
    }
  }
  CHECK(proven > positions);
  CHECK(below > positions);
  CHECK(ended > positions / 2);
}

}  // namespace

TEST_CASE("knowledge: what is proven is what the exact solver says" *
          doctest::skip(tests::thread_sanitized)) {
  check_searches(std::string(preset) + "knowledge=10", 120);
  check_searches(std::string(preset) + "knowledge=1 solver=true", 40);
  check_searches("preset=uct exact=false knowledge=20", 60);
}

TEST_CASE("knowledge: with several threads") {
  constexpr int part = tests::thread_sanitized ? 4 : 1;
  check_searches(std::string(preset) + "knowledge=10 threads=3", 60 / part);
  check_searches("preset=uct exact=false knowledge=20 threads=2", 40 / part);
}

TEST_CASE("knowledge: a seed gives the same search, however it is cut into slices") {
  games::Random random(3);
  const auto position = hex_after(9, 14, random);
  for (const std::string& rest : {std::string(preset), std::string("preset=uct exact=false ")}) {
    const Options options = options_of("simulations=3000 knowledge=50 " + rest);
    const Report whole = searched(*position, options);
    const Report sliced = searched(*position, options, 50us);
    CHECK(whole.move == sliced.move);
    CHECK(visits(whole) == visits(sliced));
    // It is another search than without.
    const Report without = searched(*position, options_of("simulations=3000 " + rest));
    CHECK(visits(without) != visits(whole));
    // A threshold that no node reaches leaves the root.
    const Report root = searched(*position, options_of("simulations=3000 knowledge=9999 " + rest));
    CHECK(std::ranges::count(visits(root), 0) > std::ranges::count(visits(without), 0));
  }
}

TEST_CASE("knowledge: one game, tree reuse, avoided moves" *
          doctest::skip(tests::thread_sanitized)) {
  auto position = games::game_of("hex size=6");
  position->play("a1");
  const auto search = make_search(*position);
  const Options options =
      options_of("simulations=1000 knowledge=20 reuse_tree=true " + std::string(preset));
  for (int ply = 1; !position->result().finished(); ++ply) {
    CAPTURE(position->position());
    const Report report = search_on(*search, *position, ply, options);
    static_cast<void>(check_proofs(report.moves, solved(*position)));
    position->play(report.move);
  }
  // A win in one that is avoided is no proof.
  const auto late = games::game_of("hex size=3");
  games::play_all(*late, "b1 a1 b2 a2");
  Limits limits = limits_of(options_of("simulations=100"));
  limits.avoided = {"b3", "a3"};
  const auto other = make_search(*late);
  other->begin(*late, 4, options_of("knowledge=20 simulations=100 " + std::string(preset)), limits);
  while (other->run(1s) != Progress::done) {
  }
  CHECK(other->report().move != "b3");
  CHECK(other->report().move != "a3");
}

TEST_CASE("knowledge: avoided moves prove nothing, and another one is not closed for them") {
  // Black wins by b3, c2 and c3 only.
  const auto late = games::game_of("hex size=3");
  games::play_all(*late, "b1 a3 b2 c1");
  const auto search = make_search(*late);
  const Report report =
      search_without(*search, *late, options_of("knowledge=5 simulations=100"), {"b3", "c2", "c3"});
  CHECK(report.simulations == 100);
  CHECK((report.move == "a1" || report.move == "a2"));
  // A redundant move that alone is left, in the tree of a search in which it was closed.
  games::Random random(7);
  int checked = 0;
  for (int i = 0; i < 40; ++i) {
    const auto position = hex_after(6, 8, random);
    CAPTURE(position->position());
    const Options options = options_of(
        "preset=uct exact=false knowledge=20 simulations=200 "
        "reuse_tree=true");
    const auto one = make_search(*position);
    const Report all = search_on(*one, *position, 0, options);
    const auto closed = std::ranges::find_if(
        all.moves, [](const MoveReport& m) { return m.visits == 0 && m.proven == Proven::no; });
    if (all.simulations < 200 || closed == all.moves.end()) continue;
    std::set<std::string> others;
    for (const MoveReport& move : all.moves) others.insert(move.move);
    others.erase(closed->move);
    const Report alone = search_without(*one, *position, options, others);
    CHECK(alone.move == closed->move);
    CHECK(std::ranges::find(alone.moves, closed->move, &MoveReport::move)->visits > 0);
    ++checked;
  }
  CHECK(checked > 2);
}

TEST_CASE("knowledge: a lost position of a tree that is used again is searched for resistance") {
  const auto position = games::game_of("hex size=6");
  games::play_all(*position, "c1 f6 c2 f5 c3 f4 c4 f3");
  const Options options = options_of("simulations=30 knowledge=50 reuse_tree=true");
  const auto search = make_search(*position);
  const Report won = search_on(*search, *position, 8, options);
  CHECK(won.simulations == 0);
  REQUIRE(won.moves.front().proven == Proven::win);
  CHECK(won.move == won.moves.front().move);
  position->play(won.move);
  const Report lost = search_on(*search, *position, 9, options);
  CHECK(lost.simulations == 30);
}

TEST_CASE("knowledge: several threads look at the positions with the most visits, too") {
  games::Random random(11);
  constexpr int wanted = tests::thread_sanitized ? 3 : 6;
  int seen = 0;
  int looked_at = 0;
  for (int i = 0; i < 400 && seen < wanted; ++i) {
    const auto position = hex_after(8, 10, random);
    CAPTURE(position->position());
    // A subtree with more than 256 visits is leased in parts.
    const auto search = make_search(*position);
    const Report report = search_by_threads(
        *search, *position,
        options_of("preset=uct exact=false knowledge=300 threads=2 simulations=2000"), 1ms);
    const MoveReport& best = report.moves.front();
    if (best.visits < 600 || best.proven != Proven::no) continue;
    const auto after = position->clone();
    after->play(best.move);
    const auto& hex = inside<games::Hex>(*after);
    HexKnowledge knowledge;
    knowledge.prepare(hex);
    const auto verdict = knowledge.look(hex);
    const auto below = search->report_below(std::vector<games::Move>{best.code});
    REQUIRE(below);
    const auto loses = [&](const MoveReport& m) {
      return verdict.worth(m.code) == MoveWorth::losing;
    };
    const auto losing = std::ranges::find_if(below->moves, loses);
    if (losing == below->moves.end()) continue;
    ++seen;
    looked_at += losing->proven == Proven::loss ? 1 : 0;
  }
  CHECK(seen > 2);
  CHECK(2 * looked_at > seen);
}

TEST_CASE("knowledge: refused for a game that has none") {
  for (const std::string_view name : games::game_names()) {
    const auto game = games::make_game(name);
    const Options options = options_of("preset=uct knowledge=100");
    if (name == "hex") {
      CHECK_NOTHROW(check_options(*game, options));
    } else {
      CHECK_THROWS_WITH_AS(check_options(*game, options),
                           (std::string(name) + " has no knowledge of positions without search: "
                                                "set knowledge to 0")
                               .c_str(),
                           BadOption);
    }
  }
  CHECK_THROWS_AS(options_of("knowledge=-1"), BadOption);
  CHECK_THROWS_AS(options_of("knowledge=often"), BadOption);
  // A preset takes it back.
  CHECK(options_of("preset=uct").knowledge == 0);
  Options options = options_of("knowledge=5");
  set_option(options, "preset", "reference");
  CHECK(options.knowledge == 0);
}
