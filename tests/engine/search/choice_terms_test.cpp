#include "engine/search/choice_terms.hpp"

#include <doctest/doctest.h>

#include <map>

#include "engine/formulas.hpp"
#include "tests/engine/search/searching.hpp"

namespace pitboss::engine {

namespace {

std::map<std::string, ChoiceTerms> by_move(const Report& report) {
  const auto terms = choice_terms(report);
  REQUIRE(terms.size() == report.moves.size());
  std::map<std::string, ChoiceTerms> all;
  for (std::size_t i = 0; i < terms.size(); ++i) all[report.moves[i].move] = terms[i];
  return all;
}

/// The move with which the next simulation began: the one that `after` has visited once more.
std::string chosen_between(const Report& before, const Report& after) {
  std::map<std::string, std::int64_t> visits;
  for (const MoveReport& move : before.moves) visits[move.move] = move.visits;
  for (const MoveReport& move : after.moves) {
    if (move.visits == visits[move.move] + 1) return move.move;
  }
  return {};
}

}  // namespace

TEST_CASE("choice_terms: a search chooses the move with the highest bound") {
  std::vector<std::string> ways{
      "selection=ucb1-tuned novelty=none",
      "selection=ucb1-tuned novelty=pseudocount alpha=0.5 beta=20 k=0.3",
      "selection=ucb1 novelty=threshold alpha=2 beta=1000",
      "selection=puct novelty=pseudocount c_puct=2 alpha=1 beta=50",
      "selection=ucb1-tuned novelty=pseudocount novelty_mix=additive alpha=0.5 beta=20 k=0.3",
      "selection=ucb1 novelty=evaluation novelty_mix=centred alpha=2 beta=1000",
      "selection=puct novelty=pseudocount novelty_mix=additive c_puct=2 alpha=1 beta=50",
      "selection=puct novelty=pseudocount novelty_mix=centred c_puct=2 alpha=1 beta=50",
      "selection=ucb1-tuned novelty=none virtual_value=0.3 k=0.3",
      "selection=puct novelty=pseudocount virtual_value=0.2 c_puct=2 alpha=1 beta=50",
      "selection=ucb1 novelty=none virtual_samples=false",
      "selection=puct novelty=none virtual_samples=false fpu_reduction=0",
      "selection=ucb1-tuned novelty=pseudocount relative_bonus=true bonus_bound=0.5 "
      "evaluation=playout"};
  for (const SelectionRow& rule : selection_rows()) {
    ways.push_back("selection=" + std::string(rule.name) + " novelty=pseudocount alpha=1 beta=50");
  }
  for (const char* name : {"othello", "breakthrough", "gomoku"}) {
    const auto game = games::make_game(
        name, games::parse_parameters(std::string(name) == "gomoku" ? "opening=free" : ""));
    for (const std::string& way : ways) {
      CAPTURE(name);
      CAPTURE(way);
      int compared = 0;
      for (const int simulations : {150, 333, 700, 701, 1500}) {
        const auto report_of = [&](int n) {
          return tests::searched(*game,
                                 tests::options_of(way + " simulations=" + std::to_string(n)));
        };
        const Report report = report_of(simulations);
        auto terms = by_move(report);
        const auto chosen = terms[chosen_between(report, report_of(simulations + 1))];
        if (!chosen.bound) continue;  // a move that was never visited
        ++compared;
        for (const auto& [move, other] : terms) {
          if (other.bound) CHECK(*other.bound <= *chosen.bound + 2e-6);
        }
      }
      CHECK(compared >= 3);
    }
  }
}

TEST_CASE("choice_terms: of a move, as the formulas have them") {
  Report report;
  report.game = "connect4";
  report.options = tests::options_of("selection=ucb1 k=0.5 novelty=pseudocount alpha=0.1 beta=3");
  report.moves = {{"d1", 8, 0.6, 0.4}, {"a1", 0, 0.5, 0}};
  report.moves[0].variance = 0.2;
  const auto terms = choice_terms(report);
  CHECK(*terms[0].b == doctest::Approx(novelty_weight(3, 9)));
  CHECK(*terms[0].exploration == doctest::Approx(ucb1_bonus(0.5, 10, 9)));
  CHECK(*terms[0].bound ==
        doctest::Approx(*terms[0].b * 0.1 * 0.4 + (1 - *terms[0].b) * 0.6 + *terms[0].exploration));
  CHECK(*terms[1].exploration == doctest::Approx(ucb1_bonus(0.5, 10, 1)));
  SUBCASE("by the other mixes, of a tried and of an untried move") {
    const double b = *terms[0].b;
    set_option(report.options, "novelty_mix", "additive");
    CHECK(*choice_terms(report)[0].bound ==
          doctest::Approx(0.6 + b * 0.1 * 0.4 + *terms[0].exploration));
    CHECK(*choice_terms(report)[1].bound == doctest::Approx(0.5 + *terms[1].exploration));
    set_option(report.options, "novelty_mix", "centred");
    CHECK(*choice_terms(report)[0].bound ==
          doctest::Approx(0.5 + (1 - b) * 0.1 + b * 0.1 * 0.4 + *terms[0].exploration));
    CHECK(*choice_terms(report)[1].bound == doctest::Approx(0.5 + *terms[1].exploration));
  }
  SUBCASE("an untried move has the value of its virtual sample") {
    report.options.virtual_value = 0.2;
    const double b = *terms[1].b;
    CHECK(*choice_terms(report)[1].bound == doctest::Approx((1 - b) * 0.2 + *terms[1].exploration));
    CHECK(*choice_terms(report)[0].bound == *terms[0].bound);
  }
  SUBCASE("without novelty there is no weight") {
    report.options.novelty = Novelty::none;
    CHECK_FALSE(choice_terms(report)[0].b);
    CHECK(*choice_terms(report)[0].bound == doctest::Approx(0.6 + *terms[0].exploration));
  }
  SUBCASE("a move without samples has no bound; PUCT's term needs none") {
    report.options.virtual_samples = false;
    CHECK_FALSE(choice_terms(report)[1].exploration);
    report.options.selection = Selection::puct;
    report.moves[1].prior = 0.25;
    CHECK(*choice_terms(report)[1].exploration ==
          doctest::Approx(puct_bonus(report.options.c_puct, 0.25, 8, 0)));
    CHECK_FALSE(choice_terms(report)[1].bound);
  }
  SUBCASE("a proven move is not chosen by a bound") {
    report.moves[0].proven = Proven::loss;
    CHECK_FALSE(choice_terms(report)[0].bound);
    CHECK(choice_terms(report)[1].bound);
  }
  SUBCASE("estimators choose by themselves") {
    set_option(report.options, "estimators", "history");
    CHECK_FALSE(choice_terms(report)[0].bound);
  }
  SUBCASE("halves of moves are chosen, not moves") {
    report.options.split_moves = true;
    CHECK(choice_terms(report)[0].bound);
    report.game = "amazons";
    CHECK_FALSE(choice_terms(report)[0].bound);
  }
}

}  // namespace pitboss::engine
