#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "environment/awake_clock.hpp"
#include "server/metrics/line_meter.hpp"
#include "server/net/change.hpp"
#include "server/net/inbox.hpp"
#include "server/net/outbox.hpp"
#include "server/net/outbox_room.hpp"
#include "server/session/session.hpp"
#include "server/shared.hpp"
#include "server/work/search_helper.hpp"
#include "server/work/slices.hpp"
#include "server/work/worker_pool.hpp"

namespace pitboss::server {

/// A session with its input and output, over any transport: bytes in, answers out in the order of
/// the commands. The coroutine `converse` handles the lines from first to last; the other members
/// tell it what has happened. The I/O thread handles quick commands, a few at a time so that other
/// clients have their turn; work goes to the pool, and the lines behind it wait. All members belong
/// to the I/O thread and do not block, except `work`, which the pool calls.
class Conversation final : public WorkerPool::Task,
                           public std::enable_shared_from_this<Conversation> {
 public:
  using SteadyClock = environment::AwakeClock;

  /// Calls `on_progress` whenever there may be something to send, or the end has come; never after
  /// `abandon`. `address` is the account of the client's host; `number` is for the log.
  Conversation(Shared& shared, std::shared_ptr<ClientAccount> address, std::uint64_t number,
               std::function<void()> on_progress);
  /// A conversation that is just this answer; `begin` must not be called.
  Conversation(Shared& shared, std::string answer);

  ~Conversation() override;
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  /// Makes the session and begins. Throws as Session's constructor does.
  void begin(SessionConfig config);

  /// Takes input as it comes.
  void receive(std::string_view bytes);
  /// Input has ended; a last line without line feed counts.
  void end_input();
  /// Takes no more input, answers the lines that have come, and ends searches soon.
  void end_soon();
  /// As `end_soon`, but drops the lines that wait: the client has lost its right.
  void expel();
  /// Makes searches that run or wait end soon; a line that waits for its table fails unless the
  /// table is free soon.
  void hurry();
  /// Some of the outbox has been sent.
  void sent() { change_.note(); }
  /// Acts on what is due at `now`. To be called every few ten milliseconds.
  void check(SteadyClock::time_point now);
  /// The client has gone: ends at once, answers nothing, releases worker and memory.
  void abandon();

  /// The client, as far as it has identified itself.
  [[nodiscard]] const protocol::Identity& client() const { return client_; }
  /// Whether the client still has to show a token.
  [[nodiscard]] bool is_stranger() const { return client_.right == protocol::Right::nothing; }

  [[nodiscard]] Outbox& outbox() { return outbox_; }
  /// Whether the outbox should wait for the running command: answers to commands that came together
  /// are sent together, or when a `check` finds that they have waited long enough.
  [[nodiscard]] bool holds_back() const { return held_until_ != SteadyClock::time_point::min(); }
  /// Whether `receive` should be called; if not, enough lines wait, or input has ended.
  [[nodiscard]] bool wants_input() const { return input_ == Input::open; }
  /// Why the conversation is over; empty after `quit` and the end of input.
  [[nodiscard]] const std::string& why_over() const { return why_over_; }
  /// Whether a fault of the server has ended it.
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  /// What its session has done so far.
  [[nodiscard]] const SessionRecord& record() const {
    return session_ ? session_->record() : record_;
  }
  /// Whether nothing more will be added to the outbox.
  [[nodiscard]] bool is_over() const { return is_over_; }
  /// Whether a command that takes time runs, or a line waits for its table.
  [[nodiscard]] bool is_busy() const { return running_ || waits_for_table_; }
  /// When the last line came or was handled.
  [[nodiscard]] SteadyClock::time_point last_active() const { return last_active_; }
  /// Since when the conversation has been idle; time_point::max() while it is not.
  [[nodiscard]] SteadyClock::time_point idle_since() const;

  /// A slice of the work.
  engine::Progress work() noexcept override;

 private:
  enum class Input : std::uint8_t {
    open,
    paused,  ///< enough lines wait
    ended
  };

  /// Of the client's conversations, to handle lines.
  enum class Turn : std::uint8_t { none, awaited, come };

  /// A command that takes time, and what belongs to it.
  struct Running {
    std::shared_ptr<Work> work;
    SteadyClock::time_point arrived;  ///< its line
    std::vector<std::shared_ptr<SearchHelper>> helpers{};
    std::string answers_after{};  ///< to lines that were obeyed while the work ran
    bool is_done = false;
    // The pool's, until `is_done`.
    Slices slices{};
    bool has_ended = false;  ///< but `work_done` has not been posted yet
    bool has_failed = false;
  };

  // The conversation.
  boost::asio::awaitable<void> converse();
  boost::asio::awaitable<void> handle_lines();
  boost::asio::awaitable<void> table_is_free();
  boost::asio::awaitable<void> run(std::shared_ptr<Work> work);
  boost::asio::awaitable<void> look_on(std::shared_ptr<Watch> watch);
  void finish();
  void leave();

  // What it waits for.
  [[nodiscard]] bool is_delayed();
  [[nodiscard]] bool goes_on(SteadyClock::time_point& enough);
  [[nodiscard]] bool takes_turn();
  void join_turns();
  [[nodiscard]] bool can_handle() {
    return inbox_.waiting() > 0 && !is_abandoned_ && room_.is_left(outbox_.size());
  }
  [[nodiscard]] bool is_at_end() const {
    return is_abandoned_ || (input_ == Input::ended && inbox_.waiting() == 0);
  }

  // Lines.
  void look();
  void turn_browser_away();
  void arrive(std::string_view line);
  void end_yielding();
  void hurry(std::size_t until);
  [[nodiscard]] bool has_input_room() const;
  [[nodiscard]] Reply handle_line();
  void note_token(const Reply& reply);

  // Work.
  void begin_work(std::shared_ptr<Work> work, SteadyClock::time_point arrived);
  [[nodiscard]] std::shared_ptr<Work> end_work();
  /// Whether the next line follows the work or other obeyed lines, so that it may be obeyed at
  /// once.
  [[nodiscard]] bool can_obey() {
    return inbox_.waiting() > 0 && !is_abandoned_ && inbox_.popped() >= disobeyed_ &&
           room_.is_left(outbox_.size() + running_->answers_after.size());
  }
  /// Whether the running command goes on until a line comes, and this is such a line. Ids tell to
  /// what an envelope belongs, so that lines about options can be answered while updates come.
  [[nodiscard]] bool ends_work(std::string_view line) const {
    return running_ && running_->work->yields() &&
           !(in_envelopes_ && Session::is_about_options(line));
  }
  void obey_lines();
  void obey_line();
  void update(const std::string& text);
  void work_done();
  [[nodiscard]] bool wants_updates() const { return !update_posted_ && !congested_; }

  // Answers.
  void tell();
  void fail(std::string_view what);
  [[nodiscard]] bool is_congested() const;
  void note_congestion();
  void count_session(bool is_there);

  Shared& shared_;
  std::unique_ptr<Session> session_;  ///< from `begin` to the end
  SessionRecord record_;              ///< of the session that has ended
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
  Turn turn_ = Turn::none;
  bool is_over_ = false;
  bool is_abandoned_ = false;
  bool is_counted_ = false;  ///< among the sessions
  bool has_failed_ = false;
  bool in_envelopes_ = false;  ///< what it takes and gives are lines with envelopes
  std::string why_over_;
  bool waits_for_table_ = false;
  bool looks_on_ = false;
  bool tries_again_ = false;        ///< of the line that waits for the table
  std::optional<Running> running_;  ///< the pool has its work
  std::size_t disobeyed_ = 0;       ///< lines up to this one wait for the work
  std::size_t hurry_until_ = 0;     ///< commands that take time are interrupted up to this line
  SteadyClock::time_point last_active_ = SteadyClock::now();
  SteadyClock::time_point quit_deadline_ =
      SteadyClock::time_point::max();  ///< of the search that runs
  /// When the token in the next line is looked at; max(): not yet set.
  SteadyClock::time_point token_due_ = SteadyClock::time_point::max();
  /// Until then answers wait for the running command's.
  SteadyClock::time_point held_until_ = SteadyClock::time_point::min();

  // Running work makes no update while one is being posted, or the client reads slowly.
  std::atomic<bool> update_posted_ = false;
  std::atomic<bool> congested_ = false;

  Change change_;  ///< what `converse` waits for; may own `converse`, so the last member
};

}  // namespace pitboss::server
