#include "clients/training/self_play.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

#include "clients/experiments/derived_seed.hpp"
#include "clients/experiments/file_lock.hpp"
#include "clients/results/record_files.hpp"
#include "clients/training/as_user_error.hpp"
#include "clients/training/rows.hpp"
#include "clients/training/self_play_game.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
using environment::AwakeClock;
using std::chrono::milliseconds;

/// The state that a process's threads share while they play a generation.
class Shift {
 public:
  Shift(const RunFolder& run, int generation, const Resources& resources,
        const std::atomic<bool>& stop)
      : run_(run),
        generation_(generation),
        stop_(stop),
        start_(run.start()),
        networks_(std::make_shared<engine::Networks>(
            run.networks(), static_cast<std::size_t>(run.settings().self_play.cache_mb) << 20)),
        network_(networks_->get(generation_text(generation - 1))) {
    networks_->evaluate_on(resources.evaluators);
    played_.of = games_of(run.settings(), generation);
  }

  /// Plays files on `threads` threads until somebody has played or is playing each file.
  void work_together(int threads, const std::function<void(const Played&)>& on_progress) {
    std::atomic<int> working = threads;
    std::vector<std::jthread> team;
    for (int i = 0; i < threads; ++i) {
      team.emplace_back([&] {
        work();
        --working;
      });
    }
    auto last = AwakeClock::now();
    while (working > 0) {
      std::this_thread::sleep_for(milliseconds(20));
      if (AwakeClock::now() - last < std::chrono::seconds(1)) continue;
      last = AwakeClock::now();
      on_progress(played());
    }
  }

  [[nodiscard]] Played played() {
    const std::scoped_lock lock(mutex_);
    return played_;
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    try {
      SelfPlayer player(*start_, networks_, generation_text(generation_ - 1),
                        run_.settings().self_play, stage_of(run_.settings(), generation_));
      const int step = run_.settings().self_play.games_per_file;
      for (int first = 0; first < played_.of && !is_over(); first += step) {
        play_file(player, first, std::min(step, played_.of - first));
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  [[nodiscard]] bool is_over() {
    const std::scoped_lock lock(mutex_);
    return stop_ || failure_;
  }

  void play_file(SelfPlayer& player, int first, int games) {
    const fs::path file = run_.rows_file(generation_, first);
    if (fs::exists(file)) return;
    fs::path lock_file = file;
    lock_file.replace_extension(".lock");
    const auto lock = try_lock(lock_file);
    if (!lock) return;
    if (!fs::exists(file)) {
      std::vector<Row> rows;
      Metadata metadata = metadata_of(first, games);
      if (!play_games(player, first, games, rows, metadata)) return;
      replace_file(file, row_file_bytes(metadata, rows));
    }
    fs::remove(lock_file);  // the next holder of the lock finds the rows
  }

  [[nodiscard]] Metadata metadata_of(int first, int games) const {
    return {{"format", "pitboss rows"},
            {"version", "1"},
            {"game", std::string(start_->name())},
            {"parameters", start_->parameters().line()},
            {"generation", std::to_string(generation_)},
            {"network", network_->sha256},
            {"first_game", std::to_string(first)},
            {"games", std::to_string(games)}};
  }

  [[nodiscard]] bool play_games(SelfPlayer& player, int first, int games, std::vector<Row>& rows,
                                Metadata& metadata) {
    const auto begin = AwakeClock::now();
    std::int64_t plies = 0;
    std::int64_t simulations = 0;
    int draws = 0;
    std::string openings;
    std::int64_t remote = 0;
    for (int number = first; number < first + games; ++number) {
      if (is_over()) return false;
      auto game = player.play(seed_of(number), stop_);
      if (!game) return false;
      for (Row& row : game->rows) {
        row.game = static_cast<std::uint32_t>(number);
        rows.push_back(std::move(row));
      }
      plies += game->plies;
      simulations += game->simulations;
      draws += game->is_draw ? 1 : 0;
      openings += (openings.empty() ? "" : " ") + std::to_string(game->opening);
      remote += game->remote;
      const std::scoped_lock lock(mutex_);
      ++played_.games;
      played_.evaluations += game->evaluations;
      played_.remote += game->remote;
    }
    const std::chrono::duration<double> seconds = AwakeClock::now() - begin;
    metadata["plies"] = std::to_string(plies);
    metadata["simulations"] = std::to_string(simulations);
    metadata["remote_evaluations"] = std::to_string(remote);
    metadata["draws"] = std::to_string(draws);
    metadata["openings"] = openings;
    metadata["seconds"] = std::to_string(seconds.count());
    return true;
  }

  [[nodiscard]] std::uint64_t seed_of(int game) const {
    return derived_seed(run_.settings().seed,
                        use_self_play + static_cast<std::uint64_t>(generation_),
                        static_cast<std::uint64_t>(game));
  }

  const RunFolder& run_;
  const int generation_;
  const std::atomic<bool>& stop_;
  const std::unique_ptr<games::AnyGame> start_;
  const std::shared_ptr<engine::Networks> networks_;
  const std::shared_ptr<const engine::LoadedNetwork> network_;
  std::mutex mutex_;
  Played played_;
  std::exception_ptr failure_;
};

/// Whether all files of a generation exist.
bool is_whole(const RunFolder& run, int generation) {
  const int step = run.settings().self_play.games_per_file;
  for (int first = 0; first < games_of(run.settings(), generation); first += step) {
    if (!fs::exists(run.rows_file(generation, first))) return false;
  }
  return true;
}

}  // namespace

bool play_generation(const RunFolder& run, int generation, const Resources& resources,
                     const std::atomic<bool>& stop,
                     const std::function<void(const Played&)>& on_progress) {
  fs::create_directories(run.rows(generation));
  if (is_whole(run, generation)) return true;
  const auto shift =
      as_user_error([&] { return std::make_unique<Shift>(run, generation, resources, stop); });
  for (;;) {
    shift->work_together(resources.threads, on_progress);
    on_progress(shift->played());
    as_user_error([&] { shift->rethrow(); });
    if (is_whole(run, generation)) return true;
    // Other processes play the remaining files, unless they die.
    for (int i = 0; i < 10 && !stop; ++i) std::this_thread::sleep_for(milliseconds(50));
    if (stop) return false;
  }
}

}  // namespace pitboss::clients
