#include "clients/referee/run_experiment.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "clients/experiments/file_lock.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger_writer.hpp"
#include "clients/referee/new_referee.hpp"
#include "clients/referee/referee.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// How often a referee that has nothing to play looks for rounds.
constexpr std::chrono::milliseconds look_again{1000};

bool wants_some(const std::vector<Request>& asked) {
  return std::ranges::any_of(asked, [](const Request& request) { return request.rounds > 0; });
}

/// The run of an experiment: the games of its schedule, recorded in its ledger by a writer on a
/// thread of its own.
class Run {
 public:
  /// The experiment is what the ledger plans, the part what is played.
  Run(const Experiment& part, const Experiment& experiment, const Conduct& conduct)
      : conduct_(conduct),
        experiment_(part),
        referee_(conduct, std::numeric_limits<std::size_t>::max(),
                 {.next = [this] { return next(); },
                  .left = [this] { return left(); },
                  .done = [this](GameTask task, auto record) { done(task, std::move(record)); },
                  .note = [this](Incident incident) { writer_->note(std::move(incident)); },
                  .begin_no_more = [this] { give_back(schedule_.begin_no_more()); },
                  .report = [this] { report(); }}),
        ledger_(conduct.ledger(), experiment),
        contents_(read_contents(ledger_, experiment_)),
        schedule_(experiment_, contents_.played) {
    contents_.played.clear();
    contents_.incidents.clear();
    drop_decided();
    ledger_.on_outage([this, here = std::this_thread::get_id()](const std::string& sentence) {
      if (std::this_thread::get_id() == here) return conduct_.on_note(sentence);
      asio::post(referee_.executor(),
                 [this, sentence] { conduct_.on_note(sentence); });  // on the writer's thread
    });
  }

  RunEnd play();

 private:
  [[nodiscard]] Next next();
  [[nodiscard]] std::vector<const Match*> left() const;
  void done(GameTask task, std::optional<PlayedGame> record);
  void give_back(std::vector<std::pair<int, int>> rounds);
  void report() { conduct_.on_progress(contents_.results); }
  asio::awaitable<void> play_all();

  [[nodiscard]] std::set<const Match*> finished() const;
  void expect_same_engines() const;
  void enter();
  void leave();
  [[nodiscard]] Supply supply() const;
  [[nodiscard]] std::vector<Request> requests();
  void give_up_hopeless();
  asio::awaitable<void> keep_supplied();
  asio::awaitable<std::vector<Request>> next_requests();
  void take(const News& news);
  asio::awaitable<void> write_round(PlayedRound round);
  void note_loss();
  void drop_decided();
  [[nodiscard]] LedgerContents reread() const;

  const Conduct& conduct_;
  const Experiment& experiment_;
  Referee referee_;
  std::optional<FileLock> folder_lock_;
  Ledger ledger_;
  LedgerContents contents_;  // once the schedule is made, the results alone
  Schedule schedule_;
  std::optional<LedgerWriter> writer_;

  asio::steady_timer supply_timer_{referee_.executor()};  ///< until the ledger is asked again
  bool may_ask_ = true;  ///< also before that time, for what is wanted
  int finished_ = 0;     ///< games, since the ledger has answered
  int ahead_ = 0;        ///< games that should be at hand while it is asked
  bool is_paused_ = false;
  bool is_ending_ = false;
  bool has_noted_loss_ = false;
};

