#include "server/session/session.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "protocol/limit.hpp"
#include "protocol/line.hpp"
#include "server/commands/commands.hpp"
#include "server/session/line_job.hpp"
#include "server/session/pondering.hpp"

namespace pitboss::server {

class Session::State {
 public:
  explicit State(const SessionConfig& config) {
    seat.table = std::make_shared<Table>(config);
    seat.tables = config.tables ? config.tables : std::make_shared<Tables>(TableLimits{});
    seat.config = config;
    seat.client = config.client;
  }

  Seat seat;
  bool has_moved = false;  ///< by the last command
  bool has_turn = false;   ///< at the table, for the command that takes time
  std::string id;          ///< of that command
  std::mutex job_mutex;    ///< `interrupt` may find the job while its end is being written
  std::unique_ptr<Job> job;
  std::atomic<bool> abandoned = false;
  std::unique_ptr<Job> next;         ///< goes on in place of the job, which is done
  bool interrupted = false;          ///< since the command has begun; guarded by `job_mutex`
  const Command* command = nullptr;  ///< that takes time
  std::function<void(protocol::Limit)> on_limit;

  /// A failure's sentence as the connection wants it.
  [[nodiscard]] std::string sentence(protocol::FailureCode code, std::string_view what) const {
    return (seat.tells_codes ? std::string(protocol::word_of(code)) + ": " : "") +
           std::string(what);
  }

  void set_job(std::unique_ptr<Job> other) {
    const std::scoped_lock lock(job_mutex);
    job.swap(other);
  }
  void interrupt() noexcept {
    const std::scoped_lock lock(job_mutex);
    interrupted = true;
    if (job) job->interrupt();
  }

