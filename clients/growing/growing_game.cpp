#include "clients/growing/growing_game.hpp"

#include <chrono>
#include <nlohmann/json.hpp>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

constexpr const char* set_name = "grown";

/// The search of the paper (eq. 4, sec. V): values there are in [-1, 1], and its c is 2.5.
constexpr std::string_view paper_search =
    "evaluation=playout selection=puct c_puct=1.25 fpu_reduction=0 virtual_samples=false "
    "prior=features playout=features feature_moves=1 reuse_tree=true tree_mb=64";

/// A move drawn by its visits.
std::string drawn(const std::map<std::string, double>& visits, games::Random& random) {
  double rest = 0;
  for (const auto& [move, count] : visits) rest += count;
  rest *= random.uniform();
  for (const auto& [move, count] : visits) {
    rest -= count;
    if (rest < 0) return move;
  }
  return visits.rbegin()->first;
}

}  // namespace

std::string json_of(const GameRecord& record) {
  return nlohmann::ordered_json{{"moves", record.moves}, {"visits", record.visits}}.dump();
}

GameRecord record_of(const std::string& line) {
  try {
    const auto json = nlohmann::json::parse(line);
    return {json.at("moves").get<std::vector<std::string>>(),
            json.at("visits").get<std::vector<std::map<std::string, double>>>()};
  } catch (const nlohmann::json::exception&) {
    throw UserError("a line of games.jsonl is no game");
  }
}

std::vector<Sample> samples_of(const GameRecord& record, const games::AnyGame& start) {
  std::vector<Sample> samples;
  const auto position = start.clone();
  for (std::size_t i = 0; i < record.moves.size(); ++i) {
    samples.push_back(sample_of(*position, record.visits.at(i)));
    position->play(record.moves[i]);
  }
  return samples;
}

GrowingPlayer::GrowingPlayer(const games::AnyGame& start, const GrowSettings& settings)
    : start_(start), settings_(settings) {
  engine::FeatureSet none;
  none.game = start.name();
  sets_ = std::make_shared<engine::FeatureSets>(engine::LoadedFeatures{set_name, "", none});
  engine::Models models;
  models.feature_sets = sets_;
  search_ = engine::make_search(start, models);
  const std::string text = std::string(paper_search) + " " + settings.options;
  for (const auto& [name, value] : engine::parse_assignments(text)) {
    engine::set_option(options_, name, value);
  }
  options_.features = set_name;
  options_.simulations = settings.simulations;
}

std::optional<GameRecord> GrowingPlayer::play(GrowingPolicy& policy, std::uint64_t seed,
                                              const std::atomic<bool>& stop) {
  games::Random random(seed);
  options_.seed = static_cast<std::int64_t>(seed >> 12 | 1);
  search_->forget();  // or a game would depend on the one before it
  GameRecord record;
  const auto position = start_.clone();
  for (int ply = 0; ply < settings_.longest_game && !position->result().finished(); ++ply) {
    if (stop) return std::nullopt;
    const std::string parameters = start_.parameters().line();
    sets_->replace({set_name, "", policy.set()}, parameters, policy.plan());
    std::map<std::string, double> visits;
    for (const engine::MoveReport& move : searched(*position, ply).moves) {
      if (move.visits > 0) visits[move.move] = static_cast<double>(move.visits);
    }
    record.moves.push_back(drawn(visits, random));
    policy.remember(sample_of(*position, visits));
    policy.learn(random);
    position->play(record.moves.back());
    record.visits.push_back(std::move(visits));
  }
  return record;
}

engine::Report GrowingPlayer::searched(const games::AnyGame& position, int ply) {
  search_->begin(position, ply, options_, engine::limits_of(options_));
  while (search_->run(std::chrono::milliseconds(10)) != engine::Progress::done) {
  }
  return search_->report();
}

}  // namespace pitboss::clients
