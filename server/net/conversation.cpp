#include "server/net/conversation.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <limits>
#include <stdexcept>
#include <utility>

#include "environment/awake_clock.hpp"
#include "protocol/http.hpp"
#include "server/net/pondering_task.hpp"
#include "server/session/audience.hpp"

namespace pitboss::server {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// How long lines of one client are handled before the others have a turn.
constexpr auto handling_slice = 100us;
// How long a search goes on after `quit` has arrived, so that a script of short searches that ends
// in `quit` gets the same answers however fast it is sent.
constexpr auto quit_grace = 100ms;
// How long answers may wait for the answer of a later command that takes time.
constexpr auto hold_time = 100ms;

constexpr auto no_turn = environment::AwakeClock::time_point::min();

}  // namespace

Conversation::Conversation(Shared& shared, std::shared_ptr<ClientAccount> address,
                           std::uint64_t number, std::function<void()> on_progress)
    : shared_(shared),
      visitor_(shared, std::move(address), number),
      on_progress_(std::move(on_progress)),
      inbox_(shared.limits.max_line, shared.limits.max_queued),
      outbox_(shared),
      meter_(shared.counters),
      job_(shared,
           {[this](std::size_t bytes) { return wants_update(bytes); }, [this] { job_is_done(); }}) {
}

Conversation::Conversation(Shared& shared, std::string answer)
    : Conversation(shared, nullptr, 0, [] {}) {
  inbox_.close();
  end_.has_come = true;
  outbox_.text() = std::move(answer);
}

void Conversation::begin(SessionConfig config) {
  config.waker = job_.waker();
  config.on_news = [&io = shared_.io, weak = weak_from_this()] {
    try {
      asio::post(io, [weak] {
        if (const auto self = weak.lock()) self->change_.note();
      });
    } catch (const std::bad_alloc&) {  // the next change of any kind makes up for it
    }
  };
  in_envelopes_ = config.in_envelopes;
  session_ = std::make_unique<Session>(config);
  outbox_.belong_to(visitor_.account());
  visitor_.come(session_->client(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->visitor_.turn_has_come();
    self->change_.note();
  });
  asio::co_spawn(shared_.io, converse(),
                 [weak = weak_from_this()](const std::exception_ptr& error) {
                   const auto self = weak.lock();
                   if (error && self) self->abandon();  // there is no memory even to say so
                 });
}

// ---- the conversation

/// The whole conversation. The client may have gone (`abandon`) after any co_await.
asio::awaitable<void> Conversation::converse() {
  try {
    co_await handle_lines();
  } catch (const std::exception& exception) {
    fail(exception.what());
  }
  finish();
}

/// Handles lines until the client has quit, has shown too many wrong tokens, or its input has
/// ended, as it also does when the client loses its right.
asio::awaitable<void> Conversation::handle_lines() {
  auto enough = no_turn;  // until when it handles lines
  for (;;) {
    while (!can_handle() && !is_at_end()) {
      tell();
      if (can_handle()) break;  // there was no room in the outbox
      if (inbox_.waiting() == 0) {
        PonderingTask::start(shared_, *session_, visitor_.account()->turns, visitor_.number());
      }
      co_await change_.come();
      enough = no_turn;
    }
    if (is_at_end()) break;
    if (!goes_on(enough)) {
      tell();
      co_await change_.come();
      enough = no_turn;
      continue;
    }
    Reply reply = handle_line();
    if (std::holds_alternative<TableIsTaken>(reply)) {
      co_await table_is_free();
      continue;
    }
    inbox_.pop();
    bool closes = false;
    if (const auto* job = std::get_if<std::shared_ptr<RunningJob>>(&reply)) {
      co_await run(*job);
      enough = no_turn;  // the time of the job is no handling
    } else if (const auto* watch = std::get_if<std::shared_ptr<Watch>>(&reply)) {
      co_await look_on(*watch);
      enough = no_turn;
    } else {
      const auto& answer = std::get<Answer>(reply);
      meter_.answers(answer.text);
      outbox_.text() += answer.text;
      closes = answer.closes;
    }
    last_active_ = SteadyClock::now();
    meter_.handled(last_active_);
    if (closes) co_return;
  }
  if (!inbox_.too_long() || end_.is_abandoned) co_return;
  const auto limit = std::to_string(shared_.limits.max_line);
  outbox_.text() +=
      session_->failed(protocol::FailureCode::limit, "line too long (limit " + limit + " bytes)");
  shared_.counters.met(protocol::Limit::max_line);
  shared_.counters.failures.add();
}

/// Waits until the table, which another session's command has, is free, or the line is to fail.
asio::awaitable<void> Conversation::table_is_free() {
  waits_ = Waits::for_table;
  session_->when_free([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->waits_ = Waits::for_nothing;
    // Many lines may have waited: other clients have turns in between.
    self->visitor_.join_turns();
  });
  while (waits_ == Waits::for_table && !end_.is_abandoned) {
    tell();
    co_await change_.come();
  }
  waits_ = Waits::for_nothing;
}