  /// The command has the table, and this job is its work.
  void begin(const Command& its, std::unique_ptr<Job> work, std::string& out) {
    const bool yields = work->yields();
    if (work->streams()) out += "=" + id + " \n";
    set_job(std::move(work));
    seat.table->turn().take(its.name, yields ? [this] { interrupt(); } : std::function<void()>());
    has_turn = true;
  }
  /// The same; the job is to handle its line.
  void begin_line(const Command& its, std::string_view text) {
    set_job(std::make_unique<LineJob>(its, seat, std::string(text)));
    seat.table->turn().take_to_handle(its.name);
    has_turn = true;
    command = &its;
    const std::scoped_lock lock(job_mutex);
    interrupted = false;
  }
  /// The job that follows the one which is done.
  void begin_next(std::string& out) {
    begin(*command, std::move(next), out);
    const std::scoped_lock lock(job_mutex);
    if (interrupted) job->interrupt();
  }
};

namespace {

/// Runs `action`; what it throws because of the client is a failure: its code and its sentence.
template <class Action, class OnFailure>
void run_or_fail(const std::function<void(protocol::Limit)>& on_limit, Action&& action,
                 OnFailure&& on_failure) {
  try {
    action();
  } catch (const protocol::LimitError& error) {
    if (on_limit) on_limit(error.limit);
    on_failure(error.code(), error.what());
  } catch (const protocol::CommandError& error) {
    on_failure(error.code(), error.what());
  } catch (const games::BadGame& error) {
    on_failure(protocol::FailureCode::bad_argument, error.what());
  } catch (const engine::NoEvaluator& error) {
    on_failure(protocol::FailureCode::no_evaluator, error.what());
  } catch (const engine::Interrupted& error) {
    on_failure(protocol::FailureCode::interrupted, error.what());
  } catch (const engine::BadOption& error) {
    on_failure(protocol::FailureCode::unsupported, error.what());
  }
}

/// After so many a connection ends.
constexpr int most_wrong_tokens = 3;

/// Longer lines are not handled by the thread that handles those of all sessions.
constexpr std::size_t long_line = 1024;

/// Throws CommandError for a line that no other thread may handle and that is too long for this
/// one.
void check_length(const Command& command, std::string_view text) {
  constexpr std::size_t longest = 4 * long_line;
  if (command.needs == Needs::table || text.size() <= longest) return;
  throw protocol::LimitError(protocol::Limit::command_line,
                             "line too long for " + std::string(command.name) + " (limit " +
                                 std::to_string(longest) + " bytes)");
}

/// What the client may do by this command.
protocol::Right right_for(const Command& command, const Seat& seat) {
  if (command.needs == Needs::nothing) return seat.client.right;
  return std::min(seat.client.right, seat.table->ownership().right_of(seat.client));
}

/// Throws CommandError unless the client may use the command.
void check_right(const Command& command, const Seat& seat) {
  if (command.right <= right_for(command, seat)) return;
  if (seat.client.right == protocol::Right::nothing) {
    throw protocol::CommandError(protocol::FailureCode::needs_token,
                                 "this server asks for a token first: auth TOKEN");
  }
  const std::string needed =
      std::string(command.name) + " needs the right " + std::string(name_of(command.right));
  if (command.right > seat.client.right) {
    throw protocol::CommandError(protocol::FailureCode::needs_right,
                                 needed + "; the token " + seat.client.name + " has the right " +
                                     std::string(name_of(seat.client.right)));
  }
  throw protocol::CommandError(
      protocol::FailureCode::needs_right,
      needed + " at this table, which belongs to " + seat.table->ownership().owner);
}

/// Whether the line is for a thread that searches.
bool goes_elsewhere(const Command& command, std::string_view text) {
  return command.needs == Needs::table &&
         (command.handled == Handled::elsewhere || text.size() > long_line);
}

/// Whether the command has to wait for that of another session.
bool is_blocked(const Command& command, const Turn& turn) {
  return (command.needs == Needs::table && !turn.is_free()) ||
         (command.needs == Needs::options && turn.is_handled());
}

/// Throws CommandError if the command would end what another session does until it is asked
/// something, and the client may only watch. Pondering is no work that anybody waits for.
void check_asks(const Turn& turn, protocol::Right right) {
  if (!turn.yields() || Pondering::has(turn) || right >= protocol::Right::play) return;
  throw protocol::CommandError(protocol::FailureCode::busy,
                               "another session's " + std::string(turn.what()) +
                                   " has the table, and who watches does not end it");
}

}  // namespace

Session::Session(const SessionConfig& config) : state_(std::make_unique<State>(config)) {}
Session::~Session() = default;

void Session::leave() {
  state_->seat.table->turn().stop_waiting(this);
  state_->set_job(nullptr);
  end_work();
  state_->seat.dismiss_opponent();
  state_->seat.tables->leave(std::move(state_->seat.table), state_->seat.client);
}

void Session::on_limit(std::function<void(protocol::Limit)> call) {
  state_->on_limit = std::move(call);
}

Session::Status Session::handle(std::string_view line, std::string& out, bool may_wait) {
  State& state = *state_;
  state.seat.table->turn().stop_waiting(this);
  end_work();
  const std::string text = protocol::cleaned(line);
  if (text.empty()) return Status::ready;
  std::string id;
  Status status = Status::ready;
  run_or_fail(
      state_->on_limit,
      [&] {
        const protocol::ParsedLine parts = protocol::split(text, id);
        const Command& command = command_named(parts.name);
        check_right(command, state.seat);
        check_length(command, parts.text);
        Turn& turn = state.seat.table->turn();
        if (is_blocked(command, turn)) {
          if (!may_wait && !turn.yields()) {
            throw protocol::CommandError(
                protocol::FailureCode::interrupted,
                "interrupted: another session's " + std::string(turn.what()) + " has the table");
          }
          check_asks(turn, right_for(command, state.seat));
          turn.ask();
          status = Status::waiting;
          return;
        }
        if (command.blocks && state.seat.config.server != nullptr) {
          state.seat.config.server->check_room_for_search(state.seat.client);
        }
        state.has_moved = false;
        state.id = id;
        if (goes_elsewhere(command, parts.text)) {
          state.begin_line(command, parts.text);
          status = Status::working;
          return;
        }
        Outcome outcome = outcome_of(command, state.seat, parts.text);
        if (outcome.job) {
          state.begin(command, std::move(outcome.job), out);
          status = Status::working;
          return;
        }
        out += protocol::success(id, outcome.text);
        state.has_moved = outcome.plays;
        if (outcome.closes) status = Status::closed;
      },
      [&](protocol::FailureCode code, std::string_view what) {
        out += protocol::failure(id, state.sentence(code, what));
      });
  return state.seat.wrong_tokens < most_wrong_tokens ? status : Status::closed;
}

engine::Progress Session::work(std::chrono::microseconds slice, std::string& out, bool updates) {
  State& state = *state_;
  Job& job = *state.job;
  const bool streams = job.streams();
  const auto add_lines = [&out](std::string_view lines) {
    if (!lines.empty()) (out += lines) += '\n';
  };
  auto progress = engine::Progress::done;
  run_or_fail(
      state_->on_limit,
      [&] {
        const auto reached = job.advance(slice);
        if (state.abandoned.load(std::memory_order_relaxed)) return;
        progress = reached;
        const bool done = progress == engine::Progress::done;
        if (!done && !updates) return;
        if (done) state.next = job.take_next();
        if (state.next) return;
        const std::string update = updates ? job.update() : std::string();
        streams ? add_lines(update) : void(out += update);
        if (!done) return;
        const std::string answer = job.answer();
        state.has_moved = job.plays();
        if (!streams) {
          out += protocol::success(state.id, answer);
          return;
        }
        add_lines(answer);
        out += '\n';
      },
      [&](protocol::FailureCode code, std::string_view what) {
        progress = engine::Progress::done;
        const std::string sentence = state.sentence(code, what);
        // An answer that has begun as a success can only say so in its last line.
        streams ? add_lines("error: " + sentence + '\n')
                : void(out += protocol::failure(state.id, sentence));
      });
  if (progress == engine::Progress::done) state.set_job(nullptr);
  return progress;
}

void Session::on_ready(std::function<void()> call) { state_->job->on_ready(std::move(call)); }

std::chrono::steady_clock::time_point Session::wake_at(bool updates) const {
  const Job& job = *state_->job;
  return updates ? std::min(job.wake_at(), job.update_at()) : job.wake_at();
}

Session::Status Session::begin_next(std::string& out) {
  if (!state_->next) return Status::ready;
  state_->begin_next(out);
  return Status::working;
}

void Session::end_work() {
  state_->next.reset();
  if (state_->job || !std::exchange(state_->has_turn, false)) return;
  const auto table = state_->seat.table;  // those that wait may have any effect
  table->turn().release();
}

void Session::when_free(std::function<void()> call) {
  state_->seat.table->turn().wait(this, std::move(call));
}

std::string Session::failed(protocol::FailureCode code, std::string_view sentence) const {
  return protocol::failure({}, state_->sentence(code, sentence));
}

const protocol::Identity& Session::client() const { return state_->seat.client; }

bool Session::yields() const { return state_->job && state_->job->yields(); }

bool Session::is_short() const { return state_->job && state_->job->is_short(); }

std::shared_ptr<Pondering> Session::ponder() {
  if (!std::exchange(state_->has_moved, false)) return nullptr;
  return Pondering::begin(state_->seat.table);
}

std::shared_ptr<engine::Search> Session::search() const {
  return state_->job ? state_->job->search() : nullptr;
}

void Session::interrupt() noexcept { state_->interrupt(); }

void Session::abandon() noexcept {
  state_->abandoned.store(true, std::memory_order_relaxed);
  state_->interrupt();
}

bool Session::is_interrupt(std::string_view line) {
  const auto hash = line.find_first_not_of(" \t\r");
  if (hash == std::string_view::npos || line[hash] != '#') return false;
  return protocol::cleaned(line.substr(hash + 1)) == "interrupt";
}

bool Session::is_quit(std::string_view line) {
  constexpr std::size_t enough = 256;
  const std::string text = protocol::cleaned(line.substr(0, enough));
  std::string_view words = text;
  words.remove_prefix(std::min(words.find_first_not_of("0123456789 "), words.size()));  // the id
  return words == "quit";
}

std::optional<std::string> Session::handle_while_working(std::string_view line) {
  std::optional<std::string> answer;
  if (state_->seat.table->turn().is_handled()) return answer;
  std::string id;
  const Command* command = nullptr;
  run_or_fail(
      state_->on_limit,
      [&] {
        const std::string text = protocol::cleaned(line);
        const protocol::ParsedLine parts = protocol::split(text, id);
        command = find_command(parts.name);
        if (command == nullptr || command->needs != Needs::options) return;
        check_right(*command, state_->seat);
        check_length(*command, parts.text);
        answer = protocol::success(id, outcome_of(*command, state_->seat, parts.text).text);
      },
      [&](protocol::FailureCode code, std::string_view what) {
        if (command == nullptr || command->needs != Needs::options) return;
        answer = protocol::failure(id, state_->sentence(code, what));
      });
  return answer;
}

}  // namespace pitboss::server