RunEnd Run::play() {
  const bool is_over = contents_.results.is_over();
  if (!is_over) {
    referee_.examine(experiment_, finished());
    expect_same_engines();
    std::set<std::string> reasons;
    for (const auto& [match, why] : referee_.examined().unusable) reasons.insert(why);
    for (const std::string& why : reasons) {
      conduct_.on_note(why + "; its games are left to other referees");
    }
    for (const auto& sentence : unequal_defaults(experiment_, referee_.examined().declared)) {
      conduct_.on_note(sentence);
    }
  }
  if (conduct_.database) folder_lock_ = lock_folder(conduct_.folder);
  ledger_.open_for_writing([&] {
    if (!is_over) enter();
  });
  std::string why;
  try {
    writer_.emplace(referee_.executor(), ledger_);
    if (!is_over) {
      referee_.start(keep_supplied());
      referee_.run(play_all());
    }
  } catch (const UserError& failure) {
    why = failure.what();
  }
  // What is not written is played again.
  if (!contents_.results.is_over()) ledger_.stop_waiting();
  writer_.reset();
  if (!is_over) leave();
  // Rounds may have been written that nobody was told of any more. They count even in a match that
  // has been given up, where others finish what they play.
  const bool is_told =
      contents_.results.is_over() && !contents_.results.has_given_up() && !conduct_.wants_games;
  LedgerContents contents = is_told ? std::move(contents_) : reread();
  using enum RunEnd::Kind;
  const auto kind = contents.results.is_over() ? complete : why.empty() ? interrupted : stopped;
  return {kind, why, std::move(contents), referee_.is_interrupted()};
}

LedgerContents Run::reread() const {
  try {
    return reread_contents(ledger_, experiment_);
  } catch (const UserError& failure) {
    throw LedgerAway(failure.what());
  }
}

std::set<const Match*> Run::finished() const {
  std::set<const Match*> out;
  for (std::size_t m = 0; m < experiment_.matches.size(); ++m) {
    if (contents_.results.matches()[m].is_over()) out.insert(&experiment_.matches[m]);
  }
  return out;
}

/// Throws UserError if the engines are others than those of the games on record, or than those of
/// other referees that play now.
void Run::expect_same_engines() const {
  const std::string change =
      change_since(experiment_, ledger_.declarations(), referee_.examined().declared);
  require(change.empty(), change + ": set the engine up as it was, or " +
                              (conduct_.database ? "choose another name, --ledger URL#NAME"
                                                 : "choose another --out"));
}

void Run::enter() {
  ledger_.enter(new_referee(conduct_.folder, experiment_, referee_.examined()), conduct_.patience,
                [this] { expect_same_engines(); });
  ledger_.note(referee_.examined().declared);
}

/// What it cannot give back is free when the others have waited for its signs of life.
void Run::leave() {
  try {
    ledger_.transact([&] { ledger_.leave(); });
  } catch (const UserError&) {  // NOLINT(bugprone-empty-catch): see above
  }
}

asio::awaitable<void> Run::play_all() {
  co_await referee_.play_games(experiment_);
  is_ending_ = true;
  supply_timer_.cancel();
  co_await writer_->settle();
}

Next Run::next() {
  const auto task =
      schedule_.next([&](int match) { return referee_.has_room(experiment_.matches[match]); });
  const auto [idle, ahead] = supply();
  if (may_ask_ && schedule_.stock() < idle + ahead) supply_timer_.cancel();
  if (!task) return {.game = {}, .has_more = schedule_.has_more()};
  return {.game = Assignment{*task, experiment_.matches[task->match],
                             referee_.examined().declared[task->match]}};
}

std::vector<const Match*> Run::left() const {
  std::vector<const Match*> matches;
  schedule_.for_each_left([&](int match) { matches.push_back(&experiment_.matches[match]); });
  return matches;
}

void Run::give_back(std::vector<std::pair<int, int>> rounds) {
  if (!rounds.empty()) writer_->give_back(std::move(rounds));
}

void Run::done(GameTask task, std::optional<PlayedGame> record) {
  if (!record) return schedule_.again(task);
  ++finished_;
  auto round = schedule_.add(task, std::move(*record));
  if (!round) return;
  referee_.start(write_round(std::move(*round)));
  if (!schedule_.can_play()) writer_->hurry();
}

asio::awaitable<void> Run::write_round(PlayedRound round) {
  const bool is_written = co_await writer_->finish(round);
  if (is_written) {
    if (schedule_.learn(round.match, round.round)) {
      contents_.results.add(round.match, round.round, std::move(round.games));
    }
    drop_decided();
    report();
  } else {
    schedule_.lose(round.match, round.round);
    note_loss();
  }
  if (!schedule_.can_play()) referee_.wake_loops();
}

