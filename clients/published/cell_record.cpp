#include "clients/published/cell_record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "clients/experiments/match_configuration.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/players/declarations.hpp"
#include "engine/sha256.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

/// Games in order as one text.
std::string course_of(const std::vector<PlayedGame>& games) {
  std::string out;
  for (const PlayedGame& game : games) out += game.moves + " " + game.result + "\n";
  return out;
}

ordered_json scores_json(const Scores& scores) {
  ordered_json out = ordered_json::array();
  for (const ScoreClass& c : scores.classes()) {
    if (c.rounds > 0) out.push_back({c.twelfths, c.rounds});
  }
  return out;
}

Scores parse_scores(const ordered_json& json, int games_per_round) {
  Scores scores(games_per_round);
  for (const auto& entry : json) scores.add(entry.at(0).get<int>(), entry.at(1).get<int>());
  return scores;
}

int twelfths_in(const Scores& scores) {
  int sum = 0;
  for (const ScoreClass& c : scores.classes()) sum += c.twelfths * static_cast<int>(c.rounds);
  return sum;
}

ordered_json json_of(const CellRecord& record) {
  ordered_json out{{"match", ordered_json::parse(record.match)}, {"programs", record.programs}};
  if (record.networks != std::array<std::string, 2>{}) out["networks"] = record.networks;
  out.update({{"recorder_signature", record.recorder_signature},
              {"wins", record.tally.wins},
              {"draws", record.tally.draws},
              {"losses", record.tally.losses},
              {"failures", record.failures}});
  if (record.simulations) out["simulations"] = *record.simulations;
  out.update({{"distinct_games", record.distinct_games},
              {"plies", record.plies},
              {"rounds", scores_json(record.rounds)},
              {"distinct_rounds", scores_json(record.distinct_rounds)},
              {"sha256", record.sha256}});
  return out;
}

CellRecord parse_record(const std::string& line) {
  const auto json = ordered_json::parse(line);
  const std::string configured = json.at("match").dump();
  const int round = parse_configuration(configured).round();
  CellRecord record{.match = configured,
                    .programs = json.at("programs"),
                    .networks = json.value("networks", std::array<std::string, 2>{}),
                    .recorder_signature = json.at("recorder_signature"),
                    .tally = {},
                    .failures = json.at("failures"),
                    .simulations = {},
                    .distinct_games = json.at("distinct_games"),
                    .plies = json.at("plies"),
                    .rounds = parse_scores(json.at("rounds"), round),
                    .distinct_rounds = parse_scores(json.at("distinct_rounds"), round),
                    .sha256 = json.at("sha256")};
  if (json.contains("simulations")) {
    record.simulations = json.at("simulations");
    if (json.at("simulations").size() != 2 || std::ranges::min(*record.simulations) < 0) {
      throw std::runtime_error("simulations are not two whole numbers");
    }
  }
  record.tally.wins = json.at("wins");
  record.tally.draws = json.at("draws");
  record.tally.losses = json.at("losses");
  record.tally.twelfths_of_draws = twelfths_in(record.rounds) - whole_point * record.tally.wins;
  if (record.tally.games() != record.rounds.games() || record.tally.twelfths_of_draws < 0 ||
      record.distinct_rounds.rounds() > record.rounds.rounds() ||
      record.distinct_games > record.tally.games()) {
    throw std::runtime_error("its numbers contradict each other");
  }
  return record;
}

std::optional<std::array<std::int64_t, 2>> simulations_of(const Match& match,
                                                          const Standings& standings) {
  const auto first = standings.simulations(0);
  const auto second = standings.simulations(1);
  if (!is_timed(match) || !first || !second) return std::nullopt;
  return std::array{*first, *second};
}

}  // namespace

CellRecord record_of(const LedgerContents& contents, const std::string& recorder_signature) {
  const MatchResults& results = contents.results.matches().at(0);
  const Standings& standings = results.standings();
  const std::vector<PlayedGame> games = contents.games().at(0);
  CellRecord record{.match = configuration(results.match()),
                    .programs = {},
                    .networks = {},
                    .recorder_signature = recorder_signature,
                    .tally = standings.tally(0),
                    .failures = standings.forfeits(),
                    .simulations = simulations_of(results.match(), standings),
                    .distinct_games = standings.distinct(),
                    .plies = 0,
                    .rounds = standings.scores(),
                    .distinct_rounds = Scores(results.match().round()),
                    .sha256 = engine::sha256(course_of(games))};
  for (std::size_t player = 0; player < 2; ++player) {
    const auto& declared = results.declared()[player];
    if (!declared) continue;
    record.programs[player] = declared->program;
    const auto network = declared->options.find("network_sha256");
    if (network != declared->options.end()) record.networks[player] = network->second;
  }
  for (const auto& [length, count] : standings.lengths()) {
    record.plies += std::int64_t{length} * count;
  }
  std::set<std::string> seen;
  for (const PlayedRound& round : contents.played) {
    if (!seen.insert(course_of(round.games)).second) continue;
    int twelfths = 0;
    for (const PlayedGame& game : round.games) twelfths += game.twelfths;
    record.distinct_rounds.add(twelfths);
  }
  return record;
}

std::string text_of(const std::vector<CellRecord>& records) {
  std::string out;
  for (const CellRecord& record : records) out += json_of(record).dump() + "\n";
  return out;
}

std::vector<CellRecord> read_records(const fs::path& path) {
  std::vector<CellRecord> records;
  if (!fs::exists(path)) return records;
  std::istringstream lines(read_text_file(path));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      records.push_back(parse_record(line));
    } catch (const std::exception& e) {
      throw UserError(path.string() + ", line " + std::to_string(number) +
                      ": not the record of a match: " + e.what());
    }
  }
  return records;
}

}  // namespace pitboss::clients
