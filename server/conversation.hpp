#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/session.hpp"
#include "server/inbox.hpp"
#include "server/outbox.hpp"
#include "server/shared.hpp"
#include "server/slices.hpp"
#include "server/worker_pool.hpp"

namespace pitboss::server {

class SearchHelper;

/// A session with its input and output: bytes in, answers in the order of the commands out. Quick
/// commands are handled on the I/O thread, a few at a time so that others have their turn; a
/// command that takes time goes to the pool, and the lines behind it wait. All members belong to
/// the I/O thread and do not block, except `work`, which the pool calls.
class Conversation final : public WorkerPool::Task,
                           public std::enable_shared_from_this<Conversation> {
 public:
  using Clock = std::chrono::steady_clock;

  /// `on_progress` is called whenever something may have changed, also from within `advance`; never
  /// after `abandon`. `number` is for the log.
  Conversation(Shared& shared, std::unique_ptr<protocol::Session> session, std::uint64_t number,
               std::function<void()> on_progress);
  /// One that consists of one answer.
  Conversation(Shared& shared, std::string answer, std::function<void()> on_progress);

  /// Takes input as it comes.
  void receive(std::string_view bytes);
  /// There is no more input; a last line without line feed counts.
  void end_input();
  /// Input is no longer taken; what has been is answered, and searches end soon.
  void end_soon();
  /// Searches that run or wait end soon; what waits for its table fails, unless that is free soon.
  void hurry();
  /// Acts on what is due at `now`. To be called every few ten milliseconds.
  void check(Clock::time_point now);
  /// Handles what can be handled now. To be called when the outbox has been emptied some.
  void advance();
  /// Nobody is interested any more: ends at once, answers nothing, releases worker and memory.
  void abandon();

  [[nodiscard]] Outbox& outbox() { return outbox_; }
  /// Whether what is in the outbox should wait for what is being done: the answers to commands that
  /// came together leave together, or when a `check` finds that the first has waited long enough.
  [[nodiscard]] bool holds_back() const { return held_until_ != Clock::time_point::min(); }
  /// Whether `receive` should be called; otherwise enough waits already, or the end has come.
  [[nodiscard]] bool wants_input() const { return !input_ended_ && !paused_; }
  /// Whether all there is to say is in the outbox.
  [[nodiscard]] bool is_over() const { return over_; }
  /// Whether a command takes time, or waits for one at the same table.
  [[nodiscard]] bool is_busy() const { return working_ || waiting_; }
  /// Since when nothing has been asked and nothing is being done; never while something is.
  [[nodiscard]] Clock::time_point idle_since() const;

  /// A slice of the command that takes time.
  engine::Progress work() noexcept override;
  [[nodiscard]] Clock::time_point wake_at() const noexcept override {
    return session_->wake_at(wants_updates());
  }

 private:
  void arrive(std::string_view line);
  void end_yielding();
  void hurry(std::size_t until);
  [[nodiscard]] bool has_input_room() const;
  [[nodiscard]] bool can_handle() const;
  void handle_line();
  void submit_work();
  void make_helpers();
  [[nodiscard]] bool wants_updates() const { return !update_posted_ && !congested_; }
  void start_pondering();
  void update(const std::string& text);
  void let_go();
  void note_congestion();
  void work_done();
  void fail(std::string_view what);
  void finish();
  void retire_session();

  Shared& shared_;
  std::unique_ptr<protocol::Session> session_;
  std::uint64_t number_ = 0;
  std::function<void()> on_progress_;
  Inbox inbox_;
  Outbox outbox_;
  std::vector<std::shared_ptr<SearchHelper>> helpers_;  ///< of the search that runs
  std::string answers_after_;                           ///< to what was obeyed while a command runs
  std::size_t hurry_until_ = 0;  ///< commands that take time are interrupted up to this line
  Clock::time_point last_active_ = Clock::now();
  Clock::time_point quit_deadline_ = Clock::time_point::max();  ///< of the search that runs
  /// Until then answers wait for that of the command that takes time.
  Clock::time_point held_until_ = Clock::time_point::min();

  bool input_ended_ = false;
  bool paused_ = false;     ///< enough lines wait
  bool over_ = false;       ///< no line is handled any more
  bool abandoned_ = false;  ///< nor is anything sent
  bool scheduled_ = false;  ///< advance is posted
  bool working_ = false;    ///< a command takes time: the session belongs to the pool
  bool yields_ = false;     ///< that command, to any line
  bool waiting_ = false;    ///< a command waits for the table
  bool counted_ = false;    ///< among the sessions

  // The pool's; handed over by submit and post.
  Slices slices_;  ///< of the running command
  std::string work_text_;
  bool work_over_ = false;
  bool work_failed_ = false;

  // Updates of a running command are skipped while one is on its way, or the client reads slowly.
  std::atomic<bool> update_posted_ = false;
  std::atomic<bool> congested_ = false;
};

}  // namespace pitboss::server
