#include "clients/tuning/tuning_run.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/batch_writer.hpp"
#include "clients/referee/ledger/tuning_ledger.hpp"
#include "clients/referee/referee.hpp"
#include "clients/tuning/proposals.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// The games of a tuning. A task's `match` counts the proposed games.
class TuningRun final : public Referee {
 public:
  TuningRun(const PlannedTuning& plan, const Conduct& conduct,
            const std::function<void(const TuningProgress&)>& on_progress)
      : Referee(conduct, 2 * static_cast<std::size_t>(conduct.concurrency)),
        plan_(plan),
        on_progress_(on_progress),
        of_(predict(plan.space, plan.settings).games),
        tuning_(make_tuning(plan.space, plan.settings)),
        proposals_(*tuning_, lag_of(plan.space, plan.settings)) {}

  TuningEnd play(const std::function<void(std::int64_t)>& before_games);

 private:
  struct Planned {
    ProposedNumber number;
    Match match;
    int game;  ///< number in the match
    std::string proposed;
    std::size_t opponent;  ///< 0 in self-play
  };
  struct Open {
    Outcome outcome;
    std::size_t left;
  };

  [[nodiscard]] const Match& match_of(GameTask task) const override {
    return planned_.at(task.match).match;
  }
  [[nodiscard]] const DeclaredPair& declared_in(GameTask task) const override {
    return declared_[planned_.at(task.match).opponent];
  }
  [[nodiscard]] std::optional<GameTask> next_task() override;
  [[nodiscard]] bool has_more() const override {
    return is_closing_ ? !again_.empty() : !proposals_.is_over();
  }
  void begin_no_more() override { is_closing_ = true; }
  void for_each_left(const std::function<void(const Match&)>& use) const override {
    for (const auto* tasks : {&again_, &waiting_}) {
      for (const GameTask& task : *tasks) use(match_of(task));
    }
  }
  void again(GameTask task) override { again_.push_back(task); }
  void add(GameTask task, PlayedGame record) override;
  void record(Incident incident) override {
    const ProposedNumber number = planned_.at(incident.match).number;
    incident.match = static_cast<int>(number.first);
    incident.game = number.second;
    writer_->add([this, what = std::move(incident)] {
      ledger_->note(what);
      return true;
    });
  }
  asio::awaitable<void> settle() override { return writer_->settle(); }
  void report() override { on_progress_({games_, of_, tuning_->recommended().front()}); }

  asio::awaitable<void> write(int match, PlayedGame record);
  void declare();
  void propose();
  void count(ProposedNumber number, int twelfths);
  std::optional<GameTask> take(std::deque<GameTask>& tasks);

  const PlannedTuning& plan_;
  const std::function<void(const TuningProgress&)>& on_progress_;
  std::int64_t of_;
  std::unique_ptr<Stages> tuning_;
  Proposals proposals_;
  std::optional<TuningLedger> ledger_;
  std::optional<BatchWriter> writer_;
  std::vector<DeclaredPair> declared_;            // by opponent
  std::map<ProposedNumber, TunedGame> recorded_;  // and not proposed again yet
  std::int64_t games_ = 0;                        // on record
  std::map<std::int64_t, Open> open_;             // by proposal
  std::map<int, Planned> planned_;                // games that are left, by task's match
  std::deque<GameTask> waiting_;
  std::deque<GameTask> again_;
  int next_ = 0;
  bool is_closing_ = false;
};

TuningEnd TuningRun::play(const std::function<void(std::int64_t)>& before_games) {
  check_tuning(conduct_.folder, plan_.configuration());
  const Experiment examined = plan_.examined();
  examine(examined);
  expect_one_machine(examined);
  limit_timed_games(examined);
  declare();
  // The player as it was stands for itself and its changes.
  Experiment begun = examined;
  begun.matches.resize(declared_.size());
  Declarations declared = examined_.declared;
  declared.resize(declared_.size());
  ledger_.emplace(conduct_.folder, plan_.configuration(), begun, declared);
  recorded_ = ledger_->games();
  games_ = std::ssize(recorded_);
  propose();
  before_games(games_);
  std::string why;
  writer_.emplace(io_.get_executor(), [this](const auto& work) { ledger_->transact(work); });
  try {
    if (!proposals_.is_over()) play_games(examined);
  } catch (const UserError& failure) {
    why = failure.what();
  }
  writer_.reset();
  using enum RunEnd::Kind;
  const auto kind = proposals_.is_over() ? complete : why.empty() ? interrupted : stopped;
  TuningEnd end{kind, why, games_, tuning_->recommended().front(), {}, nullptr};
  if (kind == complete) end.remarks = tuning_->remarks();
  end.tuning = std::move(tuning_);
  return end;
}

