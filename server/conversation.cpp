#include "server/conversation.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <exception>
#include <limits>
#include <utility>

#include "protocol/line.hpp"
#include "server/pondering_task.hpp"
#include "server/search_helper.hpp"

namespace pitboss::server {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using Status = protocol::Session::Status;

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

bool is_quit(std::string_view line) {
  constexpr std::size_t enough = 256;
  const std::string text = protocol::cleaned(line.substr(0, enough));
  std::string_view words = text;
  words.remove_prefix(std::min(words.find_first_not_of("0123456789 "), words.size()));  // the id
  return words == "quit";
}

}  // namespace

Conversation::Conversation(Shared& shared, std::unique_ptr<protocol::Session> session,
                           std::uint64_t number, std::function<void()> on_progress)
    : shared_(shared),
      session_(std::move(session)),
      number_(number),
      on_progress_(std::move(on_progress)),
      inbox_(shared.limits.max_line),
      counted_(true) {
  ++shared_.sessions;
}

Conversation::Conversation(Shared& shared, std::string answer, std::function<void()> on_progress)
    : shared_(shared), on_progress_(std::move(on_progress)), inbox_(0) {
  outbox_.text() = std::move(answer);
  finish();
}

// ---- input

void Conversation::receive(std::string_view bytes) {
  inbox_.append(bytes);
  while (const auto line = inbox_.look()) arrive(*line);
  if (inbox_.too_long()) {
    input_ended_ = true;
    end_yielding();
  }
  paused_ = paused_ || !has_input_room();
  advance();
}

void Conversation::end_input() {
  input_ended_ = true;
  end_yielding();
  inbox_.end();
  if (const auto line = inbox_.look()) arrive(*line);
  advance();
}

void Conversation::end_soon() {
  input_ended_ = true;
  hurry();
}

void Conversation::arrive(std::string_view line) {
  last_active_ = Clock::now();
  const bool interrupts = protocol::Session::is_interrupt(line);
  if (interrupts) hurry(inbox_.looked());
  end_yielding();
  // While a command runs or waits, and nothing stands between, the line may be obeyed at once. The
  // line of a command that waits for its table is still in the inbox.
  if (!is_busy() || inbox_.waiting() > (waiting_ ? 2U : 1U)) return;
  if (is_quit(line) && !yields_) {
    quit_deadline_ = last_active_ + quit_grace;
    return;
  }
  if (waiting_) return;
  if (interrupts) return inbox_.pop();
  if (yields_) return;
  if (outbox_.size() + answers_after_.size() >= shared_.limits.max_outbox) return;
  if (const auto answer = session_->handle_while_working(line)) {
    answers_after_ += *answer;
    inbox_.pop();
  }
}

void Conversation::end_yielding() {
  if (working_ && yields_) session_->interrupt();
}

bool Conversation::has_input_room() const {
  const auto waiting = inbox_.waiting();
  if (waiting == 0) return true;
  // Once paused, wait for more than a little room.
  const std::size_t share = paused_ ? 2 : 1;
  return waiting < std::max<std::size_t>(shared_.limits.max_queued / share, 1) &&
         inbox_.bytes() < shared_.limits.max_line / share;
}

// ---- lines

bool Conversation::can_handle() const {
  return !over_ && !working_ && !waiting_ && inbox_.waiting() > 0 &&
         outbox_.size() < shared_.limits.max_outbox;
}

void Conversation::advance() {
  if (scheduled_ || abandoned_) return;
  const auto enough = Clock::now() + handling_slice;
  while (can_handle()) {
    handle_line();
    if (Clock::now() >= enough) break;
  }
  if (input_ended_ && !over_ && !working_ && inbox_.waiting() == 0) {
    if (inbox_.too_long()) {
      const auto limit = std::to_string(shared_.limits.max_line);
      outbox_.text() += "? line too long (limit " + limit + " bytes)\n\n";
    }
    finish();
  }
  if (paused_ && has_input_room()) paused_ = false;
  if (!working_) held_until_ = Clock::time_point::min();
  on_progress_();
  note_congestion();
  if (abandoned_) return;
  if (!can_handle()) return start_pondering();
  scheduled_ = true;
  asio::post(shared_.io, [self = shared_from_this()] {
    self->scheduled_ = false;
    self->advance();
  });
}

void Conversation::handle_line() {
  const bool hurried = inbox_.popped() < hurry_until_;
  const auto before = outbox_.text().size();
  try {
    const auto status = session_->handle(inbox_.front(), outbox_.text(), !hurried);
    if (status == Status::waiting) {
      waiting_ = true;
      session_->when_free([weak = weak_from_this()] {
        if (const auto self = weak.lock(); self && self->waiting_) {
          self->waiting_ = false;
          self->advance();
        }
      });
      return;
    }
    inbox_.pop();
    if (status == Status::working) {
      yields_ = session_->yields();
      if (hurried || (yields_ && (inbox_.waiting() > 0 || input_ended_))) session_->interrupt();
      submit_work();
      const bool stands_alone = outbox_.empty() || outbox_.text().size() != before;
      if (!stands_alone && !holds_back()) held_until_ = Clock::now() + hold_time;
      ++shared_.searching;
    } else if (status == Status::closed) {
      finish();
    }
  } catch (const std::exception& exception) {
    outbox_.text().resize(before);
    fail(exception.what());
  }
}

