#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/search.hpp"

namespace pitboss::protocol {

/// How a server starts its sessions and what it allows them.
struct SessionConfig {
  std::string game = "connect4";
  engine::Options options;            ///< what a new session starts with
  std::int64_t tree_mb_limit = 1024;  ///< largest `tree_mb` a session may ask for
  std::string sgf_folder;             ///< where `loadsgf` finds its files; empty: nowhere
};

/// One client's conversation: its game, history, clock, options and search. Lines in, answers
/// out; knows no socket and starts no thread. Not thread-safe, except where a member says so.
/// Nothing a client can send makes it throw; only std::bad_alloc leaves its members.
class Session {
 public:
  /// What the caller has to do next.
  enum class Status {
    ready,    ///< give the next line
    working,  ///< call `work` until it no longer says so; give no line meanwhile
    closed    ///< send what there is, then close
  };

  /// Throws games::BadGame or engine::BadOption for a configuration that makes no session.
  explicit Session(const SessionConfig& config);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Handles one input line, without its line feed, of any bytes and any length. Appends the whole
  /// answer to `out`, or nothing for a blank or comment line; a command that takes time returns
  /// `working` and answers from `work`. Takes microseconds to a millisecond.
  Status handle(std::string_view line, std::string& out);

  /// Goes on with the command that takes time for about `slice`; appends its answer when it ends.
  Status work(std::chrono::microseconds slice, std::string& out);

  /// The search of the command that takes time, to be helped (engine::Search::help) by as many
  /// threads as it has work for; null if the command is no search. It may be helped, and kept, by
  /// any thread after the command has ended.
  [[nodiscard]] std::shared_ptr<engine::Search> search() const;

  /// Ends the command that takes time as soon as it can; a search answers with the best move so
  /// far. Any thread, any time; nothing happens when no such command runs.
  void interrupt() noexcept;

  /// Whether the line is the comment by which GUIs interrupt a command ("# interrupt"). It must be
  /// looked for when the line arrives, before it waits behind others.
  [[nodiscard]] static bool is_interrupt(std::string_view line);

  /// While a command takes time: if `line` is a `setoption`, obeys it at once, so that the search
  /// that runs sees live options, and returns the answer, to be sent after the running command's.
  /// Returns nothing, and does nothing, for any other line. Any thread.
  std::optional<std::string> handle_while_working(std::string_view line);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace pitboss::protocol
