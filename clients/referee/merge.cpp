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

/// Adds what `more` says of engines. Where some games of a match were played by engines that nobody
/// asked, nothing is known of it.
void add(Declarations& declared, std::set<int>& had_games, const Declarations& more,
         const std::vector<PlayedRound>& played) {
  std::set<int> have_games;
  for (const PlayedRound& round : played) have_games.insert(round.match);
  for (const int match : have_games) {
    const bool is_first = had_games.insert(match).second;
    for (std::size_t p = 0; p < 2; ++p) {
      if (is_first) {
        declared[match][p] = more[match][p];
      } else if (!more[match][p]) {
        declared[match][p].reset();
      }
    }
  }
}

}  // namespace

Merged merge_ledgers(const fs::path& target, const std::vector<fs::path>& sources) {
  Experiment all;
  if (fs::exists(ledger_path(target))) all = read_experiment(target);
  for (const fs::path& source : sources) unite(all, read_experiment(source), source);

  Ledger out(target, all);
  std::map<std::pair<int, int>, std::string> there;
  std::set<int> had_games;
  for (const PlayedRound& round : out.played()) {
    there[{round.match, round.round}] = text_of(round);
    had_games.insert(round.match);
  }
  Declarations declared = out.declarations();
  std::vector<PlayedRound> rounds;
  std::vector<Incident> incidents;
  Merged merged;
  for (const fs::path& source : sources) {
    const Ledger in(source, all);
    std::vector<PlayedRound> played = in.played();
    const Declarations more = in.declarations();
    const std::string change = change_since(all, declared, more);
    if (!change.empty()) throw UserError(source.string() + ": " + change);
    add(declared, had_games, more, played);
    std::set<std::pair<int, int>> taken;
    for (PlayedRound& round : played) {
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
  out.open_for_writing();
  out.transact([&] {
    out.note(declared);  // before there are games
    for (const PlayedRound& round : rounds) {
      const auto lease = out.claim(round.match, round.round);
      if (lease) out.finish(*lease, round.games);
    }
    for (const Incident& incident : incidents) out.note(incident);
  });
  return merged;
}

}  // namespace pitboss::clients
