#include "clients/training/self_play_game.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "clients/training/policy_target.hpp"
#include "clients/training/root_rules.hpp"
#include "environment/awake_clock.hpp"

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

std::vector<double> visits_of(const engine::Report& report) {
  std::vector<double> visits;
  for (const engine::MoveReport& move : report.moves) {
    visits.push_back(static_cast<double>(move.visits));
  }
  return visits;
}

/// How far the target, which has a weight for each of the report's moves, is from the policy.
double surprise_of(const engine::Report& report, const std::vector<double>& target,
                   const engine::Assessment& raw) {
  const std::map<std::string, double> policy(raw.policy.begin(), raw.policy.end());
  std::vector<double> priors;
  for (const engine::MoveReport& move : report.moves) priors.push_back(policy.at(move.move));
  return divergence(target, priors);
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

void SelfPlayer::begin(std::uint64_t seed) {
  random_ = games::Random(seed);
  options_.seed = static_cast<std::int64_t>(seed >> 2 | 1);
  search_->forget();  // else a game would depend on the one before it
  while (!open_game()) {
  }
  opening_plies_ = game_.plies;
  begin_search();
}

std::optional<SelfPlayGame> SelfPlayer::step(engine::LeafBatch& batch) {
  const bool has_steps = search_->has_steps();
  while (search(batch) == engine::Progress::done) {
    move(searched_move());
    if (position_->result().finished()) {
      note_end();
      return std::move(game_);
    }
    begin_search();
    if (!has_steps) break;  // one search is long enough
  }
  return std::nullopt;
}

/// Begins a game with random moves and with moves of the policy. False if the game is over then.
bool SelfPlayer::open_game() {
  game_ = {};
  surprises_.clear();
  position_ = start_->clone();
  winning_.assign(static_cast<std::size_t>(position_->players()), 0);
  const int random_moves = random_.below(settings_.random_plies + 1);
  const int moves =
      random_moves + static_cast<int>(-settings_.opening_plies * std::log(random_.uniform()));
  while (game_.plies < moves && !position_->result().finished()) {
    move(game_.plies < random_moves ? position_->random_move(random_) : policy_move());
  }
  return !position_->result().finished();
}

std::string SelfPlayer::policy_move() {
  const engine::Assessment assessment = search_->evaluate(*position_, options_);
  count(*assessment.network, game_);
  std::vector<double> priors;
  for (const auto& [move, prior] : assessment.policy) priors.push_back(prior);
  return assessment.policy[drawn(priors, settings_.opening_temperature, random_)].first;
}

/// Begins the search for the next move.
void SelfPlayer::begin_search() {
  is_full_ = random_.uniform() < settings_.full_share;
  const auto moves = static_cast<int>(position_->legal_moves().size());
  const int undecided = is_full_ ? full_simulations(settings_, stage_, moves) : stage_.fast;
  const int simulations =
      is_decided() ? std::min(settings_.decided_simulations, undecided) : undecided;
  options_.simulations = simulations;
  // Gumbel noise takes the place of Dirichlet's.
  options_.root_noise = is_full_ && settings_.gumbel_moves == 0 ? settings_.root_noise : 0;
  options_.root_noise_alpha = std::clamp(settings_.noise_concentration / moves, 0.001, 100.0);
  engine::Limits limits = engine::limits_of(options_);
  if (is_full_) limits.root_rule = root_rule(simulations);
  search_->begin(*position_, game_.plies, options_, limits, wakeup_.waker());
}

engine::Progress SelfPlayer::search(engine::LeafBatch& batch) {
  if (search_->has_steps()) return search_->step(batch, environment::AwakeClock::now());
  wakeup_.finish(*search_);
  return engine::Progress::done;
}

/// The move of the search, which is over; if it was a full one, adds a row.
std::string SelfPlayer::searched_move() {
  const engine::Report report = search_->report();
  game_.simulations += report.simulations;
  if (report.network) count(*report.network, game_);
  if (report.simulations == 0) return report.move;  // proven before the first simulation
  const double value = value_of(report);
  std::vector<double> weights = visits_of(report);
  if (is_full_) {
    engine::Assessment raw;
    if (needs_assessment()) {
      raw = search_->evaluate(*position_, options_);
      count(*raw.network, game_);
    }
    weights = target_of(report, raw);
    if (settings_.policy_surprise > 0) surprises_.push_back(surprise_of(report, weights, raw));
    add_row(report, weights, value);
    game_.rows.back().weight = is_decided() ? static_cast<float>(settings_.decided_weight) : 1;
  }
  int& turns = winning_[games::index(position_->to_move())];
  turns = value > settings_.decided_value ? turns + 1 : 0;
  return report.moves[drawn(weights, temperature(), random_)].move;
}

/// Whether a player has been winning for so long that the game is searched and learned from less.
bool SelfPlayer::is_decided() const {
  return std::ranges::any_of(winning_,
                             [this](int turns) { return turns >= settings_.decided_turns; });
}

/// How a full search begins its simulations; empty: by PUCT.
engine::RootRule SelfPlayer::root_rule(int simulations) {
  if (settings_.gumbel_moves > 0) {
    return SequentialHalving(settings_.gumbel_moves, simulations, settings_.gumbel_scale,
                             games::Random(random_.next()));
  }
  return settings_.forced_playouts > 0 ? forced_playouts(settings_.forced_playouts)
                                       : engine::RootRule();
}

/// Whether a row needs the network's own values or policy.
bool SelfPlayer::needs_assessment() const {
  return settings_.gumbel_moves > 0 || settings_.policy_surprise > 0;
}

/// A weight for each of the report's moves: what the policy learns from a full search, and by which
/// the move is drawn. `raw` is what the network says of the position.
std::vector<double> SelfPlayer::target_of(const engine::Report& report,
                                          const engine::Assessment& raw) const {
  std::vector<engine::RootMove> moves;
  for (const engine::MoveReport& move : report.moves) {
    moves.push_back({move.visits, move.value, move.prior.value_or(0)});
  }
  if (settings_.gumbel_moves > 0) {
    const double value = raw.values[games::index(position_->to_move())];
    std::vector<double> target = improved_policy(moves, value, settings_.gumbel_scale);
    // Rows have whole numbers.
    const double largest = std::ranges::max(target);
    for (double& weight : target) weight = std::round(UINT16_MAX * weight / largest);
    return target;
  }
  if (settings_.forced_playouts > 0) {
    return without_forced(moves, settings_.forced_playouts,
                          {options_.c_puct, options_.virtual_samples ? 1 : 0});
  }
  return visits_of(report);
}

/// Adds the position as a row, without outcome and the other data that follow from the game's end.
void SelfPlayer::add_row(const engine::Report& report, const std::vector<double>& target,
                         double value) {
  Row row;
  row.planes = position_->planes();
  std::map<std::string, double> weights;
  for (std::size_t i = 0; i < target.size(); ++i) weights[report.moves[i].move] = target[i];
  std::vector<games::PolicyMove> moves;
  position_->policy_moves(moves);
  for (const auto& [move, parts] : moves) {
    const double weight = std::min<double>(weights[position_->text(move)], UINT16_MAX);
    row.moves.push_back({parts, static_cast<std::uint16_t>(weight)});
  }
  // The search tells only the sum of the other players' values.
  const int players = position_->players();
  row.root_value.assign(static_cast<std::size_t>(players),
                        static_cast<float>((1 - value) / (players - 1)));
  row.root_value[games::index(position_->to_move())] = static_cast<float>(value);
  row.ply = static_cast<std::uint16_t>(game_.plies);
  game_.rows.push_back(std::move(row));
}

double SelfPlayer::temperature() const {
  const double end = settings_.final_temperature;
  const int plies = game_.plies - opening_plies_;
  return end + (settings_.temperature - end) * std::exp2(-plies / settings_.temperature_half_life);
}

void SelfPlayer::move(const std::string& text) {
  position_->play(text);
  ++game_.plies;
  if (game_.plies > distinct_plies) return;
  for (const char c : text) {
    game_.opening = games::mix(game_.opening + static_cast<unsigned char>(c));
  }
}

/// Sets the data of all rows that follow from the game's end.
void SelfPlayer::note_end() {
  const games::Result result = position_->result();
  game_.is_draw = result.shared();
  if (settings_.policy_surprise > 0) weight_by_surprise();
  for (Row& row : game_.rows) {
    row.plies_left = static_cast<std::uint16_t>(game_.plies - row.ply);
    for (int colour = 0; colour < position_->players(); ++colour) {
      row.outcome.push_back(static_cast<float>(result.share(static_cast<games::Colour>(colour))));
    }
  }
}

/// Gives rows from which the policy has much to learn more of the game's weight.
void SelfPlayer::weight_by_surprise() {
  std::vector<double> weights;
  for (const Row& row : game_.rows) weights.push_back(row.weight);
  weights = surprise_weights(weights, surprises_, settings_.policy_surprise);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    game_.rows[i].weight = static_cast<float>(weights[i]);
  }
}

}  // namespace pitboss::clients
