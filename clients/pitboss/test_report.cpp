#include "clients/pitboss/test_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "clients/results/conclusions.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/match_tables.hpp"
#include "clients/results/summary.hpp"

namespace pitboss::clients {

namespace {

using nlohmann::ordered_json;

/// The counts of rounds by score: "10 40 100 50 20 of 0 0.5 1 1.5 2 points", which of pairs
/// `pitboss sprt` reads.
std::string counts_text(const Scores& scores) {
  std::string rounds;
  std::string points;
  for (const ScoreClass& c : scores.classes()) {
    if (scores.games_per_round() != 2 && c.rounds == 0) continue;
    rounds += format("%lld ", static_cast<long long>(c.rounds));
    points += format("%g ", c.twelfths / double{whole_point});
  }
  return rounds + "of " + points + "points";
}

std::string failures_text(const Standings& standings) {
  std::string out;
  const auto& names = standings.breakdowns().players();
  for (const int player : {0, 1}) {
    for (const auto& [reason, games] : standings.failures(player)) {
      out += (out.empty() ? "" : "; ") + names[static_cast<std::size_t>(player)] +
             format(": %d by ", games) + reason;
    }
  }
  return out.empty() ? "none" : out;
}

/// What the games say, for the table of facts.
void add_match(std::vector<std::pair<std::string, std::string>>& facts,
               const LedgerContents& contents) {
  const MatchResults& match = contents.results.matches().front();
  const Standings& standings = match.standings();
  if (standings.games() == 0) return;
  const Tally& tally = standings.tally(0);
  facts.emplace_back("games", format("%d: %d won, %d drawn, %d lost", standings.games(), tally.wins,
                                     tally.draws, tally.losses));
  facts.emplace_back(standings.scores().games_per_round() == 2 ? "pairs" : "rounds",
                     counts_text(standings.scores()));
  const int alike = rounds_alike(contents);
  if (alike > 0) {
    facts.emplace_back("rounds of one game, played again",
                       format("%d of %d", alike, standings.rounds()));
  }
  if (!standings.breakdowns().decide()) {
    facts.emplace_back("score", format("%.1f %% ", 100 * standings.scores().mean()) +
                                    percent_text(standings.scores().interval()));
    facts.emplace_back("Elo", elo_text(standings.elo()));
    if (match.sprt()) {
      if (const auto corrected = standings.corrected_elo(*match.sprt())) {
        facts.emplace_back("SPRT-corrected Elo", elo_text(*corrected));
      }
    }
    facts.emplace_back("normalized Elo", elo_text(standings.normalized_elo()));
    if (match.llr()) facts.emplace_back("LLR", llr_text(*match.llr(), *match.sprt()));
  }
  facts.emplace_back("games lost by failures", failures_text(standings));
  if (const std::string shares = shares_text(match); !shares.empty()) {
    facts.emplace_back("processor", shares);
  }
}

std::string headline(const CommitTest& test) {
  const std::string pair =
      test.commits[0].short_id() + " against " + test.commits[1].short_id() + ": ";
  return pair + std::string(name_of(test.verdict));
}

}  // namespace

std::string_view name_of(TestVerdict verdict) {
  switch (verdict) {
    case TestVerdict::better:
      return "better";
    case TestVerdict::not_better:
      return "not better";
    case TestVerdict::undecided:
      return "undecided";
    case TestVerdict::failed:
      return "failed";
    case TestVerdict::unfinished:
      break;
  }
  return "unfinished";
}

int rounds_alike(const LedgerContents& contents) {
  const MatchResults& match = contents.results.matches().front();
  const auto is_alike = [&](const PlayedRound& round) {
    return match.counts(round.round) &&
           std::ranges::all_of(round.games, [&](const PlayedGame& game) {
             return game.moves == round.games.front().moves && !game.is_forfeit();
           });
  };
  return static_cast<int>(std::ranges::count_if(contents.played, is_alike));
}

TestVerdict verdict_of(const Results& results) {
  const MatchResults& match = results.matches().front();
  if (!match.is_over()) return TestVerdict::unfinished;
  if (!no_results_of(results).empty()) return TestVerdict::failed;
  if (match.verdict() == SprtVerdict::accept_elo1) return TestVerdict::better;
  if (match.verdict() == SprtVerdict::accept_elo0) return TestVerdict::not_better;
  return TestVerdict::undecided;
}

Document test_document(const CommitTest& test, const LedgerContents* contents) {
  Section all;
  if (!test.why.empty()) {
    const std::size_t end = test.why.find('\n');
    all.blocks.emplace_back(Text{test.why.substr(0, end) + ".", Text::Kind::alarm});
    if (end != std::string::npos) {
      all.blocks.emplace_back(Text{test.why.substr(end + 1), Text::Kind::code});
    }
  }
  std::vector<std::pair<std::string, std::string>> facts{{"new", test.commits[0].text()},
                                                         {"base", test.commits[1].text()}};
  if (contents != nullptr) {
    if (const auto& match = contents->results.matches().front(); match.sprt()) {
      all.blocks.emplace_back(Text{"Test of " + sprt_text(*match.sprt()) + ": " +
                                       verdict_text(match.verdict(), *match.sprt()) + ".",
                                   Text::Kind::verdict});
    }
    add_match(facts, *contents);
  }
  all.blocks.emplace_back(facts_table(facts));
  for (const std::string& remark : test.remarks) {
    all.blocks.emplace_back(Text{"Note: " + remark + ".", Text::Kind::item});
  }
  Section settings{.title = "Settings", .blocks = {facts_table(test.settings)}};
  return {.title = headline(test), .sections = {std::move(all), std::move(settings)}};
}

ordered_json test_json(const CommitTest& test, const LedgerContents* contents) {
  ordered_json out{{"verdict", name_of(test.verdict)},
                   {"why", test.why.empty() ? ordered_json() : ordered_json(test.why)}};
  for (const std::size_t i : {0, 1}) {
    const Commit& commit = test.commits[i];
    out[i == 0 ? "new" : "base"] = {
        {"asked", commit.asked}, {"commit", commit.id}, {"subject", commit.subject}};
  }
  out["settings"] = ordered_json::object();
  for (const auto& [name, text] : test.settings) out["settings"][name] = text;
  out["remarks"] = test.remarks;
  out["rounds_alike"] =
      contents == nullptr ? ordered_json() : ordered_json(rounds_alike(*contents));
  out["match"] =
      contents == nullptr ? ordered_json() : summary_of(contents->results)["matches"].front();
  return out;
}

}  // namespace pitboss::clients
