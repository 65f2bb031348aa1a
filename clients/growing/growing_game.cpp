#include "clients/growing/growing_game.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "engine/search/search.hpp"

namespace pitboss::clients {

namespace {

constexpr const char* set_name = "grown";

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
    GameRecord record{json.at("moves").get<std::vector<std::string>>(),
                      json.at("visits").get<std::vector<std::map<std::string, double>>>()};
    if (record.moves.size() != record.visits.size()) {
      throw UserError("a line of games.jsonl does not have as many visits as moves");
    }
    return record;
  } catch (const nlohmann::json::exception&) {
    throw UserError("a line of games.jsonl is not a game");
  }
}

void remember(GrowingPolicy& policy, std::span<const GameRecord> records,
              const games::AnyGame& start) {
  std::vector<std::unique_ptr<games::AnyGame>> positions;
  std::size_t plies = 0;
  for (const GameRecord& record : records) {
    positions.push_back(start.clone());
    plies = std::max(plies, record.moves.size());
  }
  for (std::size_t ply = 0; ply < plies; ++ply) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (ply >= records[i].moves.size()) continue;
      policy.remember(sample_of(*positions[i], records[i].visits.at(ply)));
      positions[i]->play(records[i].moves[ply]);
    }
  }
}

/// A game in play, and its search.
class GrowingPlayer::Seat {
 public:
  Seat(const games::AnyGame& start, engine::Options options, const engine::Models& models)
      : start_(start), options_(std::move(options)), search_(engine::make_search(start, models)) {}

  void begin(std::uint64_t seed) {
    position_ = start_.clone();
    record_ = {};
    random_ = games::Random(seed);
    options_.seed = static_cast<std::int64_t>(seed >> 12 | 1);
    search_->forget();  // else a game would depend on the one before it
  }
  [[nodiscard]] bool is_finished(int longest) const {
    return position_->result().finished() ||
           record_.moves.size() == static_cast<std::size_t>(longest);
  }
  /// Searches the position. Seats may do it at once.
  void search() {
    search_->begin(*position_, static_cast<int>(record_.moves.size()), options_,
                   engine::limits_of(options_));
    while (search_->run(std::chrono::milliseconds(10)) != engine::Progress::done) {
    }
    visits_.clear();
    const engine::Report report = search_->report();
    for (const engine::MoveReport& move : report.moves) {
      const bool is_won = move.move == report.move && move.proven == engine::Proven::win;
      if (is_won) visits_.clear();  // the winning move alone is the target, however few its visits
      if (is_won || move.visits > 0)
        visits_[move.move] = std::max(1., static_cast<double>(move.visits));
      if (is_won) break;
    }
    if (visits_.empty()) visits_[report.move] = 1;  // proven before the first simulation
  }
  /// Draws a move by its visits, has the policy learn, and plays it.
  void move(GrowingPolicy& policy) {
    record_.moves.push_back(drawn(visits_, random_));
    policy.remember(sample_of(*position_, visits_));
    policy.learn(random_);
    position_->play(record_.moves.back());
    record_.visits.push_back(visits_);
  }
  [[nodiscard]] GameRecord& record() { return record_; }

 private:
  const games::AnyGame& start_;
  engine::Options options_;
  std::unique_ptr<engine::Search> search_;
  std::unique_ptr<games::AnyGame> position_;
  GameRecord record_;
  games::Random random_{1};
  std::map<std::string, double> visits_;
};

GrowingPlayer::~GrowingPlayer() = default;

GrowingPlayer::GrowingPlayer(const games::AnyGame& start, const GrowSettings& settings)
    : start_(start), settings_(settings) {
  engine::FeatureSet none;
  none.game = start.name();
  sets_ = std::make_shared<engine::FeatureSets>(engine::LoadedFeatures{set_name, "", none});
  engine::Models models;
  models.feature_sets = sets_;
  engine::Options options;
  const std::string text = std::string(biased_search) + " " + settings.options;
  for (const auto& [name, value] : engine::parse_assignments(text)) {
    engine::set_option(options, name, value);
  }
  options.features = set_name;
  options.simulations = settings.simulations;
  engine::check_options(start, options);
  for (int i = 0; i < settings.at_once; ++i) {
    seats_.push_back(std::make_unique<Seat>(start, options, models));
  }
}

/// Runs all searches at once; throws the first failure in the order of `seats`.
void GrowingPlayer::search_all(const std::vector<Seat*>& seats) {
  std::vector<std::exception_ptr> failures(seats.size());
  const auto search = [&](std::size_t i) {
    try {
      seats[i]->search();
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < seats.size(); ++i) others.emplace_back(search, i);
    search(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

std::vector<GameRecord> GrowingPlayer::play(GrowingPolicy& policy,
                                            const std::vector<std::uint64_t>& seeds,
                                            const std::atomic<bool>& stop) {
  for (std::size_t i = 0; i < seeds.size(); ++i) seats_[i]->begin(seeds[i]);
  while (true) {
    std::vector<Seat*> playing;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      if (!seats_[i]->is_finished(settings_.longest_game)) playing.push_back(seats_[i].get());
    }
    if (playing.empty()) break;
    if (stop) return {};
    sets_->replace({set_name, "", policy.set()}, start_.parameters().line(), policy.plan());
    search_all(playing);
    for (Seat* const seat : playing) seat->move(policy);
  }
  std::vector<GameRecord> records;
  for (std::size_t i = 0; i < seeds.size(); ++i) records.push_back(std::move(seats_[i]->record()));
  return records;
}

}  // namespace pitboss::clients
