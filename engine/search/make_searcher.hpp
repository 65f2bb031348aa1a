#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "engine/search/model_source.hpp"
#include "engine/search/search.hpp"
#include "engine/search/searcher.hpp"
#include "games/all_games.hpp"
#include "games/boxed_game.hpp"
#include "games/halves.hpp"

/// What makes the search of a game. CMake writes one source for each game, which includes this file
/// and instantiates `make_searcher` for the game's place in AllGames, and one for the searches by
/// half moves: the searches are compiled in parallel, and GCC inlines less in large units (with
/// three games in one, playouts take up to 1.19 times as long).
namespace pitboss::engine {

/// The search of a game whose moves have two halves: by whole moves or by half moves, as the option
/// `split_moves` has it when a search begins. A search that avoids moves is by whole ones.
class SplitSearch final : public Search {
 public:
  /// Makes a search by half moves, or by whole ones.
  using Make = std::function<std::unique_ptr<Search>(bool by_halves)>;

  explicit SplitSearch(Make make)
      : make_(std::move(make)), assessor_(make_(false)), search_(make_(false)) {}

  void begin(const games::AnyGame& position, int ply, const Options& options, const Limits& limits,
             Waker waker = {}) override {
    const bool by_halves = options.split_moves && limits.avoided.empty();
    if (by_halves == by_halves_) {
      search_->begin(position, ply, options, limits, std::move(waker));
      return;
    }
    std::shared_ptr<Search> next = make_(by_halves);
    next->begin(position, ply, options, limits, std::move(waker));
    {
      const std::scoped_lock lock(mutex_);
      search_.swap(next);
      by_halves_ = by_halves;
    }
    next->stop();  // the one before, which others may still help; it is freed without the lock
  }
  Progress run(std::chrono::microseconds slice) override { return search_->run(slice); }
  [[nodiscard]] bool has_steps() const override { return search_->has_steps(); }
  Progress step(LeafBatch& batch, Progress::TimePoint now) override {
    return search_->step(batch, now);
  }
  void run_next_with(Company& company) override { search_->run_next_with(company); }
  Progress help(std::chrono::microseconds slice) override { return now()->help(slice); }
  [[nodiscard]] int threads() const override { return search_->threads(); }
  void stop() noexcept override { now()->stop(); }
  void update(const Options& options) override { now()->update(options); }
  [[nodiscard]] std::vector<Assessment> evaluate_all(
      std::span<const games::AnyGame* const> positions, const Options& options,
      const std::stop_token& stop) const override {
    return assessor_->evaluate_all(positions, options, stop);
  }
  void forget() override { search_->forget(); }
  [[nodiscard]] games::Move best_move() const override { return search_->best_move(); }
  [[nodiscard]] std::optional<double> best_value() const override { return search_->best_value(); }
  [[nodiscard]] Report report(int continuations = 0) const override {
    return search_->report(continuations);
  }
  [[nodiscard]] std::optional<Report> report_below(
      std::span<const games::Move> path) const override {
    return search_->report_below(path);
  }
  [[nodiscard]] Effort effort() const override { return search_->effort(); }

 private:
  /// For `help`, `stop` and `update`, which any thread may call; who has it keeps it alive. Only
  /// `begin` replaces it, so that the thread that uses the search needs no lock.
  [[nodiscard]] std::shared_ptr<Search> now() const {
    const std::scoped_lock lock(mutex_);
    return search_;
  }

  Make make_;
  std::unique_ptr<Search> assessor_;  ///< by whole moves, as networks have them
  bool by_halves_ = false;
  mutable std::mutex mutex_;
  std::shared_ptr<Search> search_;
};

template <games::Game G>
[[nodiscard]] std::unique_ptr<Search> make_searcher_of(
    const G& start, const Models& models, const std::shared_ptr<MemorySource>& memory) {
  return std::make_unique<Searcher<G>>(start, std::make_shared<const ModelSource<G>>(models),
                                       memory);
}
// The searches by half moves, of every game that HasHalves.
extern template std::unique_ptr<Search> make_searcher_of(
    const games::Halved<games::Amazons>& start, const Models& models,
    const std::shared_ptr<MemorySource>& memory);

/// A search for `game` if its type is the one at `Place` in AllGames; else null. Declared in
/// engine/search/search.cpp, too, which includes no search.
template <int Place>
std::unique_ptr<Search> make_searcher(const games::AnyGame& game, const Models& models,
                                      const std::shared_ptr<MemorySource>& memory) {
  using G = games::AllGames::At<Place>;
  const auto* const boxed = dynamic_cast<const games::BoxedGame<G>*>(&game);
  if (!boxed) return nullptr;
  const G& start = boxed->game();
  if constexpr (games::HasHalves<G>) {
    return std::make_unique<SplitSearch>([start, models, memory](bool by_halves) {
      return by_halves ? make_searcher_of(games::Halved<G>(start), models, memory)
                       : make_searcher_of(start, models, memory);
    });
  } else {
    return make_searcher_of(start, models, memory);
  }
}

}  // namespace pitboss::engine
