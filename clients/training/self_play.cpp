#include "clients/training/self_play.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "clients/experiments/derived_seed.hpp"
#include "clients/experiments/file_lock.hpp"
#include "clients/results/record_files.hpp"
#include "clients/training/as_user_error.hpp"
#include "clients/training/rows.hpp"
#include "clients/training/self_play_game.hpp"
#include "engine/leaf/network/leaf_batch.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
using environment::AwakeClock;
using std::chrono::milliseconds;

/// Games that one thread plays at once, so that the network evaluates their leaves together. More
/// were no faster.
constexpr int games_at_once = 16;

/// A file of games that a thread plays; no other plays it while it is locked.
struct FileInPlay {
  fs::path path;
  fs::path lock_path;
  FileLock lock;
  int first;  ///< number of its first game
  std::vector<std::optional<SelfPlayGame>>
      games{};  ///< by number from `first` on; those that are over
  int begun = 0;
  int over = 0;

  [[nodiscard]] bool has_next() const { return begun < std::ssize(games); }
  [[nodiscard]] bool is_over() const { return over == std::ssize(games); }
};

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
      GamesInPlay(*this).play();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  [[nodiscard]] bool is_over() {
    const std::scoped_lock lock(mutex_);
    return stop_ || failure_;
  }

  /// The games of one thread.
  class GamesInPlay {
   public:
    explicit GamesInPlay(Shift& shift) : shift_(shift) {
      const int count = shift.networks_->service() ? 1 : games_at_once;
      for (int i = 0; i < count; ++i) seats_.push_back({shift.new_player()});
    }

    /// Plays until somebody has played or is playing each file.
    void play() {
      for (;;) {
        fill_seats();
        if (files_.empty() || shift_.is_over()) return;
        for (Seat& seat : seats_) {
          if (seat.file == nullptr) continue;
          if (auto game = seat.player->step(batch_)) end(seat, std::move(*game));
        }
        batch_.evaluate();
      }
    }

   private:
    struct Seat {
      std::unique_ptr<SelfPlayer> player;
      FileInPlay* file = nullptr;  ///< null: the player has no game
      std::size_t game = 0;        ///< in the file
    };

    void fill_seats() {
      if (2 * std::ranges::count(seats_, nullptr, &Seat::file) >= std::ssize(seats_)) open_file();
      for (Seat& seat : seats_) {
        if (seat.file != nullptr) continue;
        const auto file = std::ranges::find_if(files_, &FileInPlay::has_next);
        if (file == files_.end()) return;
        seat.file = &*file;
        seat.game = static_cast<std::size_t>(file->begun++);
        seat.player->begin(shift_.seed_of(file->first + static_cast<int>(seat.game)));
      }
    }
    /// Opens one more file, if there is one; half of the seats are free, so that other threads get
    /// files, too.
    void open_file() {
      if (std::ranges::any_of(files_, &FileInPlay::has_next)) return;
      while (next_ < shift_.played_.of) {
        auto opened = shift_.open_file(std::exchange(next_, next_ + shift_.step()));
        if (!opened) continue;
        files_.push_back(std::move(*opened));
        return;
      }
    }
    void end(Seat& seat, SelfPlayGame game) {
      FileInPlay& file = *std::exchange(seat.file, nullptr);
      shift_.count(game);
      file.games[seat.game] = std::move(game);
      ++file.over;
      if (!file.is_over()) return;
      const auto now = AwakeClock::now();
      shift_.write(file, now - std::exchange(noted_, now));
      files_.remove_if([](const FileInPlay& played) { return played.is_over(); });
    }

    Shift& shift_;
    std::list<FileInPlay> files_;
    int next_ = 0;  ///< first game of the next file
    std::vector<Seat> seats_;
    engine::LeafBatch batch_;
    AwakeClock::time_point noted_ = AwakeClock::now();  ///< what has passed is told in files
  };

  [[nodiscard]] std::unique_ptr<SelfPlayer> new_player() const {
    return std::make_unique<SelfPlayer>(*start_, networks_, generation_text(generation_ - 1),
                                        run_.settings().self_play,
                                        stage_of(run_.settings(), generation_));
  }

  /// The file with that first game; nothing if somebody else plays or has played it.
  [[nodiscard]] std::optional<FileInPlay> open_file(int first) const {
    fs::path file = run_.rows_file(generation_, first);
    if (fs::exists(file)) return std::nullopt;
    fs::path lock_file = file;
    lock_file.replace_extension(".lock");
    auto lock = try_lock(lock_file);
    if (!lock) return std::nullopt;
    if (fs::exists(file)) {
      fs::remove(lock_file);
      return std::nullopt;
    }
    FileInPlay opened{std::move(file), std::move(lock_file), std::move(*lock), first};
    opened.games.resize(static_cast<std::size_t>(std::min(step(), played_.of - first)));
    return opened;
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

  void write(FileInPlay& file, AwakeClock::duration taken) const {
    std::vector<Row> rows;
    std::int64_t plies = 0;
    std::int64_t simulations = 0;
    int draws = 0;
    std::string openings;
    std::int64_t remote = 0;
    int number = file.first;
    for (std::optional<SelfPlayGame>& game : file.games) {
      for (Row& row : game->rows) {
        row.game = static_cast<std::uint32_t>(number);
        rows.push_back(std::move(row));
      }
      ++number;
      plies += game->plies;
      simulations += game->simulations;
      draws += game->is_draw ? 1 : 0;
      openings += (openings.empty() ? "" : " ") + std::to_string(game->opening);
      remote += game->remote;
    }
    Metadata metadata = metadata_of(file.first, static_cast<int>(file.games.size()));
    metadata["plies"] = std::to_string(plies);
    metadata["simulations"] = std::to_string(simulations);
    metadata["remote_evaluations"] = std::to_string(remote);
    metadata["draws"] = std::to_string(draws);
    metadata["openings"] = openings;
    metadata["seconds"] = std::to_string(std::chrono::duration<double>(taken).count());
    replace_file(file.path, row_file_bytes(metadata, rows));
    fs::remove(file.lock_path);  // the next holder of the lock finds the rows
  }

  void count(const SelfPlayGame& game) {
    const std::scoped_lock lock(mutex_);
    ++played_.games;
    played_.evaluations += game.evaluations;
    played_.remote += game.remote;
  }

  [[nodiscard]] std::uint64_t seed_of(int game) const {
    return derived_seed(run_.settings().seed,
                        use_self_play + static_cast<std::uint64_t>(generation_),
                        static_cast<std::uint64_t>(game));
  }

  [[nodiscard]] int step() const { return run_.settings().self_play.games_per_file; }

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
