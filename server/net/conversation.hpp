#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "environment/awake_clock.hpp"
#include "server/metrics/line_meter.hpp"
#include "server/net/change.hpp"
#include "server/net/inbox.hpp"
#include "server/net/job_task.hpp"
#include "server/net/outbox.hpp"
#include "server/net/shared.hpp"
#include "server/net/visitor.hpp"
#include "server/session/session.hpp"

namespace pitboss::server {

/// A session with its input and output, over any transport: bytes in, answers out in the order of
/// the commands. The coroutine `converse` handles the lines from first to last; the other members
/// tell it what has happened. The I/O thread handles quick commands, a few at a time so that other
/// clients have their turn; jobs go to the pool, and the lines behind them wait. Belongs to the I/O
/// thread and does not block.
class Conversation final : public std::enable_shared_from_this<Conversation> {
 public:
  using SteadyClock = environment::AwakeClock;

  /// Calls `on_progress` whenever there may be something to send, or the end has come; never after
  /// `abandon`. `address` is the account of the client's host; `number` is for the log.
  Conversation(Shared& shared, std::shared_ptr<ClientAccount> address, std::uint64_t number,
               std::function<void()> on_progress);
  /// A conversation that is just this answer; `begin` must not be called.
  Conversation(Shared& shared, std::string answer);

  ~Conversation() = default;
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
  [[nodiscard]] const protocol::Identity& client() const { return visitor_.client(); }
  /// Whether the client still has to show a token.
  [[nodiscard]] bool is_stranger() const { return visitor_.is_stranger(); }

  [[nodiscard]] Outbox& outbox() { return outbox_; }
  /// Whether the outbox should wait for the running command: answers to commands that came together
  /// are sent together, or when a `check` finds that they have waited long enough.
  [[nodiscard]] bool holds_back() const { return outbox_.is_held(); }
  /// The client's turns, in which whoever reads its lines from something else takes part, too.
  [[nodiscard]] HandlingTurns& turns() { return *visitor_.account()->lines; }
  /// Whether `receive` should be called; if not, enough lines wait, or input has ended.
  [[nodiscard]] bool wants_input() const { return inbox_.is_open(); }
  /// Why the conversation is over; empty after `quit` and the end of input.
  [[nodiscard]] const std::string& why_over() const { return end_.why; }
  /// Whether a fault of the server has ended it.
  [[nodiscard]] bool has_failed() const { return end_.has_failed; }
  /// What its session has done so far.
  [[nodiscard]] const SessionRecord& record() const {
    return session_ ? session_->record() : end_.record;
  }
  /// Whether nothing more will be added to the outbox.
  [[nodiscard]] bool is_over() const { return end_.has_come; }
  /// Whether a command that takes time runs, or a line waits for its table.
  [[nodiscard]] bool is_busy() const { return job_.job() != nullptr || waits_ == Waits::for_table; }
  /// When the last line came or was handled.
  [[nodiscard]] SteadyClock::time_point last_active() const { return last_active_; }
  /// Since when the conversation has been idle; time_point::max() while it is not.
  [[nodiscard]] SteadyClock::time_point idle_since() const;

 private:
  /// What the oldest line waits for, or what goes on until there is one.
  enum class Waits : std::uint8_t { for_nothing, for_table, for_news };

  /// How the conversation ends.
  struct End {
    bool has_come = false;
    bool is_abandoned = false;  ///< the client has gone
    bool has_failed = false;
    std::string why{};
    SessionRecord record{};  ///< of the session that has ended
  };

  /// The lines that are obeyed beside a running job.
  struct Beside {
    std::size_t disobeyed = 0;  ///< lines up to this one wait for the job
    std::string answers{};      ///< that follow the job's
  };

  // The conversation.
  boost::asio::awaitable<void> converse();
  boost::asio::awaitable<void> handle_lines();
  boost::asio::awaitable<void> table_is_free();
  boost::asio::awaitable<void> run(std::shared_ptr<RunningJob> job);
  boost::asio::awaitable<void> look_on(std::shared_ptr<Watch> watch);
  void finish();
  void leave();

  // What it waits for.
  [[nodiscard]] bool is_delayed();
  [[nodiscard]] bool goes_on(SteadyClock::time_point& enough);
  [[nodiscard]] bool can_handle() {
    return inbox_.waiting() > 0 && !end_.is_abandoned && outbox_.has_room();
  }
  [[nodiscard]] bool is_at_end() const {
    return end_.is_abandoned || (inbox_.has_ended() && inbox_.waiting() == 0);
  }

  // Lines.
  void look();
  void turn_browser_away();
  void arrive(const protocol::Line& line);
  void end_yielding();
  void hurry(std::size_t until);
  [[nodiscard]] Reply handle_line();
  void note_token(const Reply& reply);

  // Jobs.
  void begin_job(const std::shared_ptr<RunningJob>& job);
  [[nodiscard]] std::shared_ptr<RunningJob> end_job(SteadyClock::time_point arrived,
                                                    const Beside& beside);
  /// Whether the next line follows the job or other obeyed lines, so that it may be obeyed at
  /// once.
  [[nodiscard]] bool can_obey(const Beside& beside) {
    return inbox_.waiting() > 0 && !end_.is_abandoned && inbox_.popped() >= beside.disobeyed &&
           outbox_.has_room(beside.answers.size());
  }
  /// Whether the running command goes on until a line comes, and this is such a line. Ids tell to
  /// what an envelope belongs, so that lines about options can be answered while updates come.
  [[nodiscard]] bool ends_job(const protocol::Line& line) const {
    return job_.job() != nullptr && job_.job()->yields() &&
           !(in_envelopes_ && session_->is_about_options(line));
  }
  void obey_lines(Beside& beside);
  void obey_line(Beside& beside);
  [[nodiscard]] bool wants_update(std::size_t bytes);
  void update();
  void job_is_done();

  // Answers.
  void tell();
  void fail(std::string_view what);

  Shared& shared_;
  Visitor visitor_;
  std::unique_ptr<Session> session_;  ///< from `begin` to the end
  std::function<void()> on_progress_;
  Inbox inbox_;
  Outbox outbox_;
  LineMeter meter_;
  JobTask job_;
  End end_;
  Waits waits_ = Waits::for_nothing;
  bool in_envelopes_ = false;  ///< what it takes and gives are lines with envelopes
  SteadyClock::time_point last_active_ = SteadyClock::now();
  SteadyClock::time_point quit_deadline_ =
      SteadyClock::time_point::max();  ///< of the search that runs
  Change change_;  ///< what `converse` waits for; may own `converse`, so the last member
};

}  // namespace pitboss::server
