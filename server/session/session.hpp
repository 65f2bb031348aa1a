#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/search.hpp"
#include "protocol/limit.hpp"
#include "server/session/session_config.hpp"

namespace pitboss::server {

class Pondering;

/// One client's conversation at a table. Lines in, answers out; knows no socket and starts no
/// thread. Sessions of one server belong to one thread, which handles their lines; members that
/// other threads may call say so.
/// Nothing a client can send makes it throw; only std::bad_alloc leaves its members.
class Session {
 public:
  /// What the caller has to do next.
  enum class Status {
    ready,    ///< give the next line
    working,  ///< call `work` until it says `done`; give no line meanwhile
    waiting,  ///< a command of another session has the table: give the same line again when it is
              ///< free (`when_free`)
    closed    ///< send what there is, then close
  };

  /// Throws games::BadGame or engine::BadOption for a configuration that makes no session.
  explicit Session(const SessionConfig& config);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Sets what is called when a limit refuses a command; before the first line. Any thread calls
  /// it; it must not block, throw or use the session.
  void on_limit(std::function<void(protocol::Limit)> call);

  /// Handles one input line, without its line feed, of any bytes and any length. Appends the whole
  /// answer to `out`, or nothing for a blank or comment line; for a command that takes time, and
  /// for a line that takes more than some hundred microseconds to handle, `handle` returns
  /// `working` and `work` appends the answer.
  /// Without `may_wait` (the line was interrupted) a command fails instead of waiting for another
  /// session's command that does not give way.
  Status handle(std::string_view line, std::string& out, bool may_wait = true);

  /// Goes on with the command that takes time for about `slice`; appends its answer when it ends,
  /// and before that what it has to tell meanwhile, if `updates` are wanted. Any thread. `waiting`:
  /// there is nothing to do before the function of `on_ready` is called or `wake_at` has come.
  engine::Progress work(std::chrono::microseconds slice, std::string& out, bool updates = true);
  /// After `working`: sets what is called when a command whose `work` has answered `waiting` is to
  /// go on; until the command ends. The call comes from any thread, and perhaps when nothing waits;
  /// it must not block, throw or use the session.
  void on_ready(std::function<void()> call);
  /// After `waiting`: when `work` is to be called again though nothing was called: at the end of
  /// the search's time or, if `updates` are wanted, when there is something to tell.
  [[nodiscard]] std::chrono::steady_clock::time_point wake_at(bool updates = true) const;
  /// After `work` has said `done`: `working` if a line was handled and its command begins now, so
  /// that `work` is to be called again; appends the beginning of its answer, if it has one. Else
  /// `ready`.
  Status begin_next(std::string& out);
  /// After `ready` of `begin_next`: others may have the table. The next `handle` does it, too.
  void end_work();
  /// After `waiting`: `call` is called when the table is next released, unless `handle` or `leave`
  /// is called before.
  void when_free(std::function<void()> call);
  /// Whether the command that takes time goes on until something else is asked: any line, however
  /// empty, or the end of input is to interrupt it.
  [[nodiscard]] bool yields() const;
  /// Whether the command that takes time needs one slice, and not a long one.
  [[nodiscard]] bool is_short() const;
  /// Begins to ponder if the last command was a `genmove` that has completed a move and the options
  /// say so; else null.
  [[nodiscard]] std::shared_ptr<Pondering> ponder();
  /// Leaves the table; nothing but the destructor may follow. `work` must not be running. Without
  /// it the tables with names keep counting the session.
  void leave();

  /// The search of the command that takes time, to be helped (engine::Search::help) by as many
  /// threads as it has work for; null if the command is no search. It may be helped, and kept, by
  /// any thread after the command has ended.
  [[nodiscard]] std::shared_ptr<engine::Search> search() const;

  /// For whom the session speaks; the command `auth` changes it. The thread that handles lines
  /// calls it.
  [[nodiscard]] const protocol::Identity& client() const;

  /// The answer for a line that could not be handled, with the code if the client asked for codes.
  [[nodiscard]] std::string failed(protocol::FailureCode code, std::string_view sentence) const;

  /// Ends the command that takes time as soon as it can; a search answers with the best move so
  /// far. Any thread, any time; nothing happens when no such command runs.
  void interrupt() noexcept;
  /// As `interrupt`, but nobody wants the answer any more: a search's move is not played.
  void abandon() noexcept;

  /// Whether the line is the comment by which GUIs interrupt a command ("# interrupt"). It must be
  /// looked for when the line arrives, before it waits behind others.
  [[nodiscard]] static bool is_interrupt(std::string_view line);

  /// Whether the line is the command `quit`.
  [[nodiscard]] static bool is_quit(std::string_view line);

  /// While a search runs: if `line` is about options, obeys it at once, so that the search sees
  /// live options, and returns the answer, to be sent after the running command's. Returns nothing,
  /// and does nothing, for any other line, and while a line is being handled elsewhere.
  std::optional<std::string> handle_while_working(std::string_view line);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace pitboss::server