/// What the engines of a proposed game must be: the opponent as it was looked at, and the tuned
/// player's program, since its options differ from game to game.
void TuningRun::declare() {
  const auto opponents = static_cast<std::size_t>(std::max(plan_.settings.conditions.opponents, 1));
  for (std::size_t i = 0; i < opponents; ++i) {
    DeclaredPair pair = examined_.declared[i];
    if (pair[0]) pair[0]->options.clear();
    if (plan_.is_self_play() && pair[1]) pair[1]->options.clear();
    declared_.push_back(std::move(pair));
  }
}

/// Takes all proposals that can be made now; counts the games on record, and plans the others.
void TuningRun::propose() {
  while (const auto proposal = proposals_.next()) {
    const std::size_t size = proposal->games.size();
    open_[proposal->number] = {Outcome(size), size};
    for (std::size_t i = 0; i < size; ++i) {
      const ProposedGame& game = proposal->games[i];
      const ProposedNumber number(proposal->number, static_cast<int>(i));
      const auto* const opponent = std::get_if<int>(&game.second);
      Planned planned{number, plan_.match_of(game), 0, text_of(plan_.space, game.first),
                      opponent == nullptr ? 0 : static_cast<std::size_t>(*opponent)};
      const int round =
          round_in_random_order(planned.match.openings, planned.match.seed, game.opening);
      planned.game = round * planned.match.round() + game.seating;
      planned.proposed +=
          " against " + (opponent == nullptr ? text_of(plan_.space, std::get<Values>(game.second))
                                             : planned.match.players[1].name);
      planned.proposed += ", game " + std::to_string(planned.game);
      if (const auto known = recorded_.extract(number)) {
        if (known.mapped().options != planned.proposed) {
          throw UserError(conduct_.folder.string() + " holds another tuning: its proposal " +
                          std::to_string(number.first) + " is " + known.mapped().options +
                          ", and this one's is " + planned.proposed);
        }
        count(number, known.mapped().record.twelfths);
        continue;
      }
      waiting_.push_back({next_, planned.game});
      planned_.emplace(next_++, std::move(planned));
    }
  }
}

void TuningRun::count(ProposedNumber number, int twelfths) {
  const auto open = open_.find(number.first);
  open->second.outcome[number.second] = twelfths;
  if (--open->second.left > 0) return;
  proposals_.add(number.first, std::move(open->second.outcome));
  open_.erase(open);
}

std::optional<GameTask> TuningRun::take(std::deque<GameTask>& tasks) {
  const auto found =
      std::ranges::find_if(tasks, [&](const GameTask& task) { return has_room(match_of(task)); });
  if (found == tasks.end()) return std::nullopt;
  const GameTask task = *found;
  tasks.erase(found);
  return task;
}

std::optional<GameTask> TuningRun::next_task() {
  if (const auto task = take(again_)) return task;
  return is_closing_ ? std::nullopt : take(waiting_);
}

void TuningRun::add(GameTask task, PlayedGame record) {
  start(write(task.match, std::move(record)));
}

asio::awaitable<void> TuningRun::write(int match, PlayedGame record) {
  const ProposedNumber number = planned_.at(match).number;
  const int twelfths = record.twelfths;
  // With a name, since GCC 12 destroys temporary closures in a co_await expression twice.
  BatchWriter::Write entry = [this, number,
                              game = TunedGame{planned_.at(match).proposed, std::move(record)}] {
    ledger_->add(number, game);
    return true;
  };
  co_await writer_->finish(std::move(entry));
  planned_.erase(match);
  ++games_;
  count(number, twelfths);
  propose();
  report();
  wake_loops();
}

}  // namespace

TuningEnd run_tuning(const PlannedTuning& plan, const Conduct& conduct,
                     const std::function<void(std::int64_t)>& before_games,
                     const std::function<void(const TuningProgress&)>& on_progress) {
  return TuningRun(plan, conduct, on_progress).play(before_games);
}

}  // namespace pitboss::clients
