#include "protocol/session.hpp"

#include <mutex>

#include "protocol/commands.hpp"
#include "protocol/error.hpp"
#include "protocol/line.hpp"

namespace pitboss::protocol {

class Session::State {
 public:
  explicit State(const SessionConfig& config) : seat{std::make_shared<Table>(config), config} {}

  Seat seat;
  std::string id;        ///< of the command that takes time
  std::mutex job_mutex;  ///< `interrupt` may find the job while its end is being written
  std::unique_ptr<Job> job;

  void set_job(std::unique_ptr<Job> next) {
    const std::scoped_lock lock(job_mutex);
    job.swap(next);
  }
};

namespace {

/// Runs `action`, which returns an answer's text, and appends the answer or its failure.
template <class Action>
void answer(std::string& out, const std::string& id, Action&& action) {
  try {
    const std::string text = action();  // first: it may find the id
    out += success(id, text);
  } catch (const CommandError& error) {
    out += failure(id, error.what());
  } catch (const games::BadGame& error) {
    out += failure(id, error.what());
  } catch (const engine::BadOption& error) {
    out += failure(id, error.what());
  }
}

Outcome run(Seat& seat, const CommandLine& line) {
  const Command* command = find_command(line.name);
  if (command == nullptr) throw CommandError("unknown command '" + line.name + "'");
  const Arguments arguments(line.arguments, line.text);
  if (command->arguments.empty()) arguments.expect(0, 0, "");
  return command->handler(seat, arguments);
}

}  // namespace

Session::Session(const SessionConfig& config) : state_(std::make_unique<State>(config)) {}
Session::~Session() = default;

Session::Status Session::handle(std::string_view line, std::string& out) {
  const std::string text = cleaned(line);
  if (text.empty()) return Status::ready;
  std::string id;
  Outcome outcome;
  std::string reply;
  answer(reply, id, [&] {
    outcome = run(state_->seat, split(text, id));
    return outcome.text;
  });
  if (outcome.job) {
    state_->id = id;
    state_->set_job(std::move(outcome.job));
    return Status::working;
  }
  out += reply;
  return outcome.closes ? Status::closed : Status::ready;
}

Session::Status Session::work(std::chrono::microseconds slice, std::string& out) {
  bool done = true;
  std::string reply;
  answer(reply, state_->id, [&] {
    done = state_->job->advance(slice);
    return done ? state_->job->answer() : std::string();
  });
  if (!done) return Status::working;
  out += reply;
  state_->set_job(nullptr);
  return Status::ready;
}

std::shared_ptr<engine::Search> Session::search() const {
  return state_->job ? state_->job->search() : nullptr;
}

void Session::interrupt() noexcept {
  const std::scoped_lock lock(state_->job_mutex);
  if (state_->job) state_->job->interrupt();
}

bool Session::is_interrupt(std::string_view line) {
  const auto hash = line.find_first_not_of(" \t\r");
  if (hash == std::string_view::npos || line[hash] != '#') return false;
  return cleaned(line.substr(hash + 1)) == "interrupt";
}

std::optional<std::string> Session::handle_while_working(std::string_view line) {
  const std::string text = cleaned(line);
  std::string id;
  std::string reply;
  bool is_setoption = false;
  answer(reply, id, [&]() -> std::string {
    const CommandLine command = split(text, id);
    is_setoption = command.name == "setoption";
    if (!is_setoption) return {};
    return set_option(*state_->seat.table, Arguments(command.arguments, command.text)) ==
                   engine::Effect::live
               ? "in force in the running search"
               : "in force from the next search on";
  });
  if (!is_setoption) return std::nullopt;
  return reply;
}

}  // namespace pitboss::protocol