void Run::note_loss() {
  if (has_noted_loss_) return;
  has_noted_loss_ = true;
  conduct_.on_note(
      "other referees have taken over rounds of this one, which they had not seen for " +
      std::to_string(std::chrono::ceil<std::chrono::seconds>(conduct_.patience).count()) +
      " s; only theirs count (this is said once)");
}

/// For each loop that plays nothing, and for those that end while the ledger is asked.
Supply Run::supply() const {
  return {.idle = referee_.idle_loops(), .ahead = std::max(2 * finished_, ahead_) + 1};
}

std::vector<Request> Run::requests() {
  const auto match = [&](int number) -> const Match& { return experiment_.matches[number]; };
  return schedule_.requests([&](int number) { return referee_.room_for(match(number)); },
                            [&](int number) { return referee_.is_down(match(number)); }, supply());
}

/// Asks the ledger whenever it can have games that are short, and now and then for what the others
/// do. That the loop which plays does it is the referee's sign of life.
asio::awaitable<void> Run::keep_supplied() {
  while (!is_ending_) {
    const std::vector<Request> asked = co_await next_requests();
    if (is_ending_) break;
    const bool wants = wants_some(asked);
    if (wants && schedule_.stock() == 0) writer_->hurry();
    const News news = co_await writer_->ask(asked);
    may_ask_ = !wants || !news.claims.empty();
    constexpr int slowness = 8;  // a commit that takes long is followed by others
    ahead_ = std::max(2 * std::exchange(finished_, 0), ahead_ * (slowness - 1) / slowness);
    take(news);
  }
}

/// Leaves to other referees what this one has no server for. Not at once: a server that comes back
/// would cost half-played rounds.
void Run::give_up_hopeless() {
  if (!conduct_.database) return;  // there are no others
  for (std::size_t match = 0; match < experiment_.matches.size(); ++match) {
    const auto& [first, second] = experiment_.matches[match].players;
    if (!referee_.is_hopeless(experiment_.matches[match])) continue;
    auto rounds = schedule_.give_up(static_cast<int>(match));
    if (rounds.empty()) continue;
    conduct_.on_note("other referees may play " + std::to_string(rounds.size()) + " rounds of " +
                     first.name + " and " + second.name + " that were this one's");
    give_back(std::move(rounds));
  }
}

/// What to ask the ledger, as soon as there is something.
asio::awaitable<std::vector<Request>> Run::next_requests() {
  const auto answered = std::chrono::steady_clock::now();
  for (;;) {
    give_up_hopeless();
    std::vector<Request> asked = requests();
    if (may_ask_ && wants_some(asked)) co_return asked;
    const auto often = std::chrono::milliseconds(conduct_.patience / 6);
    const bool is_waiting = !may_ask_ || is_paused_ || schedule_.stock() == 0;
    supply_timer_.expires_at(answered + (is_waiting ? std::min(often, look_again) : often));
    boost::system::error_code early;
    co_await supply_timer_.async_wait(asio::redirect_error(asio::use_awaitable, early));
    if (is_ending_ || !early) co_return requests();
  }
}

void Run::take(const News& news) {
  if (news.is_paused != is_paused_) {
    is_paused_ = news.is_paused;
    schedule_.pause(is_paused_);
    conduct_.on_note(is_paused_ ? "the experiment is paused: finishing the rounds in play"
                                : "the experiment goes on");
  }
  for (const PlayedRound& round : news.finished) {
    if (schedule_.has(round.match, round.round)) note_loss();
    if (!schedule_.learn(round.match, round.round)) continue;
    contents_.results.add(round.match, round.round, round.games);
  }
  if (schedule_.hold(news.held)) note_loss();
  std::vector<std::pair<int, int>> too_late;
  for (const Claim& claim : news.claims) {
    if (!schedule_.grant(claim.match, claim.round)) too_late.emplace_back(claim.match, claim.round);
  }
  if (!is_ending_) give_back(std::move(too_late));
  drop_decided();
  if (!news.finished.empty()) report();
  referee_.wake_loops();
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
  return run_part(experiment, experiment, conduct);
}

RunEnd run_part(const Experiment& part, const Experiment& experiment, const Conduct& conduct) {
  return Run(part, experiment, conduct).play();
}

}  // namespace pitboss::clients
