#include "clients/training/self_play_game.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/leaf/network/network_interface.hpp"

namespace pitboss::clients {

namespace {

constexpr int distinct_plies = 10;
constexpr int tree_mb = 64;

/// The index of a weight, drawn in proportion to weight^(1 / temperature); at temperature 0 the
/// first largest weight. At least one weight must be above 0.
std::size_t drawn(const std::vector<double>& weights, double temperature, games::Random& random) {
  const auto largest = std::ranges::max_element(weights);
  if (temperature < 1e-3) return static_cast<std::size_t>(largest - weights.begin());
  std::vector<double> shares;
  double sum = 0;
  for (const double weight : weights) {
    sum += std::pow(weight / *largest, 1 / temperature);
    shares.push_back(sum);
  }
  const double wanted = random.uniform() * sum;
  const auto found = std::ranges::upper_bound(shares, wanted);
  return static_cast<std::size_t>(std::min(found, shares.end() - 1) - shares.begin());
}

/// The root's value for its mover: the mean of the moves' values over their visits.
double value_of(const engine::Report& report) {
  double sum = 0;
  double visits = 0;
  for (const engine::MoveReport& move : report.moves) {
    sum += static_cast<double>(move.visits) * move.value;
    visits += static_cast<double>(move.visits);
  }
  return visits == 0 ? 0.5 : std::clamp(sum / visits, 0.0, 1.0);
}

void count(const engine::NetworkUse& use, SelfPlayGame& game) {
  game.evaluations += use.evaluations - use.cached;
  game.remote += use.remote;
}

}  // namespace

SelfPlayer::SelfPlayer(const games::AnyGame& start,
                       const std::shared_ptr<engine::Networks>& networks,
                       const std::string& network, const SelfPlaySettings& settings,
                       SearchStage stage)
    : start_(start.clone()),
      search_(engine::make_search(start, networks)),
      settings_(settings),
      stage_(stage) {
  options_.selection = engine::Selection::puct;
  options_.evaluation = engine::EvaluatorKind::network;
  options_.network = network;
  options_.reuse_tree = true;
  options_.tree_mb = tree_mb;
  for (const auto& [name, value] : engine::parse_assignments(settings.options)) {
    engine::set_option(options_, name, value);
  }
}

std::optional<SelfPlayGame> SelfPlayer::play(std::uint64_t seed, const std::atomic<bool>& stop) {
  random_ = games::Random(seed);
  options_.seed = static_cast<std::int64_t>(seed >> 2 | 1);
  search_->forget();  // else a game would depend on the one before it
  SelfPlayGame game;
  while (!open_game(game)) {
  }
  const int first = game.plies;
  while (!position_->result().finished()) {
    if (stop) return std::nullopt;
    move(searched_move(game, temperature(game.plies - first)), game);
  }
  note_end(game);
  return game;
}

/// Begins a game with random moves and with moves of the policy. False if the game is over then.
bool SelfPlayer::open_game(SelfPlayGame& game) {
  game = {};
  position_ = start_->clone();
  winning_.assign(static_cast<std::size_t>(position_->players()), 0);
  const int random_moves = random_.below(settings_.random_plies + 1);
  const int moves =
      random_moves + static_cast<int>(-settings_.opening_plies * std::log(random_.uniform()));
  while (game.plies < moves && !position_->result().finished()) {
    move(game.plies < random_moves ? position_->random_move(random_) : policy_move(game), game);
  }
  return !position_->result().finished();
}

std::string SelfPlayer::policy_move(SelfPlayGame& game) {
  const engine::Assessment assessment = search_->evaluate(*position_, options_);
  count(*assessment.network, game);
  std::vector<double> priors;
  for (const auto& [move, prior] : assessment.policy) priors.push_back(prior);
  return assessment.policy[drawn(priors, settings_.opening_temperature, random_)].first;
}

/// Searches for a move; if the search is a full one, adds a row.
std::string SelfPlayer::searched_move(SelfPlayGame& game, double temperature) {
  const bool is_full = random_.uniform() < settings_.full_share;
  const bool is_decided =
      std::ranges::any_of(winning_, [&](int turns) { return turns >= settings_.decided_turns; });
  const engine::Report report = searched(game.plies, is_full, is_decided);
  game.simulations += report.simulations;
  if (report.network) count(*report.network, game);
  if (report.simulations == 0) return report.move;  // proven before the first simulation
  const double value = value_of(report);
  if (is_full) {
    game.rows.push_back(row_of(report, value));
    game.rows.back().ply = static_cast<std::uint16_t>(game.plies);
    game.rows.back().weight = is_decided ? static_cast<float>(settings_.decided_weight) : 1;
  }
  int& turns = winning_[games::index(position_->to_move())];
  turns = value > settings_.decided_value ? turns + 1 : 0;

  std::vector<double> visits;
  for (const engine::MoveReport& one : report.moves) {
    visits.push_back(static_cast<double>(one.visits));
  }
  return report.moves[drawn(visits, temperature, random_)].move;
}

engine::Report SelfPlayer::searched(int ply, bool is_full, bool is_decided) {
  const int undecided = is_full ? stage_.full : stage_.fast;
  options_.simulations =
      is_decided ? std::min(settings_.decided_simulations, undecided) : undecided;
  options_.root_noise = is_full ? settings_.root_noise : 0;
  if (is_full) {
    const auto moves = static_cast<double>(position_->legal_moves().size());
    options_.root_noise_alpha = std::clamp(settings_.noise_concentration / moves, 0.001, 100.0);
  }
  search_->begin(*position_, ply, options_, engine::limits_of(options_), wakeup_.waker());
  wakeup_.finish(*search_);
  return search_->report();
}

/// The position as a row, without outcome and the other data that follow from the game's end.
Row SelfPlayer::row_of(const engine::Report& report, double value) const {
  Row row;
  row.planes = engine::planes_of(*position_);
  std::map<std::string, std::int64_t> visits;
  for (const engine::MoveReport& move : report.moves) visits[move.move] = move.visits;
  for (const auto& [move, parts] : engine::policy_moves(*position_)) {
    const std::int64_t count = std::min<std::int64_t>(visits[move], UINT16_MAX);
    row.moves.push_back({parts, static_cast<std::uint16_t>(count)});
  }
  // The search tells only the sum of the other players' values.
  const int players = position_->players();
  row.root_value.assign(static_cast<std::size_t>(players),
                        static_cast<float>((1 - value) / (players - 1)));
  row.root_value[games::index(position_->to_move())] = static_cast<float>(value);
  return row;
}

double SelfPlayer::temperature(int plies) const {
  const double end = settings_.final_temperature;
  return end + (settings_.temperature - end) * std::exp2(-plies / settings_.temperature_half_life);
}

void SelfPlayer::move(const std::string& text, SelfPlayGame& game) {
  position_->play(text);
  ++game.plies;
  if (game.plies > distinct_plies) return;
  for (const char c : text) game.opening = games::mix(game.opening + static_cast<unsigned char>(c));
}

/// Sets the data of all rows that follow from the game's end.
void SelfPlayer::note_end(SelfPlayGame& game) const {
  const games::Result result = position_->result();
  game.is_draw = result.shared();
  for (Row& row : game.rows) {
    row.plies_left = static_cast<std::uint16_t>(game.plies - row.ply);
    for (int colour = 0; colour < position_->players(); ++colour) {
      row.outcome.push_back(static_cast<float>(result.share(static_cast<games::Colour>(colour))));
    }
  }
}

}  // namespace pitboss::clients