/// Has the pool run the job and the one that replaces it, and meanwhile obeys lines about options.
asio::awaitable<void> Conversation::run(std::shared_ptr<RunningJob> job) {
  const auto arrived = meter_.line_arrived();
  const bool is_first = outbox_.empty();
  const auto before = outbox_.size();
  Beside beside;
  while (job) {
    beside.disobeyed = inbox_.looked();  // lines that came together with the command wait for it
    begin_job(job);
    const bool stands_alone = is_first || outbox_.size() != before;
    if (!stands_alone && !outbox_.is_held()) outbox_.hold_until(SteadyClock::now() + hold_time);
    while (!job_.is_done()) {
      if (!job_.update().empty() && visitor_.takes_turn(true)) update();
      if (can_obey(beside) && visitor_.takes_turn()) {
        obey_lines(beside);
        if (can_obey(beside)) visitor_.join_turns();
      }
      tell();
      co_await change_.come();
    }
    job = end_job(arrived, beside);
  }
}

/// Tells what happens at the table until the next line, or the end of input.
asio::awaitable<void> Conversation::look_on(std::shared_ptr<Watch> watch) {
  waits_ = Waits::for_news;
  outbox_.text() += watch->begin();
  while (inbox_.waiting() == 0 && !is_at_end() && session_->may_watch()) {
    const std::size_t news = outbox_.is_congested(in_envelopes_) ? 0 : watch->size();
    const bool may_tell = news > 0 && outbox_.has_room_for_update(news);
    if (may_tell && visitor_.takes_turn(true)) outbox_.text() += watch->take();
    tell();
    co_await change_.come();
  }
  waits_ = Waits::for_nothing;
  if (end_.is_abandoned) co_return;
  outbox_.text() += session_->may_watch()
                        ? watch->end()
                        : watch->end(protocol::FailureCode::needs_right,
                                     "the owner of the table lets you watch no longer");
}

/// Ends the conversation: the last answer is in the outbox, or the client has gone.
void Conversation::finish() {
  inbox_.close();
  end_.has_come = true;
  visitor_.go();
  if (RunningJob* const job = job_.job()) {
    job->abandon();  // `job_is_done` follows
  } else {
    leave();
  }
  tell();
}

void Conversation::leave() {
  end_.record = session_->record();
  session_->leave();
  session_.reset();
}

void Conversation::fail(std::string_view what) {
  spdlog::error("session {}: {}; closed", visitor_.number(), what);
  shared_.counters.internal_errors.add();
  shared_.counters.failures.add();
  end_.has_failed = true;
  outbox_.text() += session_->failed(protocol::FailureCode::internal, "internal error");
}

// ---- what it waits for

bool Conversation::is_delayed() {
  const bool shows_token = visitor_.is_stranger() && inbox_.front().command() == "auth";
  return shows_token && visitor_.is_delayed();
}

/// Whether the next line may be handled: in the turn that lasts until `enough`, or in a new one.
bool Conversation::goes_on(SteadyClock::time_point& enough) {
  if (is_delayed()) return false;
  if (last_active_ < enough) return true;
  if (enough != no_turn) visitor_.join_turns();
  if (!visitor_.takes_turn()) return false;
  enough = SteadyClock::now() + handling_slice;
  return true;
}

void Conversation::abandon() {
  if (std::exchange(end_.is_abandoned, true)) return;
  inbox_.close();
  visitor_.go();
  if (RunningJob* const job = job_.job()) job->abandon();
  change_.note();
}

void Conversation::check(SteadyClock::time_point now) {
  if (outbox_.release_at(now)) tell();
  const bool lacks_room = waits_ == Waits::for_news && outbox_.lacks_room();
  if (visitor_.is_due(now) || lacks_room) change_.note();
  if (now < quit_deadline_) return;
  quit_deadline_ = SteadyClock::time_point::max();
  hurry();
}

Conversation::SteadyClock::time_point Conversation::idle_since() const {
  const bool busy = job_.job() != nullptr || waits_ == Waits::for_news || inbox_.waiting() > 0 ||
                    !outbox_.empty();
  return busy ? SteadyClock::time_point::max() : last_active_;
}

// ---- input

void Conversation::receive(std::string_view bytes) {
  inbox_.append(bytes);
  look();
  if (inbox_.too_long()) {
    inbox_.close();
    end_yielding();
  }
  if (inbox_.pauses()) shared_.counters.met(protocol::Limit::max_queued);
  change_.note();
}

void Conversation::end_input() {
  inbox_.close();
  end_yielding();
  inbox_.end();
  look();
  change_.note();
}

void Conversation::end_soon() {
  inbox_.close();
  hurry();
}

void Conversation::expel() {
  inbox_.clear();
  end_soon();
}

void Conversation::hurry() {
  hurry(std::numeric_limits<std::size_t>::max());
  change_.note();
}

void Conversation::hurry(std::size_t until) {
  inbox_.hurry(until);
  if (RunningJob* const job = job_.job()) job->interrupt();
  // Makes `converse` try the line that waits for its table again, which fails unless it is free
  // soon.
  if (waits_ == Waits::for_table && inbox_.is_hurried()) waits_ = Waits::for_nothing;
}

