#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/metrics/line_meter.hpp"
#include "server/net/inbox.hpp"
#include "server/net/outbox.hpp"
#include "server/net/outbox_room.hpp"
#include "server/session/session.hpp"
#include "server/shared.hpp"
#include "server/work/running_command.hpp"
#include "server/work/worker_pool.hpp"

namespace pitboss::server {

/// A session with its input and output: bytes in, answers in the order of the commands out. The I/O
/// thread handles quick commands, a few at a time so that others have their turn; a command that
/// takes time goes to the pool, and the lines behind it wait. All members belong to the I/O thread
/// and do not block, except `work` and `wake_at`, which the pool calls.
class Conversation final : public WorkerPool::Task,
                           public std::enable_shared_from_this<Conversation> {
 public:
  using SteadyClock = std::chrono::steady_clock;

  /// Calls `on_progress` whenever something may have changed, also from within `advance`; never
  /// after `abandon`. `address` is the account of the client's host; `number` is for the log.
  Conversation(Shared& shared, std::unique_ptr<Session> session,
               std::shared_ptr<ClientAccount> address, std::uint64_t number,
               std::function<void()> on_progress);
  /// A conversation that consists of one answer.
  Conversation(Shared& shared, std::string answer, std::function<void()> on_progress);

  /// Takes input as it comes.
  void receive(std::string_view bytes);
  /// There is no more input; a last line without line feed counts.
  void end_input();
  /// Takes no more input; what has come is answered, and searches end soon.
  void end_soon();
  /// Searches that run or wait end soon; what waits for its table fails, unless that is free soon.
  void hurry();
  /// Acts on what is due at `now`. To be called every few ten milliseconds.
  void check(SteadyClock::time_point now);
  /// Handles what can be handled now. To be called when the outbox has been emptied some.
  void advance();
  /// Nobody is interested any more: ends at once, answers nothing, releases worker and memory.
  void abandon();

  /// Who the client is, as far as it has shown.
  [[nodiscard]] const protocol::Identity& client() const { return client_; }
  /// Whether the client has still to show a token.
  [[nodiscard]] bool is_stranger() const { return client_.right == protocol::Right::nothing; }

  [[nodiscard]] Outbox& outbox() { return outbox_; }
  /// The client has lost its right: as `end_soon`, but what waits is not done.
  void expel() {
    inbox_.clear();
    end_soon();
  }
  /// Whether what is in the outbox should wait for what is being done: the answers to commands that
  /// came together leave together, or when a `check` finds that the first has waited long enough.
  [[nodiscard]] bool holds_back() const { return held_until_ != SteadyClock::time_point::min(); }
  /// Whether `receive` should be called; otherwise enough waits already, or the end has come.
  [[nodiscard]] bool wants_input() const { return input_ == Input::open; }
  /// Why the server has ended it; empty if the client has.
  [[nodiscard]] const std::string& why_over() const { return why_over_; }
  /// Whether all there is to say is in the outbox.
  [[nodiscard]] bool is_over() const { return doing_ >= Doing::nothing; }
  /// Whether a command takes time, or waits for one at the same table.
  [[nodiscard]] bool is_busy() const { return doing_ == Doing::work || doing_ == Doing::wait; }
  /// Since when nothing has been asked and nothing is being done; never while something is.
  [[nodiscard]] SteadyClock::time_point idle_since() const;

  /// A slice of the command that takes time.
  engine::Progress work() noexcept override;
  [[nodiscard]] SteadyClock::time_point wake_at() const noexcept override;

 private:
  enum class Input : std::uint8_t {
    open,
    paused,  ///< enough lines wait
    ended
  };
  enum class Doing : std::uint8_t {
    lines,           ///< handles the lines that come
    wait,            ///< the next line's command waits for its table
    work,            ///< a command takes time: the session belongs to the pool
    nothing,         ///< all is said; the session is gone
    abandoned_work,  ///< nobody is interested, but the session still belongs to the pool
    abandoned        ///< nobody is interested; the session is gone
  };

  void count_session(int by) {
    shared_.sessions += by;
    address_->sessions += by;
  }
  void look();
  void arrive(std::string_view line);
  void end_yielding();
  void hurry(std::size_t until);
  [[nodiscard]] bool has_input_room() const;
  [[nodiscard]] bool can_handle() {
    return doing_ == Doing::lines && inbox_.waiting() > 0 && room_.is_left(outbox_.size());
  }
  /// While a command runs, and nothing stands between, a line may be obeyed at once.
  [[nodiscard]] bool can_obey() {
    return doing_ == Doing::work && inbox_.waiting() > 0 && inbox_.popped() >= disobeyed_ &&
           room_.is_left(outbox_.size() + command_.answers_after.size());
  }
  [[nodiscard]] bool is_abandoned() const { return doing_ > Doing::nothing; }
  void schedule();
  void handle_line();
  void obey_line();
  void begin_work(bool hurried);
  void wait_for_table();
  void update(const std::string& text);
  void let_go();
  void note_congestion();
  [[nodiscard]] bool wants_updates() const { return !update_posted_ && !congested_; }
  bool goes_on(SteadyClock::time_point arrived);
  void work_done();
  void fail(std::string_view what);
  void finish();
  void leave();

  Shared& shared_;
  std::unique_ptr<Session> session_;
  protocol::Identity client_;
  std::shared_ptr<ClientAccount> address_;  ///< of the client's host; null without a session
  std::shared_ptr<ClientAccount> account_;  ///< of the client
  std::uint64_t number_ = 0;
  std::function<void()> on_progress_;
  Inbox inbox_;
  Outbox outbox_;
  OutboxRoom room_;
  LineMeter meter_;
  Input input_ = Input::open;
  Doing doing_ = Doing::lines;
  std::string why_over_;
  bool scheduled_ = false;       ///< `advance` is posted
  RunningCommand command_;       ///< while a command takes time
  std::size_t disobeyed_ = 0;    ///< lines up to this one wait for the command that takes time
  std::size_t hurry_until_ = 0;  ///< commands that take time are interrupted up to this line
  SteadyClock::time_point last_active_ = SteadyClock::now();
  SteadyClock::time_point quit_deadline_ =
      SteadyClock::time_point::max();  ///< of the search that runs
  /// Until then answers wait for that of the command that takes time.
  SteadyClock::time_point held_until_ = SteadyClock::time_point::min();

  // Updates of a running command are skipped while one is on its way, or the client reads slowly.
  std::atomic<bool> update_posted_ = false;
  std::atomic<bool> congested_ = false;
};

}  // namespace pitboss::server
