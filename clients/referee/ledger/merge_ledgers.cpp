#include "clients/referee/ledger/merge_ledgers.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

namespace {

/// Adds the matches of `more` that `all` lacks; a common match gets the higher number of games.
void unite(Experiment& all, const Experiment& more, const LedgerPlace& source) {
  const auto is_known = [&](const Match& match) {
    return std::ranges::find(all.matches, match_id(match), match_id) != all.matches.end();
  };
  if (all.matches.empty()) {
    all = more;
  } else if (std::ranges::none_of(more.matches, is_known)) {
    throw UserError(text_of(source) + " has no match in common with the others");
  }
  for (const Match& match : more.matches) {
    const std::string id = match_id(match);
    const auto found = std::ranges::find(all.matches, id, match_id);
    if (found == all.matches.end()) {
      all.matches.push_back(match);
    } else {
      found->games = std::max(found->games, match.games);
    }
  }
}

/// What is known of a match's engines: the declaration of those that played its games; nothing if
/// some of these engines were never asked.
class KnownEngines {
 public:
  explicit KnownEngines(const Experiment& experiment)
      : experiment_(experiment), known_(experiment.matches.size()) {}

  /// How an engine's declaration differs from those in earlier calls; empty if it does not.
  std::string compare(const Declarations& declared) {
    for (const Declarations& before : seen_) {
      std::string change = change_since(experiment_, before, declared);
      if (!change.empty()) return change;
    }
    seen_.push_back(declared);
    return {};
  }
  /// Adds games that were played by the engines compared last.
  void add_games(int match) {
    const bool is_first = have_games_.insert(match).second;
    for (std::size_t p = 0; p < 2; ++p) {
      const auto& declared = seen_.back()[match][p];
      if (is_first || !declared) known_[match][p] = declared;
    }
  }
  [[nodiscard]] const Declarations& known() const { return known_; }

 private:
  const Experiment& experiment_;
  std::vector<Declarations> seen_;
  std::set<int> have_games_;
  Declarations known_;
};

/// A referee has compared its engines with those on record, and would go on with rounds that are
/// added.
void expect_nobody_plays(const Ledger& ledger, const LedgerPlace& place) {
  constexpr std::chrono::seconds alive(30);
  for (const RefereeEntry& referee : ledger.referees()) {
    require(referee.has_left || referee.silence > alive,
            "the referee " + referee.name + " plays the experiment in " + text_of(place) +
                ": end it before anything is added");
  }
}

}  // namespace

Merged merge_ledgers(const LedgerPlace& target, const std::vector<LedgerPlace>& sources) {
  Experiment all;
  if (has_ledger(target)) all = read_experiment(target);
  for (const LedgerPlace& source : sources) unite(all, read_experiment(source), source);

  Ledger out(target, all);
  std::map<std::pair<int, int>, std::vector<PlayedGame>> there;
  KnownEngines engines(all);
  engines.compare(out.declarations());
  for (const PlayedRound& round : out.played()) {
    there[{round.match, round.round}] = round.games;
    engines.add_games(round.match);
  }
  std::vector<PlayedRound> rounds;
  std::vector<Incident> incidents;
  std::vector<RefereeEntry> referees;
  Merged merged;
  for (const LedgerPlace& source : sources) {
    const Ledger in(source, all);
    const std::string change = engines.compare(in.declarations());
    if (!change.empty()) throw UserError(text_of(source) + ": " + change);
    std::set<std::pair<int, int>> taken;
    for (PlayedRound& round : in.played()) {
      const auto [known, is_new] = there.try_emplace({round.match, round.round}, round.games);
      if (is_new) {
        ++merged.added;
        taken.insert(known->first);
        engines.add_games(round.match);
        rounds.push_back(std::move(round));
      } else {
        const bool is_alike = std::ranges::equal(known->second, round.games, same_course);
        ++(is_alike ? merged.known : merged.differing);
      }
    }
    std::ranges::move(in.referees(), std::back_inserter(referees));
    // Incidents of rounds that are not added are known, or belong to games that do not count.
    for (Incident& incident : in.incidents()) {
      const int round = round_of(all.matches[incident.match], incident.game - 1);
      if (taken.contains({incident.match, round})) incidents.push_back(std::move(incident));
    }
  }
  out.open_for_writing([&] {
    expect_nobody_plays(out, target);
    out.replace(engines.known());
    for (const RefereeEntry& referee : referees) out.add(referee);
    for (const PlayedRound& round : rounds) {
      const auto claim = out.claim(round.match, round.round, round.referee);
      if (claim) out.finish(*claim, round);
    }
    for (const Incident& incident : incidents) out.note(incident);
  });
  return merged;
}

}  // namespace pitboss::clients
