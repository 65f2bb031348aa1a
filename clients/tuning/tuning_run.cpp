#include "clients/tuning/tuning_run.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/batch_writer.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/referee.hpp"
#include "clients/results/conclusions.hpp"
#include "clients/tuning/proposals.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// The games of a tuning, whose ledger has a match for each pair of players that is proposed. A
/// task's `match` counts the proposed rounds.
class TuningRun {
 public:
  TuningRun(const PlannedTuning& plan, const Conduct& conduct,
            const std::function<void(const TuningProgress&)>& on_progress)
      : conduct_(conduct),
        plan_(plan),
        on_progress_(on_progress),
        of_(predict(plan.space, plan.settings).games),
        tuning_(make_tuning(plan.space, plan.settings)),
        proposals_(*tuning_, lag_of(plan.space, plan.settings)),
        all_examined_(plan.examined()),
        experiment_(begin_of(plan, all_examined_)),
        referee_(conduct, 2 * static_cast<std::size_t>(conduct.concurrency),
                 {.next = [this] { return next(); },
                  .left = [this] { return left(); },
                  .done = [this](GameTask task, auto record) { done(task, std::move(record)); },
                  .note = [this](Incident incident) { note(std::move(incident)); },
                  .begin_no_more = [this] { is_closing_ = true; },
                  .report = [this] { report(); }}),
        ledger_(conduct.ledger(), experiment_) {}

  TuningEnd play(const std::function<void(std::int64_t)>& before_games);

 private:
  /// What a proposal has of a round of a match.
  struct Planned {
    Match match;
    std::int64_t proposal;
    std::size_t opponent;  ///< 0 in self-play
    /// The places in the proposal of each game, by its number in the match: an option with whole
    /// values may be proposed to be the same twice.
    std::map<int, std::vector<std::size_t>> places{};
    PlayedRound played;  ///< so far
    std::optional<std::chrono::steady_clock::time_point> since{};
  };
  struct Open {
    Outcome outcome;
    std::size_t left;
  };

  [[nodiscard]] Next next();
  [[nodiscard]] std::vector<const Match*> left() const;
  void done(GameTask task, std::optional<PlayedGame> record);
  void note(Incident incident);
  void report() { on_progress_({games_, of_, tuning_->recommended().front()}); }
  asio::awaitable<void> play_all();

  static Experiment begin_of(const PlannedTuning& plan, const Experiment& examined);
  asio::awaitable<void> write(int round);
  void declare();
  int number_of(const Match& match);
  void propose();
  void plan_rounds(const Proposals::Numbered& proposal);
  bool take_recorded(int round);
  [[noreturn]] void refuse_others() const;
  void count(int round);
  /// Why the games so far give no answer; empty if they do.
  [[nodiscard]] std::string no_result() const;
  std::optional<GameTask> take(std::deque<GameTask>& tasks);

  /// Whether further games would only break down.
  [[nodiscard]] bool is_broken() const {
    return std::ranges::any_of(breakdowns_, &Breakdowns::are_enough);
  }
  [[nodiscard]] const Match& match_of(GameTask task) const { return planned_.at(task.match).match; }

  const Conduct& conduct_;
  const PlannedTuning& plan_;
  const std::function<void(const TuningProgress&)>& on_progress_;
  std::int64_t of_;
  std::unique_ptr<Stages> tuning_;
  Proposals proposals_;
  const Experiment all_examined_;
  const Experiment experiment_;  // as the ledger begins
  Referee referee_;
  Ledger ledger_;
  std::optional<BatchWriter> writer_;
  std::vector<DeclaredPair> declared_;                   // by opponent
  std::vector<Breakdowns> breakdowns_;                   // by opponent
  std::map<std::string, int> numbers_;                   // in the ledger, by the matches' ids
  std::vector<std::pair<int, Match>> new_matches_;       // that the ledger does not know yet
  std::map<std::pair<int, int>, PlayedRound> recorded_;  // and not proposed again yet
  std::int64_t games_ = 0;                               // on record
  std::map<std::int64_t, Open> open_;                    // by proposal
  std::map<int, Planned> planned_;                       // rounds that are left, by task's match
  std::deque<GameTask> waiting_;
  std::deque<GameTask> again_;
  int next_ = 0;
  bool is_closing_ = false;
};

