#include "clients/experiments/statistics/ratings.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <cmath>
#include <stdexcept>

#include "clients/experiments/statistics/paired_comparisons.hpp"

namespace pitboss::clients {

namespace {

/// What one player has taken from another, the prior included.
struct Taken {
  double wins = 0.0;
  double draws = 0.0;
  double points = 0.0;
};

Taken taken(const Crosstable& table, int player, int opponent, double prior_draws) {
  const Tally& tally = table(player, opponent);
  Taken out{static_cast<double>(tally.wins), static_cast<double>(tally.draws), tally.points()};
  if (prior_draws == 0.0 || tally.games() == 0) return out;
  const double games = tally.games();
  const double prior =
      prior_draws * (games / table.total(player).games() + games / table.total(opponent).games());
  out.draws += prior;
  out.points += prior / 2;
  return out;
}

/// By player: which largest set of players it belongs to that have all taken points from each
/// other, directly or through others. In order of their first players.
std::vector<int> components_of(const Crosstable& table, double prior_draws) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(table.players());
  for (int i = 0; i < table.players(); ++i) {
    for (int j = 0; j < table.players(); ++j) {
      if (taken(table, i, j, prior_draws).points > 0.0) boost::add_edge(i, j, graph);
    }
  }
  std::vector<int> found(table.players());
  boost::strong_components(graph, boost::make_iterator_property_map(
                                      found.begin(), boost::get(boost::vertex_index, graph)));

  std::vector<int> names(found.size(), -1);
  int next = 0;
  for (int& component : found) {
    if (names[component] < 0) names[component] = next++;
    component = names[component];
  }
  return found;
}

RatingStatus status_of(const Crosstable& table, int player, bool is_alone) {
  const Tally total = table.total(player);
  if (!is_alone) return RatingStatus::rated;
  if (total.games() == 0) return RatingStatus::no_games;
  if (total.wins == total.games()) return RatingStatus::won_all;
  if (total.losses == total.games()) return RatingStatus::lost_all;
  return RatingStatus::separated;
}

void check(const RatingOptions& options) {
  constexpr double most = 10000.0;
  const auto is_sane = [](double value) { return value >= 0.0 && value <= most; };
  if (!is_sane(options.prior_draws)) {
    throw std::invalid_argument("the prior's draws must be between 0 and 10000");
  }
  if (!is_sane(options.draw_elo.value_or(0.0))) {
    throw std::invalid_argument("the draw parameter must be between 0 and 10000 Elo");
  }
}

/// The rated players' games within components.
PairedComparisons comparisons_of(const Crosstable& table, const RatingOptions& options,
                                 const std::vector<Rating>& ratings,
                                 const std::vector<int>& rated) {
  PairedComparisons out;
  out.players = static_cast<int>(rated.size());
  for (const int i : rated) {
    out.component.push_back(ratings[i].component);
    for (const int j : rated) {
      const bool counts = ratings[i].component == ratings[j].component;
      const Taken won = counts ? taken(table, i, j, options.prior_draws) : Taken{};
      if (options.model == RatingModel::bradley_terry) {
        out.wins.push_back(won.points);
      } else {
        out.wins.push_back(won.wins + won.draws);
        out.draws += won.draws / 2;  // each is seen from both sides
      }
    }
  }
  if (options.model == RatingModel::bradley_terry || (!options.draw_elo && out.draws == 0.0)) {
    out.draw = 0.0;
  } else if (options.draw_elo) {
    out.draw = *options.draw_elo / elo_scale;
  }
  if (out.draw == 0.0 && out.draws > 0.0) {
    throw std::invalid_argument("there are draws, so the draw parameter must be above 0");
  }
  return out;
}

/// Whether no win is left once the two wins that each draw counts as are subtracted.
bool are_all_draws(const PairedComparisons& comparisons) {
  double wins = 0.0;
  for (const double w : comparisons.wins) wins += w;
  return wins <= 2 * comparisons.draws * (1 + 1e-12);
}

}  // namespace

Ratings rate(const Crosstable& table, const RatingOptions& options) {
  check(options);
  Ratings out;
  std::vector<int> rated;
  const std::vector<int> components = components_of(table, options.prior_draws);
  for (int i = 0; i < table.players(); ++i) {
    const bool is_alone = std::ranges::count(components, components[i]) == 1;
    out.players.push_back({status_of(table, i, is_alone), 0.0, std::nullopt, components[i]});
    if (!is_alone) rated.push_back(i);
    out.components = std::max(out.components, components[i] + 1);
  }
  if (options.model == RatingModel::rao_kupper) out.draw_elo = options.draw_elo;
  if (rated.empty()) return out;

  const PairedComparisons comparisons = comparisons_of(table, options, out.players, rated);
  // All games were drawn: the likelihood is highest at an infinite draw parameter.
  if (!comparisons.draw && are_all_draws(comparisons)) return out;
  const PairedFit fit = maximise(comparisons);
  if (options.model == RatingModel::rao_kupper) out.draw_elo = fit.draw * elo_scale;
  out.log_likelihood = fit.log_likelihood;
  const std::size_t n = table.players();
  out.covariances.assign(n * n, 0.0);
  for (std::size_t a = 0; a < rated.size(); ++a) {
    for (std::size_t b = 0; b < rated.size(); ++b) {
      out.covariances[rated[a] * n + rated[b]] =
          fit.covariances[a * rated.size() + b] * elo_scale * elo_scale;
    }
    Rating& rating = out.players[rated[a]];
    rating.elo = fit.ratings[a] * elo_scale;
    rating.error = exact_normal_95 * std::sqrt(out.covariances[rated[a] * (n + 1)]);
  }
  return out;
}

std::optional<double> Ratings::difference(int player, int other) const {
  const Rating& first = players[player];
  const Rating& second = players[other];
  if (first.component != second.component) return std::nullopt;
  return first.elo - second.elo;
}

std::optional<double> Ratings::difference_error(int player, int other) const {
  return contrast({{player, 1}, {other, -1}}).error();
}

EloEstimate Ratings::contrast(const std::vector<std::pair<int, double>>& weights) const {
  if (weights.empty() || covariances.empty()) return {};
  double elo = 0;
  double variance = 0;
  for (const auto& [i, weight] : weights) {
    if (players[i].component != players[weights.front().first].component) return {};
    elo += weight * players[i].elo;
    for (const auto& [j, other] : weights) {
      variance += weight * other * covariances[i * players.size() + j];
    }
  }
  const double error = exact_normal_95 * std::sqrt(std::max(0.0, variance));
  return {elo, elo - error, elo + error};
}

std::optional<double> Ratings::superiority(int player, int other) const {
  if (player == other) return 0.5;
  const std::optional<double> error = difference_error(player, other);
  if (!error) return std::nullopt;
  return probability_positive(*difference(player, other), *error / exact_normal_95);
}

}  // namespace pitboss::clients
