#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "engine/formulas.hpp"
#include "engine/options/options.hpp"
#include "engine/tree/exploration.hpp"
#include "games/game.hpp"

/// Quality-based Rewards for MCTS Simulations (Pepels, Tak, Lanctot, Winands): a win counts more
/// the better it is beside the other wins of the same colour in this search: the shorter
/// the simulation (Relative Bonus), the better its last position (Qualitative Bonus).
namespace pitboss::engine {

/// How many wins of a colour there must be before their bonuses differ; with fewer, the deviation
/// is a guess (the authors' program; the draft asks for a deviation above 0 alone).
inline constexpr std::uint32_t least_wins = 50;

/// The bonus of one quantity x, standardised among the simulations that one colour has won. The
/// root is taken when a value is added: nothing waits for it there, while the back-up waits for a
/// bonus.
class StandardisedBonus {
 public:
  /// The part of `span` that x earns compared with the values added so far, span / (1 + e^-(k
  /// lambda)): half of `span` while the values are too few or all alike. The bonus with the bound a
  /// (formulas.hpp, `quality_bonus`) is what x earns of 2a, less a.
  [[nodiscard]] double earned(double x, double span) const {
    return span / (1 + std::exp(scale_ * (mean_ - x)));
  }
  /// Adds a value to mean and deviation (Welford's update). `k` is negative where less is better.
  /// `by_draft`: from the second value on, by the deviation of a sample, sqrt(S / (n - 1)); else
  /// from `least_wins` values on, by that of a population, sqrt(S / n).
  void add(double x, double k, bool by_draft = false) {
    ++count_;
    const double share = sample_share(count_).share;
    const double off = x - mean_;
    mean_ += off * share;
    squares_ += off * (x - mean_);
    const double variance = by_draft ? squares_ / (count_ - 1.0) : squares_ * share;
    const bool is_enough = count_ >= (by_draft ? 2 : least_wins);
    scale_ = is_enough && variance > 0 ? k / std::sqrt(variance) : 0;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// The population's.
  [[nodiscard]] double deviation() const {
    return count_ == 0 ? 0 : std::sqrt(squares_ / static_cast<double>(count_));
  }

 private:
  std::uint32_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  ///< sum of the squared distances from the mean
  double scale_ = 0;    ///< k / deviation
};

/// The bound a = |Cov(Y, X) / Var(X)| for a quantity X and Y = X in the simulations that the root's
/// mover has won, else 0: how strongly a win depends on X (the authors' program of 2014).
class AdaptiveBound {
 public:
  /// In [0, 1]; `fixed` as long as there are too few values, or all are alike.
  [[nodiscard]] double value(double fixed) const;
  void add(double x, bool won);

 private:
  std::uint32_t count_ = 0;
  double mean_ = 0;      ///< of X
  double won_mean_ = 0;  ///< of Y
  double squares_ = 0;   ///< sum of the squared distances of X from its mean
  double products_ = 0;  ///< sum of the products of the distances of X and Y from theirs
};

/// Adds bonuses to the rewards of finished simulations. The statistics are those of one search (of
/// one thread of it). Rewards here are in [0, 1], half as wide as the paper's {-1, 0, 1}, and so is
/// a bonus: with the bound a, a win is worth 1 - a/2 to 1 + a/2, twice that with both bonuses. What
/// the winner gets is taken from the others in equal parts, so that the sum stays 1 with any number
/// of players. A draw, or a win shared, gets none and is not counted.
template <games::Game G>
class QualityRewards {
 public:
  /// Begins a search from a position after `ply` plies with `mover` to move.
  QualityRewards(int ply, games::Colour mover) : ply_(ply), mover_(mover) {}

  /// Takes over the options kr, kq, relative_bonus, qualitative_bonus, bonus_bound, bonus_adaptive
  /// and bonus_draft.
  void set(const Options& options) {
    length_.factor = -options.kr;  // shorter is better
    quality_.factor = options.kq;
    length_.is_on = options.relative_bonus;
    quality_.is_on = options.qualitative_bonus;
    bound_ = options.bonus_bound;
    adaptive_ = options.bonus_adaptive;
    by_draft_ = options.bonus_draft;
  }

  /// Adds the bonuses to `values`, those of `result`; `ending` is the finished position, of G or of
  /// Whole<G>, `plies` plies from the root. Bonuses depend on earlier simulations; this one is
  /// counted afterwards. Inlined, so that the compiler leaves out what a playout keeps up to date
  /// but no bonus reads (static values).
  template <class Ending>
  [[gnu::always_inline]] void add_to(games::Values<G>& values, const Ending& ending,
                                     games::Result result, int plies) {
    double quality = 0;
    if constexpr (games::HasQuality<G>) {
      if (quality_.is_on) quality = ending.quality();
    }
    shape(values, result, games::seats_of(ending), quality, plies);
  }

 private:
  struct Quantity {
    bool is_on = false;
    double factor = 0;
    std::array<StandardisedBonus, G::players> of_winner{};
    AdaptiveBound bound{};
  };

  void shape(games::Values<G>& values, games::Result result, int seats, double quality, int plies) {
    if (result.shared()) return;
    const int winner = games::index(result.winner());
    double win = 1;
    // The authors' program takes the plies of the whole game for the bound.
    if (length_.is_on) add_bonus(win, length_, winner, plies, ply_ + plies);
    if constexpr (games::HasQuality<G>) {
      if (quality_.is_on) add_bonus(win, quality_, winner, quality, quality);
    }
    const int others = G::players == 2 ? 1 : seats - 1;
    for (int c = 0; c < seats; ++c) values[c] = c == winner ? win : (1 - win) / others;
  }

  void add_bonus(double& win, Quantity& quantity, int winner, double x, double covariate) {
    StandardisedBonus& wins = quantity.of_winner[winner];
    double bound = bound_;
    if (adaptive_) {
      bound = quantity.bound.value(bound_);
      quantity.bound.add(covariate, winner == games::index(mover_));
    }
    // Subtracts first: 1 - a/2 is known before the bonus is.
    win -= bound / 2;
    win += wins.earned(x, bound);
    wins.add(x, quantity.factor, by_draft_);
  }

  int ply_;
  games::Colour mover_;
  Quantity length_;
  Quantity quality_;
  double bound_ = 0;
  bool adaptive_ = false;
  bool by_draft_ = false;
};

}  // namespace pitboss::engine