/// Looks at the new lines.
void Conversation::look() {
  const auto before = inbox_.looked();
  const auto now = SteadyClock::now();
  while (const protocol::Line* const line = inbox_.look()) {
    last_active_ = now;
    if (inbox_.looked() == 1 && !in_envelopes_ && protocol::is_http(line->all())) {
      return turn_browser_away();
    }
    arrive(*line);
  }
  meter_.arrived(inbox_.looked() - before, inbox_.looked(), now);
}

/// Drops an HTTP request: a web page may have had its reader's browser send it.
void Conversation::turn_browser_away() {
  inbox_.clear();
  inbox_.close();
  end_.why = "it speaks HTTP";
  outbox_.text() += protocol::http_refusal();
  shared_.counters.failures.add();
}

void Conversation::arrive(const protocol::Line& line) {
  if (line.is_interrupt()) hurry(inbox_.looked());
  if (ends_job(line)) job_.job()->interrupt();
  // The inbox still holds the line that waits for its table.
  const bool is_next = waits_ == Waits::for_table && inbox_.waiting() == 2;
  if (is_next && line.is_quit()) quit_deadline_ = last_active_ + quit_grace;
}

void Conversation::end_yielding() {
  RunningJob* const job = job_.job();
  if (job != nullptr && job->yields()) job->interrupt();
}

// ---- lines

Reply Conversation::handle_line() {
  meter_.handles(inbox_.popped());
  visitor_.forget_delay();
  Reply reply = session_->handle(inbox_.front(), !inbox_.is_hurried());
  if (visitor_.is_stranger()) note_token(reply);
  return reply;
}

void Conversation::note_token(const Reply& reply) {
  if (session_->client().right != visitor_.client().right) {
    visitor_.identify(session_->client());
    outbox_.belong_to(visitor_.account());
  }
  const auto* const answer = std::get_if<Answer>(&reply);
  const bool is_refused = answer != nullptr && answer->closes;
  if (visitor_.is_stranger() && is_refused && !inbox_.front().is_quit()) {
    end_.why = "wrong tokens";
  }
}

/// Obeys the lines about options behind a running command, up to the first other line.
void Conversation::obey_lines(Beside& beside) {
  const auto enough = SteadyClock::now() + handling_slice;
  while (can_obey(beside)) {
    obey_line(beside);
    last_active_ = SteadyClock::now();
    meter_.handled(last_active_);
    if (last_active_ >= enough) break;
  }
}

void Conversation::obey_line(Beside& beside) {
  const protocol::Line& line = inbox_.front();
  if (line.is_interrupt()) return inbox_.pop();
  beside.disobeyed = inbox_.popped() + 1;
  if (ends_job(line)) return;
  if (line.is_quit()) {
    quit_deadline_ = SteadyClock::now() + quit_grace;
  } else if (const auto answer = session_->handle_while_running(line)) {
    (in_envelopes_ ? outbox_.text() : beside.answers) += *answer;
    meter_.handles(inbox_.popped());
    meter_.answers(*answer);
    inbox_.pop();
  }
}

// ---- jobs

void Conversation::begin_job(const std::shared_ptr<RunningJob>& job) {
  const bool ends_at_once = job->yields() && (inbox_.waiting() > 0 || inbox_.has_ended());
  if (inbox_.was_hurried() || ends_at_once) job->interrupt();
  outbox_.text() += job->take_text();
  job_.begin(shared_from_this(), job, visitor_.account(), visitor_.number());
}

/// Whether there is room for an update; where there is none, the client is told less.
bool Conversation::wants_update(std::size_t bytes) {
  if (end_.is_abandoned || end_.has_come || !outbox_.has_room_for_update(bytes)) return false;
  outbox_.count(bytes);
  change_.note();
  return true;
}

void Conversation::update() {
  outbox_.text() += job_.take_update();
  outbox_.release();
}

void Conversation::job_is_done() {
  if (!end_.has_come) return change_.note();
  job_.drop();
  leave();
}

/// Appends the answer of a job that is done, or returns the one that replaces it.
std::shared_ptr<RunningJob> Conversation::end_job(SteadyClock::time_point arrived,
                                                  const Beside& beside) {
  last_active_ = SteadyClock::now();
  if (!job_.update().empty()) update();
  const auto ended = job_.end();
  const std::string text = ended->take_text();
  auto next = session_->end(ended);
  if (next || end_.is_abandoned) return next;
  meter_.worker_answers(text, arrived, last_active_);
  outbox_.text() += text;
  outbox_.text() += beside.answers;
  return nullptr;
}

// ---- answers

/// Lets the outbox be sent, and reads on if there is room.
void Conversation::tell() {
  if (end_.is_abandoned) return;
  inbox_.go_on();
  if (job_.job() == nullptr) outbox_.release();
  on_progress_();
  outbox_.count(job_.update().size());
  job_.note_congestion(outbox_.is_congested(in_envelopes_));
}

}  // namespace pitboss::server