/// The player as it was stands for itself and its changes.
Experiment TuningRun::begin_of(const PlannedTuning& plan, const Experiment& examined) {
  Experiment begin = examined;
  begin.matches.resize(static_cast<std::size_t>(opponents_of(plan.settings.conditions)));
  begin.tuning = plan.configuration();
  return begin;
}

TuningEnd TuningRun::play(const std::function<void(std::int64_t)>& before_games) {
  referee_.examine(all_examined_);
  declare();
  Declarations declared = referee_.examined().declared;
  declared.resize(declared_.size());
  const std::string change = change_since(experiment_, ledger_.declarations(), declared);
  require(change.empty(), change + ": set the engine up as it was, or choose another --out");
  for (const Match& match : experiment_.matches) {
    number_of(match);
    breakdowns_.emplace_back(sides_of(match).players);
  }
  propose();
  if (games_ != ledger_.games()) refuse_others();
  ledger_.open_for_writing([&] {
    for (const auto& [number, match] : new_matches_) ledger_.add(number, match);
    ledger_.note(declared);
  });
  new_matches_.clear();
  before_games(games_);
  std::string why;
  writer_.emplace(referee_.executor(), [this](const auto& work) { ledger_.transact(work); });
  try {
    if (!proposals_.is_over() && !is_closing_) referee_.run(play_all());
  } catch (const UserError& failure) {
    why = failure.what();
  }
  writer_.reset();
  using enum RunEnd::Kind;
  // What would follow, such as a match of the answer, is left to the next run.
  const bool is_whole = proposals_.is_over() && !referee_.is_interrupted();
  const auto kind = is_whole ? complete : why.empty() ? interrupted : stopped;
  TuningEnd end{kind, why, {}, games_, tuning_->recommended().front(), {}};
  if (kind == complete || is_broken()) end.no_result = no_result();
  if (kind != complete) return end;
  end.remarks = tuning_->remarks();
  return end;
}

/// What the engines of a proposed game must be: the opponent as it was looked at, and the tuned
/// player's program, since its options differ from game to game.
void TuningRun::declare() {
  for (std::size_t i = 0; i < experiment_.matches.size(); ++i) {
    DeclaredPair pair = referee_.examined().declared[i];
    if (pair[0]) pair[0]->options.clear();
    if (plan_.is_self_play() && pair[1]) pair[1]->options.clear();
    declared_.push_back(std::move(pair));
  }
}

/// The number of a match in the ledger. The first time that it is asked for the match's rounds are
/// read, which are on record only if it was proposed before this run.
int TuningRun::number_of(const Match& match) {
  const auto [found, is_new] =
      numbers_.try_emplace(match_id(match), static_cast<int>(numbers_.size()));
  const int number = found->second;
  if (!is_new) return number;
  if (writer_) {
    writer_->add([this, number, match] {
      ledger_.add(number, match);
      return true;
    });
    return number;
  }
  for (PlayedRound& round : ledger_.played(match)) {
    recorded_.emplace(std::pair(number, round.round), std::move(round));
  }
  new_matches_.emplace_back(number, match);
  return number;
}

/// Takes all proposals that can be made now; counts the games on record, and plans the others.
void TuningRun::propose() {
  while (const auto proposal = proposals_.next()) {
    open_[proposal->number] = {Outcome(proposal->games.size()), proposal->games.size()};
    const int first = next_;
    plan_rounds(*proposal);
    for (int round = first; round < next_; ++round) {
      if (take_recorded(round)) continue;
      for (const auto& [game, places] : planned_.at(round).places)
        waiting_.push_back({round, game});
    }
  }
}

void TuningRun::plan_rounds(const Proposals::Numbered& proposal) {
  std::map<std::pair<int, int>, int> rounds;
  for (std::size_t i = 0; i < proposal.games.size(); ++i) {
    const ProposedGame& game = proposal.games[i];
    Match match = plan_.match_of(game);
    const int number = number_of(match);
    const int round = round_in_random_order(match.openings, match.seed, game.opening);
    const int played = round * match.round() + game.seating;
    const auto [found, is_new] = rounds.try_emplace({number, round}, next_);
    if (is_new) {
      const auto* const opponent = std::get_if<int>(&game.second);
      planned_.emplace(
          next_++,
          Planned{.match = std::move(match),
                  .proposal = proposal.number,
                  .opponent = static_cast<std::size_t>(opponent == nullptr ? 0 : *opponent),
                  .played = {.match = number, .round = round, .games = {}}});
    }
    planned_.at(found->second).places[played].push_back(i);
  }
}

