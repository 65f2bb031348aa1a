#include "server/net/conversation.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <exception>
#include <limits>
#include <utility>

#include "server/work/pondering_task.hpp"

namespace pitboss::server {

namespace asio = boost::asio;
using namespace std::chrono_literals;

using Status = Session::Status;

namespace {

// How long lines of one client are handled before the others have a turn.
constexpr auto handling_slice = 100us;
// A search goes on for that long when `quit` arrives. A script that ends in `quit` thus gets the
// same answers however fast it is written, if its searches are short.
constexpr auto quit_grace = 100ms;
// How long answers may wait for that of a command that takes time and that stands behind theirs.
constexpr auto hold_time = 100ms;
// A client with more bytes than that waiting gets no updates from a running command.
constexpr std::size_t congestion_mark = 65536;

}  // namespace

Conversation::Conversation(Shared& shared, std::unique_ptr<Session> session,
                           std::shared_ptr<ClientAccount> address, std::uint64_t number,
                           std::function<void()> on_progress)
    : shared_(shared),
      session_(std::move(session)),
      client_(session_->client()),
      address_(std::move(address)),
      account_(address_),
      number_(number),
      on_progress_(std::move(on_progress)),
      inbox_(shared.limits.max_line),
      room_(shared),
      meter_(shared.counters) {
  count_session(1);
}

Conversation::Conversation(Shared& shared, std::string answer, std::function<void()> on_progress)
    : shared_(shared),
      on_progress_(std::move(on_progress)),
      inbox_(0),
      room_(shared),
      meter_(shared.counters) {
  outbox_.text() = std::move(answer);
  finish();
}

// ---- input

void Conversation::receive(std::string_view bytes) {
  inbox_.append(bytes);
  look();
  if (inbox_.too_long()) {
    input_ = Input::ended;
    end_yielding();
  }
  if (input_ == Input::open && !has_input_room()) {
    input_ = Input::paused;
    shared_.counters.met(protocol::Limit::max_queued);
  }
  advance();
}

void Conversation::end_input() {
  input_ = Input::ended;
  end_yielding();
  inbox_.end();
  look();
  advance();
}

void Conversation::end_soon() {
  input_ = Input::ended;
  hurry();
}

/// Looks at the lines that have come.
void Conversation::look() {
  const auto before = inbox_.looked();
  const auto now = SteadyClock::now();
  while (const auto line = inbox_.look()) {
    last_active_ = now;
    arrive(*line);
  }
  meter_.arrived(inbox_.looked() - before, inbox_.looked(), now);
}

void Conversation::arrive(std::string_view line) {
  if (Session::is_interrupt(line)) hurry(inbox_.looked());
  end_yielding();
  // The line of a command that waits for its table is still in the inbox.
  const bool is_next = doing_ == Doing::wait && inbox_.waiting() == 2;
  const bool quits = is_next && !command_.yields && Session::is_quit(line);
  if (quits) quit_deadline_ = last_active_ + quit_grace;
}

void Conversation::end_yielding() {
  if (doing_ == Doing::work && command_.yields) session_->interrupt();
}

bool Conversation::has_input_room() const {
  const auto waiting = inbox_.waiting();
  if (waiting == 0) return true;
  // Once paused, wait for more than a little room.
  const std::size_t share = input_ == Input::paused ? 2 : 1;
  return waiting < std::max<std::size_t>(shared_.limits.max_queued / share, 1) &&
         inbox_.bytes() < shared_.limits.max_line / share;
}

// ---- lines

void Conversation::obey_line() {
  const std::string_view line = inbox_.front();
  if (Session::is_interrupt(line)) return inbox_.pop();
  disobeyed_ = inbox_.popped() + 1;
  if (command_.yields) return;
  if (Session::is_quit(line)) {
    quit_deadline_ = SteadyClock::now() + quit_grace;
  } else if (const auto answer = session_->handle_while_working(line)) {
    command_.answers_after += *answer;
    meter_.handles(inbox_.popped());
    meter_.answers(*answer);
    inbox_.pop();
  }
}

void Conversation::advance() {
  if (scheduled_ || is_abandoned()) return;
  const auto enough = SteadyClock::now() + handling_slice;
  while (can_handle() || can_obey()) {
    doing_ == Doing::work ? obey_line() : handle_line();
    last_active_ = SteadyClock::now();
    meter_.handled(last_active_);
    if (last_active_ >= enough) break;
  }
  if (input_ == Input::ended && doing_ == Doing::lines && inbox_.waiting() == 0) {
    if (inbox_.too_long()) {
      const auto limit = std::to_string(shared_.limits.max_line);
      outbox_.text() += session_->failed(protocol::FailureCode::limit,
                                         "line too long (limit " + limit + " bytes)");
      shared_.counters.met(protocol::Limit::max_line);
      shared_.counters.failures.add();
    }
    finish();
  }
  if (input_ == Input::paused && has_input_room()) input_ = Input::open;
  if (doing_ != Doing::work) held_until_ = SteadyClock::time_point::min();
  on_progress_();
  room_.note(outbox_.size());
  note_congestion();
  if (is_abandoned()) return;
  if (!can_handle() && !can_obey()) {
    if (doing_ == Doing::lines && inbox_.waiting() == 0) {
      PonderingTask::start(shared_, *session_, account_->turns, number_);
    }
    return;
  }
  schedule();
}

void Conversation::schedule() {
  if (std::exchange(scheduled_, true)) return;
  asio::post(shared_.io, [self = shared_from_this()] {
    self->scheduled_ = false;
    self->advance();
  });
}

void Conversation::handle_line() {
  const bool hurried = inbox_.popped() < hurry_until_;
  const auto before = outbox_.text().size();
  meter_.handles(inbox_.popped());
  try {
    const auto status = session_->handle(inbox_.front(), outbox_.text(), !hurried);
    if (is_stranger() && session_->client().right != client_.right) {
      client_ = session_->client();
      account_ = shared_.accounts.of(client_);
    }
    if (status == Status::waiting) return wait_for_table();
    if (status == Status::closed && is_stranger() && !Session::is_quit(inbox_.front())) {
      why_over_ = "wrong tokens";
    }
    inbox_.pop();
    if (status != Status::working) {
      meter_.answers(std::string_view(outbox_.text()).substr(before));
      return status == Status::closed ? finish() : void();
    }
    command_.arrived = meter_.line_arrived();
    begin_work(hurried);
    const bool stands_alone = outbox_.empty() || outbox_.text().size() != before;
    if (!stands_alone && !holds_back()) held_until_ = SteadyClock::now() + hold_time;
  } catch (const std::exception& exception) {
    outbox_.text().resize(before);
    fail(exception.what());
  }
}

void Conversation::wait_for_table() {
  doing_ = Doing::wait;
  session_->when_free([weak = weak_from_this()] {
    if (const auto self = weak.lock(); self && self->doing_ == Doing::wait) {
      self->doing_ = Doing::lines;
      self->schedule();  // many may have waited; others have their turn in between
    }
  });
}

/// Gives the command that takes time, and the helpers of its search, to the pool.
void Conversation::begin_work(bool hurried) {
  command_.yields = session_->yields();
  const bool is_over_at_once =
      hurried || (command_.yields && (inbox_.waiting() > 0 || input_ == Input::ended));
  if (is_over_at_once) session_->interrupt();
  const auto search = session_->search();
  const int threads = search ? std::min(search->threads(), shared_.pool.threads()) : 1;
  auto& helpers = command_.helpers;
  for (int i = 1; i < threads; ++i) helpers.push_back(std::make_shared<SearchHelper>(search));
  session_->on_ready([this, helpers] {
    shared_.pool.resume(*this);
    for (const auto& helper : helpers) shared_.pool.resume(*helper);
  });
  // A line that only has to be handled does not wait for the client's searches: it may keep a table
  // from others.
  command_.is_short = session_->is_short();
  shared_.pool.submit(shared_from_this(), command_.is_short ? nullptr : account_->turns);
  doing_ = Doing::work;
  disobeyed_ = inbox_.looked();  // what came in one piece with the command waits for it
  ++shared_.searching;
  if (!command_.is_short) ++account_->searching;
  try {
    for (const auto& helper : helpers) shared_.pool.submit(helper, account_->turns);
  } catch (const std::bad_alloc&) {
    spdlog::warn("session {}: not enough memory for all threads of a search", number_);
  }
}

void Conversation::hurry() {
  hurry(std::numeric_limits<std::size_t>::max());
  advance();
}

void Conversation::hurry(std::size_t until) {
  hurry_until_ = std::max(hurry_until_, until);
  if (doing_ == Doing::work) session_->interrupt();
  // What waits for the table is to be tried once more, and then fails.
  if (doing_ == Doing::wait && inbox_.popped() < hurry_until_) doing_ = Doing::lines;
}

void Conversation::check(SteadyClock::time_point now) {
  if (holds_back() && now >= held_until_) let_go();
  if (now < quit_deadline_) return;
  quit_deadline_ = SteadyClock::time_point::max();
  hurry();
}

Conversation::SteadyClock::time_point Conversation::idle_since() const {
  const bool busy = doing_ == Doing::work || inbox_.waiting() > 0 || !outbox_.empty();
  return busy ? SteadyClock::time_point::max() : last_active_;
}

// ---- commands that take time

engine::Progress Conversation::work() noexcept {
  if (command_.end == RunningCommand::End::none) {
    try {
      const auto progress = session_->work(command_.slices.next(), command_.text, wants_updates());
      if (progress != engine::Progress::done) {
        if (command_.text.empty()) return progress;
        update_posted_ = true;
        asio::post(shared_.io, [self = shared_from_this(),
                                text = std::exchange(command_.text, {})] { self->update(text); });
        return progress;
      }
      command_.end = RunningCommand::End::answered;
    } catch (const std::exception& exception) {
      spdlog::error("session {}: {}", number_, exception.what());
      command_.end = RunningCommand::End::failed;
    }
  }
  try {
    asio::post(shared_.io, [self = shared_from_this()] { self->work_done(); });
  } catch (const std::bad_alloc&) {
    return engine::Progress::runnable;  // to say so at the next turn
  }
  return engine::Progress::done;
}

Conversation::SteadyClock::time_point Conversation::wake_at() const noexcept {
  return session_->wake_at(wants_updates());
}

void Conversation::update(const std::string& text) {
  update_posted_ = false;
  shared_.pool.resume(*this);  // it may be parked, and not have been waiting for its next update
  if (is_abandoned()) return;
  outbox_.text() += text;
  let_go();
}

void Conversation::let_go() {
  held_until_ = SteadyClock::time_point::min();
  on_progress_();
  room_.note(outbox_.size());
  note_congestion();
}

void Conversation::note_congestion() {
  const bool was_congested = congested_;
  congested_ = outbox_.size() > std::min(congestion_mark, shared_.limits.max_outbox / 2);
  if (was_congested && !congested_) shared_.pool.resume(*this);
}

/// Begins what a line asks for that a worker has handled; false if there is nothing.
bool Conversation::goes_on(SteadyClock::time_point arrived) {
  try {
    if (session_->begin_next(outbox_.text()) != Status::working) return false;
    begin_work(inbox_.popped() <= hurry_until_);
    command_.arrived = arrived;
  } catch (const std::exception& exception) {
    fail(exception.what());
  }
  return true;
}

void Conversation::work_done() {
  RunningCommand ended = std::exchange(command_, {});
  for (const auto& helper : ended.helpers) shared_.pool.resume(*helper);  // to find it over
  ended.helpers.clear();  // or this thread may be the last to hold the search, and release its tree
  --shared_.searching;
  if (!ended.is_short) --account_->searching;
  if (doing_ == Doing::abandoned_work) {
    doing_ = Doing::abandoned;
    return leave();
  }
  doing_ = Doing::lines;
  last_active_ = SteadyClock::now();
  if (ended.end == RunningCommand::End::failed) {
    fail("a command was given up");
  } else if (!goes_on(ended.arrived)) {
    meter_.worker_answers(ended.text, ended.arrived, last_active_);
    outbox_.text() += ended.text;
    outbox_.text() += ended.answers_after;
    session_->end_work();
  }
  advance();
}

// ---- the end

void Conversation::fail(std::string_view what) {
  spdlog::error("session {}: {}; closed", number_, what);
  shared_.counters.internal_errors.add();
  shared_.counters.failures.add();
  outbox_.text() += session_->failed(protocol::FailureCode::internal, "internal error");
  finish();
}

void Conversation::finish() {
  input_ = Input::ended;
  doing_ = Doing::nothing;
  if (!session_) return;
  count_session(-1);
  leave();
}

void Conversation::abandon() {
  input_ = Input::ended;
  if (doing_ == Doing::work) {
    doing_ = Doing::abandoned_work;  // `work_done` follows
    count_session(-1);
    session_->abandon();
  } else if (!is_abandoned()) {
    if (session_) finish();
    doing_ = Doing::abandoned;
  }
}

void Conversation::leave() {
  session_->leave();
  session_.reset();
}

}  // namespace pitboss::server