/// Gives the command that takes time, and the helpers of its search, to the pool.
void Conversation::submit_work() {
  slices_ = {};
  make_helpers();
  session_->on_ready([this, helpers = helpers_] {
    shared_.pool.resume(*this);
    for (const auto& helper : helpers) shared_.pool.resume(*helper);
  });
  shared_.pool.submit(shared_from_this());
  working_ = true;
  try {
    for (const auto& helper : helpers_) shared_.pool.submit(helper);
  } catch (const std::bad_alloc&) {
    spdlog::warn("session {}: not enough memory for all threads of a search", number_);
  }
}

void Conversation::make_helpers() {
  const auto search = session_->search();
  const int threads = search ? std::min(search->threads(), shared_.pool.threads()) : 1;
  for (int i = 1; i < threads; ++i) helpers_.push_back(std::make_shared<SearchHelper>(search));
}

void Conversation::hurry() {
  hurry(std::numeric_limits<std::size_t>::max());
  advance();
}

void Conversation::hurry(std::size_t until) {
  hurry_until_ = std::max(hurry_until_, until);
  if (working_ && !abandoned_) session_->interrupt();
  // What waits for the table is to be tried once more, and then fails.
  if (inbox_.popped() < hurry_until_) waiting_ = false;
}

void Conversation::check(Clock::time_point now) {
  if (holds_back() && now >= held_until_) let_go();
  if (now < quit_deadline_) return;
  quit_deadline_ = Clock::time_point::max();
  hurry();
}

Conversation::Clock::time_point Conversation::idle_since() const {
  const bool busy = working_ || inbox_.waiting() > 0 || !outbox_.empty();
  return busy ? Clock::time_point::max() : last_active_;
}

// ---- commands that take time

engine::Progress Conversation::work() noexcept {
  if (!work_over_) {
    try {
      const auto progress = session_->work(slices_.next(), work_text_, wants_updates());
      if (progress != engine::Progress::done) {
        if (work_text_.empty()) return progress;
        update_posted_ = true;
        asio::post(shared_.io, [self = shared_from_this(), text = std::exchange(work_text_, {})] {
          self->update(text);
        });
        return progress;
      }
    } catch (const std::exception& exception) {
      spdlog::error("session {}: {}", number_, exception.what());
      work_failed_ = true;
    }
    work_over_ = true;
  }
  try {
    asio::post(shared_.io, [self = shared_from_this()] { self->work_done(); });
  } catch (const std::bad_alloc&) {
    return engine::Progress::runnable;  // to say so at the next turn
  }
  return engine::Progress::done;
}

void Conversation::update(const std::string& text) {
  update_posted_ = false;
  shared_.pool.resume(*this);  // it may be parked, and not have been waiting for its next update
  if (abandoned_) return;
  outbox_.text() += text;
  let_go();
}

void Conversation::let_go() {
  held_until_ = Clock::time_point::min();
  on_progress_();
  note_congestion();
}

void Conversation::note_congestion() {
  const bool was_congested = congested_;
  congested_ = outbox_.size() > std::min(congestion_mark, shared_.limits.max_outbox / 2);
  if (was_congested && !congested_) shared_.pool.resume(*this);
}

void Conversation::work_done() {
  working_ = yields_ = work_over_ = false;
  for (const auto& helper : helpers_) shared_.pool.resume(*helper);  // to find that all is over
  helpers_.clear();
  --shared_.searching;
  if (abandoned_) return retire_session();
  last_active_ = Clock::now();
  if (work_failed_) {
    fail("a command was given up");
  } else {
    outbox_.text() += work_text_;
    outbox_.text() += answers_after_;
  }
  std::string().swap(work_text_);
  std::string().swap(answers_after_);
  if (session_) session_->end_work();
  advance();
}

void Conversation::start_pondering() {
  if (over_ || working_ || waiting_ || inbox_.waiting() > 0) return;
  std::shared_ptr<protocol::Pondering> pondering;
  try {
    pondering = session_->ponder();
    if (pondering) PonderingTask::start(shared_, pondering);
  } catch (const std::exception& exception) {
    spdlog::warn("session {}: no pondering: {}", number_, exception.what());
    if (pondering) pondering->end();
  }
}

// ---- the end

void Conversation::fail(std::string_view what) {
  spdlog::error("session {}: {}; closed", number_, what);
  outbox_.text() += "? internal error\n\n";
  finish();
}

void Conversation::finish() {
  over_ = input_ended_ = true;
  retire_session();
}

void Conversation::abandon() {
  abandoned_ = over_ = input_ended_ = true;
  if (working_) session_->abandon();
  retire_session();
}

void Conversation::retire_session() {
  if (counted_) --shared_.sessions;
  counted_ = false;
  if (working_ || !session_) return;  // the pool's now; work_done comes back here
  session_->leave();
  session_.reset();
}

}  // namespace pitboss::server
