#include "clients/referee/run_experiment.hpp"

#include <boost/asio/post.hpp>
#include <limits>
#include <optional>
#include <utility>

#include "clients/experiments/file_lock.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger_writer.hpp"
#include "clients/referee/referee.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// The run of an experiment: the games of its schedule, recorded in its ledger by a writer on a
/// thread of its own.
class Run final : public Referee {
 public:
  Run(const Experiment& experiment, const Conduct& conduct)
      : Referee(conduct, std::numeric_limits<std::size_t>::max()),
        experiment_(experiment),
        ledger_(conduct.ledger(), experiment),
        contents_(read_contents(ledger_, experiment)),
        schedule_(experiment, contents_.played) {
    contents_.played.clear();
    contents_.incidents.clear();
    drop_decided();
    ledger_.on_outage([this](const std::string& sentence) {  // on the writer's thread, too
      asio::post(io_, [this, sentence] { note(sentence); });
    });
  }

  RunEnd play();

 private:
  [[nodiscard]] const Match& match_of(GameTask task) const override {
    return experiment_.matches[task.match];
  }
  [[nodiscard]] const DeclaredPair& declared_in(GameTask task) const override {
    return examined_.declared[task.match];
  }
  [[nodiscard]] std::optional<GameTask> next_task() override;
  [[nodiscard]] bool has_more() const override { return schedule_.has_more(); }
  void begin_no_more() override { schedule_.begin_no_more(); }
  void for_each_left(const std::function<void(const Match&)>& use) const override {
    schedule_.for_each_left([&](int match) { use(experiment_.matches[match]); });
  }
  void again(GameTask task) override { schedule_.again(task); }
  void add(GameTask task, PlayedGame record) override;
  void record(Incident incident) override { writer_->note(std::move(incident)); }
  asio::awaitable<void> settle() override { return writer_->settle(); }
  void report() override { conduct_.on_progress(contents_.results); }

  asio::awaitable<void> write_round(PlayedRound round);
  void drop_decided();
  [[nodiscard]] LedgerContents reread() const;

  const Experiment& experiment_;
  std::optional<FileLock> folder_lock_;
  Ledger ledger_;
  LedgerContents contents_;  // once the schedule is made, the results alone
  Schedule schedule_;
  std::optional<LedgerWriter> writer_;
};

RunEnd Run::play() {
  const bool is_over = contents_.results.is_over();
  if (!is_over) {
    examine(experiment_);
    const std::string change =
        change_since(experiment_, ledger_.declarations(), examined_.declared);
    if (!change.empty()) {
      throw UserError(change + ": set the engine up as it was, or choose another --out");
    }
    for (const std::string& sentence : unequal_defaults(experiment_, examined_.declared)) {
      note(sentence);
    }
    limit_timed_games(experiment_);
  }
  if (conduct_.database) folder_lock_ = lock_folder(conduct_.folder);
  ledger_.open_for_writing();
  ledger_.transact([&] { ledger_.note(examined_.declared); });
  std::string why;
  try {
    writer_.emplace(io_.get_executor(), ledger_);
    if (!is_over) play_games(experiment_);
  } catch (const UserError& failure) {
    why = failure.what();
  }
  // What is not written is played again.
  if (!contents_.results.is_over()) ledger_.stop_waiting();
  writer_.reset();
  // Rounds may have been written that nobody was told of any more.
  LedgerContents contents = reread();
  using enum RunEnd::Kind;
  const auto kind = contents.results.is_over() ? complete : why.empty() ? interrupted : stopped;
  return {kind, why, std::move(contents)};
}

LedgerContents Run::reread() const {
  try {
    return reread_contents(ledger_, experiment_);
  } catch (const UserError& failure) {
    throw LedgerAway(failure.what());
  }
}

std::optional<GameTask> Run::next_task() {
  const auto fits = [&](int match) { return has_room(experiment_.matches[match]); };
  bool is_new = false;
  const auto task = schedule_.next(fits, is_new);
  if (is_new) writer_->claim(task->match, task->game / match_of(*task).round());
  return task;
}

void Run::add(GameTask task, PlayedGame record) {
  auto round = schedule_.add(task, std::move(record));
  if (round) start(write_round(std::move(*round)));
}

asio::awaitable<void> Run::write_round(PlayedRound round) {
  const bool is_written = co_await writer_->finish(round);
  if (!is_written) {
    throw UserError("another referee plays in " + text_of(conduct_.ledger()) +
                    ", too: stop one of them");
  }
  contents_.results.add(round.match, round.round, std::move(round.games));
  drop_decided();
  report();
}

void Run::drop_decided() {
  for (std::size_t match = 0; match < contents_.results.matches().size(); ++match) {
    if (contents_.results.matches()[match].is_over()) schedule_.drop(static_cast<int>(match));
  }
}

}  // namespace

Conduct conduct_of(const ExperimentFile& file) {
  Conduct conduct;
  conduct.folder = file.folder;
  conduct.concurrency = file.concurrency;
  for (const ServerCapacity& server : file.servers) {
    if (server.games > 0) conduct.capacities[text_of(server.location)] = server.games;
  }
  conduct.reconnect = file.reconnect;
  return conduct;
}

RunEnd run_experiment(const Experiment& experiment, const Conduct& conduct) {
  return Run(experiment, conduct).play();
}

}  // namespace pitboss::clients
