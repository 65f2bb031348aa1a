#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/line.hpp"
#include "server/session/running_job.hpp"
#include "server/session/session_config.hpp"

namespace pitboss::server {

class Pondering;

/// The whole answer to a line; empty for a blank or comment line.
struct Answer {
  std::string text;
  bool closes = false;  ///< the session ends with it
};
/// A command of another session has the table: handle the line again when the table is free
/// (`Session::when_free`).
struct TableIsTaken {};
class Watch;

/// The result of a line: what the client is told until its next line; the job of a command that
/// takes time or whose line takes more than some hundred microseconds to handle, else an answer or
/// TableIsTaken.
using Reply =
    std::variant<Answer, TableIsTaken, std::shared_ptr<RunningJob>, std::shared_ptr<Watch>>;

/// What a session has done.
struct SessionRecord {
  std::string_view game;      ///< that it had a command for last
  std::int64_t commands = 0;  ///< that have been handled
};

/// One client at a table. Lines in, answers out; knows no socket and starts no thread. The sessions
/// of a server belong to one thread, which handles their lines; their jobs may run on any thread.
/// Nothing a client can send makes it throw; only std::bad_alloc leaves its members.
class Session {
 public:
  /// Throws games::BadGame or engine::BadOption for a bad configuration.
  explicit Session(const SessionConfig& config);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Handles one input line; no job of the session may be running. Without `may_wait` (the line
  /// was interrupted) a command fails instead of waiting for another session's command that does
  /// not give way.
  [[nodiscard]] Reply handle(const protocol::Line& line, bool may_wait = true);
  /// While a job runs: if `line` is about options, obeys it at once, so that a search sees
  /// live options, and returns its answer, to be sent after the command's. Returns nothing, and
  /// does nothing, for other lines and while a worker handles a line.
  [[nodiscard]] std::optional<std::string> handle_while_running(const protocol::Line& line);
  /// Whether `handle_while_running` may obey the line. Any time.
  [[nodiscard]] bool is_about_options(const protocol::Line& line) const;
  /// Ends a job that is done and whose text has been taken. Returns the one that replaces it, if a
  /// worker has handled the line of a command that takes time; else releases the table.
  [[nodiscard]] std::shared_ptr<RunningJob> end(const std::shared_ptr<RunningJob>& job);
  /// Whether the client may still look at the table that it watches.
  [[nodiscard]] bool may_watch() const;
  /// After `TableIsTaken`: `call` is called when the table is next released, unless `handle` or
  /// `leave` is called before.
  void when_free(std::function<void()> call);

  /// Whether the last command was a `genmove` that has completed a move.
  [[nodiscard]] bool has_moved() const;
  /// Begins to ponder if `has_moved`, which it resets, and the options say so; else null. `waker`
  /// is as for Pondering::begin.
  [[nodiscard]] std::shared_ptr<Pondering> ponder(engine::Waker waker);

  [[nodiscard]] const SessionRecord& record() const;
  /// The client that the session speaks for; the command `auth` changes it.
  [[nodiscard]] const protocol::Identity& client() const;
  /// The answer for a line that could not be handled, with the code if the client asked for codes.
  [[nodiscard]] std::string failed(protocol::FailureCode code, std::string_view sentence) const;

  /// Leaves the table, which otherwise keeps counting the session; only the destructor may follow.
  /// No job may be running.
  void leave();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace pitboss::server
