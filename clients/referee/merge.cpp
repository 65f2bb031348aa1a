#include "clients/referee/merge.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "clients/referee/ledger.hpp"
#include "clients/user_error.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

/// Adds the matches of `more` that `all` lacks; of the others the higher number of games counts.
void unite(Experiment& all, const Experiment& more, const fs::path& source) {
  const auto is_known = [&](const Match& match) {
    return std::ranges::find(all.matches, match_id(match), match_id) != all.matches.end();
  };
  if (all.matches.empty()) {
    all = more;
  } else if (std::ranges::none_of(more.matches, is_known)) {
    throw UserError(source.string() + " has no match in common with the others");
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

std::string text_of(const PlayedRound& round) {
  std::string text;
  for (const GameRecord& game : round.games) text += csv_line(game) + "\n";
  return text;
}

}  // namespace

Merged merge_ledgers(const fs::path& target, const std::vector<fs::path>& sources) {
  Experiment all;
  if (fs::exists(ledger_path(target))) all = read_experiment(target);
  for (const fs::path& source : sources) unite(all, read_experiment(source), source);

  Ledger out(target, all);
  out.open_for_writing();
  std::map<std::pair<int, int>, std::string> there;
  for (const PlayedRound& round : out.played()) {
    there[{round.match, round.round}] = text_of(round);
  }
  std::vector<PlayedRound> rounds;
  std::vector<Incident> incidents;
  Merged merged;
  Declarations declared = out.declarations();
  for (const fs::path& source : sources) {
    const Ledger in(source, all);
    const Declarations more = in.declarations();
    const std::string change = change_since(all, declared, more);
    if (!change.empty()) throw UserError(source.string() + ": " + change);
    for (std::size_t m = 0; m < more.size(); ++m) {
      for (const std::size_t p : {0, 1}) {
        if (!declared[m][p]) declared[m][p] = more[m][p];
      }
    }
    std::set<std::pair<int, int>> taken;
    for (PlayedRound& round : in.played()) {
      std::string text = text_of(round);
      const auto [known, is_new] = there.try_emplace({round.match, round.round}, text);
      if (is_new) {
        ++merged.added;
        taken.insert(known->first);
        rounds.push_back(std::move(round));
      } else {
        ++(known->second == text ? merged.known : merged.differing);
      }
    }
    // Those of games that are not taken are known, or of games that do not count.
    for (Incident& incident : in.incidents()) {
      const int round = round_of(all.matches[incident.match], incident.game - 1);
      if (taken.contains({incident.match, round})) incidents.push_back(std::move(incident));
    }
  }
  out.transact([&] {
    for (const PlayedRound& round : rounds) {
      const auto lease = out.claim(round.match, round.round);
      if (lease) out.finish(*lease, round.games);
    }
    for (const Incident& incident : incidents) out.note(incident);
    out.note(declared);
  });
  return merged;
}

}  // namespace pitboss::clients
