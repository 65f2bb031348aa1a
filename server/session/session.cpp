#include "server/session/session.hpp"

#include <algorithm>

#include "server/session/pondering.hpp"
#include "server/session/seat.hpp"

namespace pitboss::server {

namespace {

/// A connection ends after this number of wrong tokens.
constexpr int most_wrong_tokens = 3;

/// Bytes. The thread that handles the lines of all sessions leaves longer lines to a worker.
constexpr std::size_t long_line = 1024;

/// Throws LimitError for a line that is too long for this thread and that no worker may handle.
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

/// Whether a worker is to handle the line.
bool goes_elsewhere(const Command& command, std::string_view text) {
  return command.needs == Needs::table &&
         (command.handled == Handled::elsewhere || text.size() > long_line);
}

/// Whether the command has to wait for that of another session.
bool is_blocked(const Command& command, const Table& table) {
  const Turn& turn = table.turn();
  if (command.looks && table.kept_view() != nullptr) return false;
  return (command.needs == Needs::table && !turn.is_free()) ||
         (command.needs == Needs::options && turn.is_handled());
}

/// Throws CommandError if the command would end another session's analysis although the client may
/// only watch. It may end pondering, whose result nobody waits for.
void check_asks(const Turn& turn, protocol::Right right) {
  if (!turn.yields() || Pondering::has(turn) || right >= protocol::Right::play) return;
  throw protocol::CommandError(
      protocol::FailureCode::busy,
      "another session's " + std::string(turn.what()) +
          " has the table, and the right watch does not allow you to end it");
}

/// Where people hold colours, throws CommandError for whatever changes the table, unless it is a
/// move by who sits at the colour to move. While a move is checked, no command may have the table.
void check_seats(const Command& command, const Seat& seat) {
  const ColourSeats& seats = seat.table->colour_seats();
  if (command.needs == Needs::nothing || command.right < protocol::Right::play ||
      !seats.are_held()) {
    return;
  }
  if (!command.moves) {
    throw protocol::CommandError(protocol::FailureCode::needs_right,
                                 "people play at this table: nothing but their moves changes it, "
                                 "and nobody searches there");
  }
  const games::AnyGame& game = seat.table->game();
  if (game.result().finished()) return;  // which the command says itself
  seats.check_mover(game.to_move(), game.name_of(game.to_move()), &seat);
}

/// Handles a line: returns its command's answer, or the job that will answer. Throws as handlers
/// do.
Outcome outcome_of(const Command& command, Seat& seat, std::string_view text) {
  const protocol::Arguments arguments(protocol::words_in(text), std::string(text));
  if (command.arguments.empty()) arguments.expect(0, 0, "");
  return command.handler(seat, arguments);
}

/// Handles a line on a worker, because that may delay other sessions' lines for too long. If the
/// command itself takes time, its job is the next one.
class LineJob final : public Job {
 public:
  /// `text` is the line behind the command's name.
  LineJob(const Command& command, Seat& seat, std::string text)
      : command_(command), seat_(seat), text_(std::move(text)) {}

  [[nodiscard]] engine::Progress run(std::chrono::microseconds /*slice*/) override {
    outcome_ = outcome_of(command_, seat_, text_);
    return engine::Progress::done;
  }
  [[nodiscard]] std::string answer() override { return std::move(outcome_.text); }
  [[nodiscard]] bool is_short() const override { return true; }
  [[nodiscard]] bool plays() const override { return outcome_.plays; }
  void interrupt() noexcept override {}  // Session::end interrupts the next job

  [[nodiscard]] std::unique_ptr<Job> take_next() override { return std::move(outcome_.job); }

 private:
  const Command& command_;
  Seat& seat_;
  std::string text_;
  Outcome outcome_;
};

}  // namespace

class Session::State {
 public:
  explicit State(const SessionConfig& config) {
    seat.table = std::make_shared<Table>(config);
    seat.tables = config.tables ? config.tables : std::make_shared<Tables>(TableLimits{});
    seat.config = config;
    seat.client = config.client;
    note_game();
  }

  Seat seat;
  SessionRecord record;
  bool has_moved = false;            ///< by the last command
  bool has_turn = false;             ///< at the table, for the command that takes time
  const Command* command = nullptr;  ///< that takes time
  std::optional<Job::SteadyClock::time_point> begun{};  ///< when it began

