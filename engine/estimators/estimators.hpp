#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/estimators/all_estimators.hpp"
#include "engine/estimators/combination.hpp"
#include "engine/estimators/context_table.hpp"
#include "engine/estimators/trail.hpp"
#include "engine/tree/tree.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// Memory and contents of one estimator's table.
struct TableUsage {
  Estimator estimator;
  std::size_t bytes;
  std::size_t entries;
  std::int64_t evictions;
};

/// ME-MCTS (Baier, Kaisers, IJCAI 2021): every move of a simulation, in the tree and in the
/// playout, is the one with the highest combined bound of the estimators in use. `history` reads
/// the tree's statistics; each abstractor has a table of means by context and move, and every move
/// of every simulation is added to it. One thread at a time.
template <games::Game G>
class Estimators {
 public:
  Estimators();

  /// Begins a search and decides which tables `make_room` will empty: those whose
  /// contexts begin at the root; the others, too, unless `keep_estimates` is on and they
  /// still fit the options. May throw std::bad_alloc; then `begin` may be called again.
  void begin(const Options& options);
  /// Has the next search begin with empty tables; their memory stays.
  void forget() {
    for (Part& part : parts_) part.to_empty = true;
  }
  /// Must be called before the first simulation: allocates the tables and empties those that
  /// `begin` has marked. Not part of `begin`, which must be quick, since the thread that serves all
  /// sessions calls it. May throw std::bad_alloc.
  void make_room();
  /// Takes over the live options. A change of the estimators or of the range of rewards empties the
  /// tables. May throw std::bad_alloc.
  void set(const Options& options);

  /// Begins the search's t-th simulation, at the root or after the moves marked by `begin_here`.
  void start(std::int64_t t);
  /// Begins a walk from the root, in the search's t-th simulation; `follow` adds its moves.
  void begin_at_root(std::int64_t t);
  /// Has later simulations begin after the moves followed since `begin_at_root`.
  void begin_here() { above_ = now_.played.size(); }

  /// The index of the move to play, a random one of the best; -1 if all moves are closed. `block`
  /// has the tree's statistics of the moves; null outside the tree.
  [[nodiscard]] int choose(const G& position, std::span<const games::Move> moves, MoveBlock* block,
                           games::Random& random);
  /// Decides which tables `choose` reads for the next move outside the tree. False if it reads
  /// none: then all moves are equal, and any legal move may be followed without `choose`.
  [[nodiscard]] bool any_to_ask(const G& position) { return ask(position.to_move(), false); }
  /// For a move that something else chooses: `choose` would read no table.
  void ask_none() {
    for (Part& part : parts_) part.asked = false;
  }
  /// Plays a move of the position that `choose`, `any_to_ask` or `ask_none` was last called for.
  /// `chosen` is its index among the moves; it is not read if no table was to be asked.
  void follow(const G& position, games::Move move, int chosen, bool in_tree);
  /// Swaps the current simulation's moves with `other`, for simulations in flight, so that `learn`
  /// adds the moves of the one whose result has come. A trace is void once the estimators have
  /// changed.
  void exchange(EstimatorTrace& other) { std::swap(now_, other); }
  /// Adds the current simulation's rewards to every table, for all its moves.
  void learn(const games::Values<G>& values);

  /// The number of moves of the simulation so far, from the root of the search.
  [[nodiscard]] std::int64_t plies() const { return static_cast<std::int64_t>(now_.played.size()); }

  /// The samples in an abstractor's table; reads the whole table.
  [[nodiscard]] double samples(Estimator kind) const;

  void tell_usage(std::vector<TableUsage>& list) const;

 private:
  struct Part {
    Estimator kind;
    const EstimatorRow& row;
    std::unique_ptr<Abstractor<G>> abstractor;
    ContextTable table;
    std::vector<std::uint64_t> keys;  ///< of the last position's moves
    bool asked;                       ///< whether `choose` reads the table for the next move
    bool to_empty;                    ///< whether `make_room` empties the table
    /// By mover, if contexts nest: whether the mover's last move in this simulation was new. Then
    /// longer sequences of its moves are new, too, or the beginning of a known one was evicted.
    std::array<bool, G::players> beyond_known;
  };
  struct alignas(64) Line {
    float value[16];
  };
  using Column = std::vector<Line>;

  /// An estimator's constants in the bound: b^2 and 8 c^2.
  struct Factors {
    float bias_squared;
    float width_squared;
  };

  void take(const Options& options);
  void set_time(std::int64_t t) { log_t_ = static_cast<float>(std::log(static_cast<double>(t))); }
  [[nodiscard]] std::vector<Part> make_parts(EstimatorSet estimators) const;
  void rewind();
  bool ask(games::Colour mover, bool in_tree);
  void look_up(const G& position, std::span<const games::Move> moves);
  void read_history(MoveBlock& block);
  [[nodiscard]] float obey_tree(MoveBlock& block, float highest);
  [[nodiscard]] int pick(int count, float highest, games::Random& random) const;
  void learn_all_later(Part& part, const games::Values<G>& rewards);
  [[nodiscard]] static float* data(Column& column) { return column.front().value; }

  Options options_;
  std::array<Factors, AllEstimators::count> factors_{};
  std::vector<Part> parts_;
  EstimatorTrace now_;     ///< the simulation under way
  std::size_t above_ = 0;  ///< how many moves of `now_` lead to where simulations begin
  float log_t_ = 0;
  double low_ = 0;    ///< the least possible reward
  double scale_ = 1;  ///< 1 / (largest - least)
  std::vector<Column> means_;
  std::vector<Column> counts_;
  Column bounds_;
};