/// Counts a round if it is on record.
bool TuningRun::take_recorded(int round) {
  Planned& planned = planned_.at(round);
  auto known = recorded_.extract({planned.played.match, planned.played.round});
  if (known.empty()) return false;
  planned.played.games = std::move(known.mapped().games);
  const bool are_these = std::ranges::equal(
      planned.played.games, planned.places, {},
      [](const PlayedGame& game) { return game.game - 1; },
      [](const auto& proposed) { return proposed.first; });
  if (!are_these) refuse_others();
  count(round);
  return true;
}

void TuningRun::refuse_others() const {
  throw UserError(conduct_.folder.string() +
                  " holds games that this tuning does not propose; choose another --out");
}

/// Tells the tuning what a round has made.
void TuningRun::count(int round) {
  const Planned planned = std::move(planned_.extract(round).mapped());
  const auto open = open_.find(planned.proposal);
  for (const PlayedGame& game : planned.played.games) {
    ++games_;
    breakdowns_[planned.opponent].add(game);
    for (const std::size_t place : planned.places.at(game.game - 1)) {
      open->second.outcome[place] = game.twelfths;
      --open->second.left;
    }
  }
  is_closing_ = is_closing_ || is_broken();
  if (open->second.left > 0) return;
  proposals_.add(planned.proposal, std::move(open->second.outcome));
  open_.erase(open);
}

std::string TuningRun::no_result() const {
  for (const Breakdowns& breakdowns : breakdowns_) {
    if (breakdowns.are_all()) return no_result_of(breakdowns);
  }
  return {};
}

std::optional<GameTask> TuningRun::take(std::deque<GameTask>& tasks) {
  const auto found = std::ranges::find_if(
      tasks, [&](const GameTask& task) { return referee_.has_room(match_of(task)); });
  if (found == tasks.end()) return std::nullopt;
  const GameTask task = *found;
  tasks.erase(found);
  return task;
}

Next TuningRun::next() {
  auto task = take(again_);
  if (!task && !is_closing_) task = take(waiting_);
  if (!task) return {.game = {}, .has_more = is_closing_ ? !again_.empty() : !proposals_.is_over()};
  Planned& planned = planned_.at(task->match);
  if (!planned.since) planned.since = std::chrono::steady_clock::now();
  return {.game = Assignment{*task, planned.match, declared_[planned.opponent]}};
}

std::vector<const Match*> TuningRun::left() const {
  std::vector<const Match*> matches;
  for (const auto* tasks : {&again_, &waiting_}) {
    for (const GameTask& task : *tasks) matches.push_back(&match_of(task));
  }
  return matches;
}

void TuningRun::done(GameTask task, std::optional<PlayedGame> record) {
  if (!record) return again_.push_back(task);
  Planned& planned = planned_.at(task.match);
  planned.played.games.push_back(std::move(*record));
  if (planned.played.games.size() == planned.places.size()) referee_.start(write(task.match));
}

void TuningRun::note(Incident incident) {
  incident.match = planned_.at(incident.match).played.match;
  writer_->add([this, what = std::move(incident)] {
    ledger_.note(what);
    return true;
  });
}

asio::awaitable<void> TuningRun::play_all() {
  co_await referee_.play_games(all_examined_);
  co_await writer_->settle();
}

asio::awaitable<void> TuningRun::write(int round) {
  PlayedRound& played = planned_.at(round).played;
  note_times(played, *planned_.at(round).since);
  std::ranges::sort(played.games, {}, &PlayedGame::game);
  // With a name, since GCC 12 destroys temporary closures in a co_await expression twice.
  BatchWriter::Write entry = [this, played] {
    const auto claim = ledger_.claim(played.match, played.round);
    return claim && ledger_.finish(*claim, played);
  };
  co_await writer_->finish(std::move(entry));
  count(round);
  propose();
  report();
  referee_.wake_loops();
}

}  // namespace

TuningEnd run_tuning(const PlannedTuning& plan, const Conduct& conduct,
                     const std::function<void(std::int64_t)>& before_games,
                     const std::function<void(const TuningProgress&)>& on_progress) {
  return TuningRun(plan, conduct, on_progress).play(before_games);
}

}  // namespace pitboss::clients