  [[nodiscard]] AnswerForm form(std::string_view id = {}) const {
    return {std::string(id), seat.tells_codes, seat.config.in_envelopes};
  }
  /// Handles a line that need not wait for another session.
  Reply handle(const Command& its, std::string_view text, const AnswerForm& form) {
    has_moved = false;
    if (goes_elsewhere(its, text)) {
      auto job = make(std::make_unique<LineJob>(its, seat, std::string(text)), form);
      command = &its;
      if (!seat.table->turn().is_free()) {  // it only looks
        seat.view = seat.table->kept_view();
        return job;
      }
      seat.table->turn().take_to_handle(its.name);
      has_turn = true;
      return job;
    }
    Outcome outcome = outcome_of(its, seat, text);
    if (outcome.job) return begin(its, make(std::move(outcome.job), form));
    if (outcome.watch) {
      outcome.watch->set_form(form);
      return outcome.watch;
    }
    has_moved = outcome.plays;
    if (seat.table->turn().is_free()) note_game();
    return Answer{form.success(outcome.text), outcome.closes};
  }
  [[nodiscard]] std::shared_ptr<RunningJob> make(std::unique_ptr<Job> job,
                                                 const AnswerForm& form) const {
    return std::make_shared<RunningJob>(std::move(job), form, seat.config.on_limit);
  }
  /// Gives the table to the command whose job this is.
  std::shared_ptr<RunningJob> begin(const Command& its, std::shared_ptr<RunningJob> job) {
    std::function<void()> yield;
    if (job->yields()) {
      yield = [weak = std::weak_ptr(job)] {
        if (const auto it = weak.lock()) it->interrupt();
      };
    }
    seat.table->keep_view();
    seat.table->turn().take(its.name, std::move(yield));
    has_turn = true;
    begun = Job::SteadyClock::now();
    return job;
  }
  /// To be called while no worker has the table.
  void note_game() {
    record.game = seat.table->game().name();
    seat.table->tell_changes();
  }
  void release() {
    seat.view.reset();
    if (!std::exchange(has_turn, false)) return;
    seat.table->drop_view();
    note_game();
    const auto table = seat.table;  // calls of waiting sessions may have any effect
    table->turn().release();
  }
};

Session::Session(const SessionConfig& config) : state_(std::make_unique<State>(config)) {}
Session::~Session() = default;

Reply Session::handle(const protocol::Line& line, bool may_wait) {
  State& state = *state_;
  state.seat.table->turn().stop_waiting(this);
  if (line.is_blank()) return Answer{};
  const AnswerForm form = state.form(line.id());
  Reply reply;
  run_or_fail(
      state.seat.config.on_limit,
      [&] {
        line.check();
        const Command& command = command_named(state.seat.config.commands, line.command());
        check_right(command, state.seat);
        check_length(command, line.arguments());
        Turn& turn = state.seat.table->turn();
        if (is_blocked(command, *state.seat.table)) {
          if (!may_wait && !turn.yields()) {
            throw protocol::CommandError(
                protocol::FailureCode::interrupted,
                "interrupted: another session's " + std::string(turn.what()) + " has the table");
          }
          check_asks(turn, right_for(command, state.seat));
          turn.ask();
          reply = TableIsTaken{};
          return;
        }
        check_seats(command, state.seat);
        if (command.blocks && state.seat.config.server != nullptr) {
          state.seat.config.server->check_room_for_search(state.seat.client);
        }
        reply = state.handle(command, line.arguments(), form);
      },
      [&](protocol::FailureCode code, std::string_view what) {
        const bool closes = state.seat.wrong_tokens >= most_wrong_tokens;
        reply = Answer{form.failure(code, what), closes};
      });
  if (!std::holds_alternative<TableIsTaken>(reply)) ++state.record.commands;
  return reply;
}

std::optional<std::string> Session::handle_while_running(const protocol::Line& line) {
  Seat& seat = state_->seat;
  if (!is_about_options(line) || seat.table->turn().is_handled()) return std::nullopt;
  const Command& command = *find_command(seat.config.commands, line.command());
  const AnswerForm form = state_->form(line.id());
  std::string answer;
  run_or_fail(
      seat.config.on_limit,
      [&] {
        check_right(command, seat);
        check_seats(command, seat);
        check_length(command, line.arguments());
        answer = form.success(outcome_of(command, seat, line.arguments()).text);
      },
      [&](protocol::FailureCode code, std::string_view what) {
        answer = form.failure(code, what);
      });
  ++state_->record.commands;
  return answer;
}

bool Session::is_about_options(const protocol::Line& line) const {
  const Command* const command = find_command(state_->seat.config.commands, line.command());
  return command != nullptr && command->needs == Needs::options;
}

std::shared_ptr<RunningJob> Session::end(const std::shared_ptr<RunningJob>& job) {
  if (job->next_ && !job->is_abandoned_) {
    auto next = state_->begin(*state_->command, state_->make(std::move(job->next_), job->form_));
    if (job->is_interrupted_) next->interrupt();
    return next;
  }
  state_->has_moved = job->has_moved_;
  if (const auto begun = std::exchange(state_->begun, std::nullopt)) {
    state_->seat.last_time = Job::SteadyClock::now() - *begun;
  }
  state_->release();
  return nullptr;
}

void Session::when_free(std::function<void()> call) {
  state_->seat.table->turn().wait(this, std::move(call));
}

bool Session::may_watch() const {
  const Seat& seat = state_->seat;
  return seat.table->ownership().right_of(seat.client) >= protocol::Right::watch;
}

bool Session::has_moved() const { return state_->has_moved; }

std::shared_ptr<Pondering> Session::ponder(engine::Waker waker) {
  if (!std::exchange(state_->has_moved, false)) return nullptr;
  return Pondering::begin(state_->seat.table, {std::move(waker), state_->seat.client.key()});
}

const SessionRecord& Session::record() const { return state_->record; }

const protocol::Identity& Session::client() const { return state_->seat.client; }

std::string Session::failed(protocol::FailureCode code, std::string_view sentence) const {
  return state_->form().failure(code, sentence);
}

void Session::leave() {
  state_->seat.table->turn().stop_waiting(this);
  state_->release();
  state_->seat.dismiss_opponent();
  state_->seat.table->colour_seats().leave(&state_->seat);
  state_->seat.tables->leave(std::move(state_->seat.table), state_->seat.client);
}

}  // namespace pitboss::server