template <games::Game G>
Estimators<G>::Estimators() {
  constexpr std::size_t lines = (G::max_moves + MoveBlock::padding) / 16 + 1;
  means_.assign(AllEstimators::count, Column(lines));
  counts_.assign(AllEstimators::count, Column(lines));
  bounds_.resize(lines);
  now_.played.reserve(G::max_plies);
  now_.keys.reserve(G::max_plies * AllEstimators::count);
}

template <games::Game G>
void Estimators<G>::begin(const Options& options) {
  const bool same = !parts_.empty() && options.estimators == options_.estimators &&
                    options.estimators_mb == options_.estimators_mb &&
                    options.evaluation == options_.evaluation &&
                    reward_excess(options) == reward_excess(options_);
  if (!same) parts_ = make_parts(options.estimators);
  for (Part& part : parts_) {
    part.to_empty |= !options.keep_estimates || part.row.begins_at_root;
  }
  take(options);
  low_ = -reward_excess(options);
  scale_ = 1 / (1 - 2 * low_);
  begin_at_root(1);
}

template <games::Game G>
void Estimators<G>::make_room() {
  const auto bytes = static_cast<std::size_t>(options_.estimators_mb) * 1024 * 1024;
  for (Part& part : parts_) {
    if (part.to_empty) part.table.reset(bytes / parts_.size());
    part.to_empty = false;
  }
}

template <games::Game G>
auto Estimators<G>::make_parts(EstimatorSet estimators) const -> std::vector<Part> {
  std::vector<Part> parts;
  for (int i = 0; i < AllEstimators::count; ++i) {
    const auto kind = static_cast<Estimator>(i);
    auto abstractor = estimators.has(kind) ? make_abstractor<G>(kind) : nullptr;
    if (!abstractor) continue;
    parts.push_back({kind,
                     AllEstimators::rows[i],
                     std::move(abstractor),
                     {},
                     std::vector<std::uint64_t>(G::max_moves),
                     false,
                     true,
                     {}});
  }
  return parts;
}

template <games::Game G>
void Estimators<G>::set(const Options& options) {
  if (options.estimators != options_.estimators ||
      reward_excess(options) != reward_excess(options_)) {
    begin(options);
    make_room();
  }
  take(options);
}

template <games::Game G>
void Estimators<G>::take(const Options& options) {
  options_ = options;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const EstimatorRow& row = AllEstimators::rows[i];
    const double b = row.bias_of(options);
    const double c = options.*row.exploration;
    factors_[i] = {static_cast<float>(b * b), static_cast<float>(8 * c * c)};
  }
}

template <games::Game G>
void Estimators<G>::start(std::int64_t t) {
  set_time(t);
  rewind();
}

/// Forgets the moves after those marked by `begin_here`.
template <games::Game G>
void Estimators<G>::rewind() {
  now_.played.resize(above_);
  now_.keys.resize(above_ * parts_.size());
  now_.trail = {};
  for (Part& part : parts_) part.beyond_known = {};
  for (const auto& move : now_.played) now_.trail.follow(move.action, move.mover);
}

template <games::Game G>
void Estimators<G>::begin_at_root(std::int64_t t) {
  set_time(t);
  above_ = 0;
  rewind();
}

template <games::Game G>
void Estimators<G>::follow(const G& position, games::Move move, int chosen, bool in_tree) {
  const games::Colour mover = position.to_move();
  const std::uint64_t action = action_of(move, mover);
  for (Part& part : parts_) {
    std::uint64_t key = 0;
    if (part.asked) {
      key = part.keys[static_cast<std::size_t>(chosen)];
    } else {
      part.abstractor->contexts(position, now_.trail, std::span(&move, 1), &key);
      key = key_of(key, action);
      part.table.prefetch(key);
    }
    // If a sequence of own moves is new, every longer one is.
    if (part.row.nests && part.asked) {
      part.beyond_known[games::index(mover)] = part.table.of(key).count == 0;
    }
    now_.keys.push_back(key);
  }
  now_.played.push_back({mover, action, now_.trail.all, in_tree});
  now_.trail.follow(action, mover);
}

template <games::Game G>
void Estimators<G>::learn(const games::Values<G>& values) {
  games::Values<G> rewards;
  for (int c = 0; c < G::players; ++c) {
    rewards[c] = std::clamp((values[c] - low_) * scale_, 0.0, 1.0);
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (parts_[p].row.counts_all_later) {
      learn_all_later(parts_[p], rewards);
      continue;
    }
    const std::uint64_t* key = now_.keys.data() + p;
    for (const auto& move : now_.played) {
      parts_[p].table.add(*key, rewards[games::index(move.mover)]);
      key += parts_.size();
    }
  }
}

/// RAVE: a move counts at all earlier positions of the tree in which its player was to move.
template <games::Game G>
void Estimators<G>::learn_all_later(Part& part, const games::Values<G>& rewards) {
  for (std::size_t i = 0; i < now_.played.size() && now_.played[i].in_tree; ++i) {
    for (std::size_t j = i; j < now_.played.size(); ++j) {
      if (now_.played[j].mover != now_.played[i].mover) continue;
      part.table.add(key_of(now_.played[i].history, now_.played[j].action),
                     rewards[games::index(now_.played[j].mover)]);
    }
  }
}

template <games::Game G>
double Estimators<G>::samples(Estimator kind) const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.kind == kind ? part.table.samples() : 0;
  return sum;
}

template <games::Game G>
void Estimators<G>::tell_usage(std::vector<TableUsage>& list) const {
  list.clear();
  for (const Part& part : parts_) {
    list.push_back({part.kind, part.table.bytes(), part.table.entries(), part.table.evictions()});
  }
}

}  // namespace pitboss::engine

#include "engine/estimators/estimators_choice.hpp"  // the members of Estimators that choose
