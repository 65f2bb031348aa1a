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
#include "protocol/line.hpp"
#include "server/session/audience.hpp"
#include "server/work/pondering_task.hpp"

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
// A client for which more bytes wait gets no updates from a running command. One that takes frames
// has none waiting, so that the next one it reads is new.
constexpr std::size_t congestion_mark = 65536;

constexpr auto no_turn = environment::AwakeClock::time_point::min();

bool shows_token(std::string_view line) {
  const std::string text = protocol::cleaned(line);
  std::string id;
  try {
    return protocol::split(text, id).name == "auth";
  } catch (const protocol::CommandError&) {
    return false;  // which is the answer
  }
}

}  // namespace

Conversation::Conversation(Shared& shared, std::shared_ptr<ClientAccount> address,
                           std::uint64_t number, std::function<void()> on_progress)
    : shared_(shared),
      address_(std::move(address)),
      account_(address_),
      number_(number),
      on_progress_(std::move(on_progress)),
      inbox_(shared.limits.max_line),
      room_(shared),
      meter_(shared.counters) {}

Conversation::Conversation(Shared& shared, std::string answer)
    : shared_(shared),
      on_progress_([] {}),
      inbox_(0),
      room_(shared),
      meter_(shared.counters),
      input_(Input::ended),
      is_over_(true) {
  outbox_.text() = std::move(answer);
}

// At the server's end. Asio destroys a coroutine that waits later than it destroys what the
// coroutine waits for, and the coroutine has a share in the work.
Conversation::~Conversation() {
  if (running_) running_->work->drop_job();
}

void Conversation::begin(SessionConfig config) {
  config.waker = waker();
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
  client_ = session_->client();
  count_session(true);
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
      if (inbox_.waiting() == 0) PonderingTask::start(shared_, *session_, account_->turns, number_);
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
    if (const auto* work = std::get_if<std::shared_ptr<Work>>(&reply)) {
      co_await run(*work);
      enough = no_turn;  // the time of the work is no handling
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
  if (!inbox_.too_long() || is_abandoned_) co_return;
  const auto limit = std::to_string(shared_.limits.max_line);
  outbox_.text() +=
      session_->failed(protocol::FailureCode::limit, "line too long (limit " + limit + " bytes)");
  shared_.counters.met(protocol::Limit::max_line);
  shared_.counters.failures.add();
}

/// Waits until the table, which another session's command has, is free, or the line is to fail.
asio::awaitable<void> Conversation::table_is_free() {
  waits_for_table_ = true;
  tries_again_ = false;
  session_->when_free([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->tries_again_ = true;
    self->join_turns();  // many lines may have waited: other clients have turns in between
  });
  while (!tries_again_ && !is_abandoned_) {
    tell();
    co_await change_.come();
  }
  waits_for_table_ = false;
}

/// Has the pool do the work and the work that replaces it, and meanwhile obeys lines about options.
asio::awaitable<void> Conversation::run(std::shared_ptr<Work> work) {
  const auto arrived = meter_.line_arrived();
  const bool is_first = outbox_.empty();
  const auto before = outbox_.size();
  while (work) {
    begin_work(work, arrived);
    const bool stands_alone = is_first || outbox_.size() != before;
    if (!stands_alone && !holds_back()) held_until_ = SteadyClock::now() + hold_time;
    while (!running_->is_done) {
      if (can_obey() && takes_turn()) {
        obey_lines();
        if (can_obey()) join_turns();
      }
      tell();
      co_await change_.come();
    }
    work = end_work();
  }
}

/// Tells what happens at the table until the next line, or the end of input.
asio::awaitable<void> Conversation::look_on(std::shared_ptr<Watch> watch) {
  looks_on_ = true;
  outbox_.text() += watch->begin();
  while (inbox_.waiting() == 0 && !is_at_end() && session_->may_watch()) {
    if (!is_congested()) outbox_.text() += watch->take();
    tell();
    co_await change_.come();
  }
  looks_on_ = false;
  if (is_abandoned_) co_return;
  outbox_.text() += session_->may_watch()
                        ? watch->end()
                        : watch->end(protocol::FailureCode::needs_right,
                                     "the owner of the table lets you watch no longer");
}

/// Ends the conversation: the last answer is in the outbox, or the client has gone.
void Conversation::finish() {
  input_ = Input::ended;
  is_over_ = true;
  count_session(false);
  if (running_) {
    running_->work->abandon();  // `work_done` follows
  } else {
    leave();
  }
  tell();
}

void Conversation::leave() {
  record_ = session_->record();
  session_->leave();
  session_.reset();
}

void Conversation::fail(std::string_view what) {
  spdlog::error("session {}: {}; closed", number_, what);
  shared_.counters.internal_errors.add();
  shared_.counters.failures.add();
  has_failed_ = true;
  outbox_.text() += session_->failed(protocol::FailureCode::internal, "internal error");
}

// ---- what it waits for

/// Whether the next line shows a token that is answered later, since its host has shown many wrong
/// ones. Right ones wait as well, or who guesses would know that no answer means a wrong one.
bool Conversation::is_delayed() {
  if (!is_stranger() || !shows_token(inbox_.front())) return false;
  const auto now = SteadyClock::now();
  if (token_due_ == SteadyClock::time_point::max()) {
    const bool are_many =
        shared_.guesses.are_many(client_.address, protocol::Guesses::TimePoint::clock::now());
    if (are_many) shared_.counters.met(protocol::Limit::guesses);
    token_due_ = are_many ? now + protocol::Guesses::delay : now;
  }
  return now < token_due_;
}

/// Whether the next line may be handled: in the turn that lasts until `enough`, or in a new one.
bool Conversation::goes_on(SteadyClock::time_point& enough) {
  if (is_delayed()) return false;
  if (last_active_ < enough) return true;
  if (enough != no_turn) join_turns();
  if (!takes_turn()) return false;
  enough = SteadyClock::now() + handling_slice;
  return true;
}

/// Whether lines may be handled now: nobody of the client waits, or its turn has come.
bool Conversation::takes_turn() {
  if (turn_ == Turn::none && account_->lines->any_waits()) join_turns();
  if (turn_ == Turn::awaited) return false;
  turn_ = Turn::none;
  return true;
}

/// Makes `converse` go on after other clients, and the client's other conversations that wait, have
/// had their turn.
void Conversation::join_turns() {
  if (turn_ == Turn::awaited) return;
  turn_ = Turn::awaited;
  account_->lines->join(shared_.io, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->turn_ = Turn::come;
    self->change_.note();
  });
}

void Conversation::abandon() {
  if (std::exchange(is_abandoned_, true)) return;
  input_ = Input::ended;
  count_session(false);
  if (running_) running_->work->abandon();
  change_.note();
}

void Conversation::check(SteadyClock::time_point now) {
  if (holds_back() && now >= held_until_) {
    held_until_ = SteadyClock::time_point::min();
    tell();
  }
  if (token_due_ <= now) change_.note();
  if (now < quit_deadline_) return;
  quit_deadline_ = SteadyClock::time_point::max();
  hurry();
}

Conversation::SteadyClock::time_point Conversation::idle_since() const {
  const bool busy = running_ || looks_on_ || inbox_.waiting() > 0 || !outbox_.empty();
  return busy ? SteadyClock::time_point::max() : last_active_;
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
  change_.note();
}

void Conversation::end_input() {
  input_ = Input::ended;
  end_yielding();
  inbox_.end();
  look();
  change_.note();
}

void Conversation::end_soon() {
  input_ = Input::ended;
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
  hurry_until_ = std::max(hurry_until_, until);
  if (running_) running_->work->interrupt();
  // Makes `converse` try the line that waits for its table again, which fails unless it is free
  // soon.
  if (inbox_.popped() < hurry_until_) tries_again_ = true;
}

/// Looks at the new lines.
void Conversation::look() {
  const auto before = inbox_.looked();
  const auto now = SteadyClock::now();
  while (const auto line = inbox_.look()) {
    last_active_ = now;
    if (inbox_.looked() == 1 && !in_envelopes_ && protocol::is_http(*line)) {
      return turn_browser_away();
    }
    arrive(*line);
  }
  meter_.arrived(inbox_.looked() - before, inbox_.looked(), now);
}

/// Drops an HTTP request: a web page may have had its reader's browser send it.
void Conversation::turn_browser_away() {
  inbox_.clear();
  input_ = Input::ended;
  why_over_ = "it speaks HTTP";
  outbox_.text() += protocol::http_refusal();
  shared_.counters.failures.add();
}

void Conversation::arrive(std::string_view line) {
  if (protocol::is_interrupt(line)) hurry(inbox_.looked());
  if (ends_work(line)) running_->work->interrupt();
  // The inbox still holds the line that waits for its table.
  const bool is_next = waits_for_table_ && inbox_.waiting() == 2;
  if (is_next && protocol::is_quit(line)) quit_deadline_ = last_active_ + quit_grace;
}

void Conversation::end_yielding() {
  if (running_ && running_->work->yields()) running_->work->interrupt();
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

Reply Conversation::handle_line() {
  const bool hurried = inbox_.popped() < hurry_until_;
  meter_.handles(inbox_.popped());
  token_due_ = SteadyClock::time_point::max();
  Reply reply = session_->handle(inbox_.front(), !hurried);
  if (is_stranger()) note_token(reply);
  return reply;
}

void Conversation::note_token(const Reply& reply) {
  if (session_->client().right != client_.right) {
    client_ = session_->client();
    account_ = shared_.accounts.of(client_);
    ++account_->sessions;
  }
  const auto* const answer = std::get_if<Answer>(&reply);
  const bool is_refused = answer != nullptr && answer->closes;
  if (is_stranger() && is_refused && !protocol::is_quit(inbox_.front())) {
    why_over_ = "wrong tokens";
  }
}

/// Obeys the lines about options behind a running command, up to the first other line.
void Conversation::obey_lines() {
  const auto enough = SteadyClock::now() + handling_slice;
  while (can_obey()) {
    obey_line();
    last_active_ = SteadyClock::now();
    meter_.handled(last_active_);
    if (last_active_ >= enough) break;
  }
}

void Conversation::obey_line() {
  const std::string_view line = inbox_.front();
  if (protocol::is_interrupt(line)) return inbox_.pop();
  disobeyed_ = inbox_.popped() + 1;
  if (ends_work(line)) return;
  if (protocol::is_quit(line)) {
    quit_deadline_ = SteadyClock::now() + quit_grace;
  } else if (const auto answer = session_->handle_while_working(line)) {
    (in_envelopes_ ? outbox_.text() : running_->answers_after) += *answer;
    meter_.handles(inbox_.popped());
    meter_.answers(*answer);
    inbox_.pop();
  }
}

// ---- work

/// Gives the work, and the helpers of its search, to the pool.
void Conversation::begin_work(std::shared_ptr<Work> work, SteadyClock::time_point arrived) {
  const bool hurried = inbox_.popped() <= hurry_until_;
  const bool ends_at_once = work->yields() && (inbox_.waiting() > 0 || input_ == Input::ended);
  if (hurried || ends_at_once) work->interrupt();
  outbox_.text() += work->take_text();
  const auto search = work->search();
  const int threads = search ? std::min(search->threads(), shared_.pool.threads()) : 1;
  std::vector<std::shared_ptr<SearchHelper>> helpers;
  for (int i = 1; i < threads; ++i) helpers.push_back(std::make_shared<SearchHelper>(search));
  // A short line does not wait for the client's searches, since it may keep a table from others.
  const bool is_short = work->is_short();
  running_ = Running{std::move(work), arrived, helpers};
  disobeyed_ = inbox_.looked();  // lines that came together with the command wait for it
  try {
    shared_.pool.submit(shared_from_this(), is_short ? nullptr : account_->turns);
  } catch (...) {
    running_.reset();  // `work_done` will not be called
    throw;
  }
  ++shared_.searching;
  if (!is_short) ++account_->searching;
  try {
    for (const auto& helper : helpers) shared_.pool.submit(helper, account_->turns);
  } catch (const std::bad_alloc&) {
    spdlog::warn(
        "session {}: not enough memory for all threads of a search; the search goes on with fewer",
        number_);
  }
}

engine::Progress Conversation::work() noexcept {
  Running& running = *running_;
  if (!running.has_ended) {
    try {
      const auto progress = running.work->run(running.slices.next(), wants_updates());
      if (progress != engine::Progress::done) {
        std::string text = running.work->take_text();
        if (text.empty()) return progress;
        update_posted_ = true;
        asio::post(shared_.io,
                   [self = shared_from_this(), text = std::move(text)] { self->update(text); });
        return progress;
      }
    } catch (const std::exception& exception) {
      spdlog::error("session {}: {}", number_, exception.what());
      running.has_failed = true;
    }
    running.has_ended = true;
  }
  try {
    asio::post(shared_.io, [self = shared_from_this()] { self->work_done(); });
  } catch (const std::bad_alloc&) {
    return engine::Progress::runnable;  // to post it at the next turn
  }
  return engine::Progress::done;
}

void Conversation::update(const std::string& text) {
  update_posted_ = false;
  shared_.pool.resume(*this);  // it may be parked without a time for its next update
  if (is_abandoned_ || is_over_) return;
  outbox_.text() += text;
  held_until_ = SteadyClock::time_point::min();
  tell();
}

void Conversation::work_done() {
  running_->is_done = true;
  if (!is_over_) return change_.note();
  running_.reset();
  leave();
}

/// Appends the answer of work that is done, or returns the work that replaces it.
std::shared_ptr<Work> Conversation::end_work() {
  const Running ended = std::move(*running_);
  running_.reset();
  for (const auto& helper : ended.helpers) shared_.pool.resume(*helper);  // finds it over
  --shared_.searching;
  if (!ended.work->is_short()) --account_->searching;
  last_active_ = SteadyClock::now();
  if (ended.has_failed) throw std::runtime_error("a command failed");
  const std::string text = ended.work->take_text();
  auto next = session_->end(ended.work);
  if (next || is_abandoned_) return next;
  meter_.worker_answers(text, ended.arrived, last_active_);
  outbox_.text() += text;
  outbox_.text() += ended.answers_after;
  return nullptr;
}

// ---- answers

/// Lets the outbox be sent, and reads on if there is room.
void Conversation::tell() {
  if (is_abandoned_) return;
  if (input_ == Input::paused && has_input_room()) input_ = Input::open;
  if (!running_) held_until_ = SteadyClock::time_point::min();
  on_progress_();
  room_.note(outbox_.size());
  note_congestion();
}

/// Whether so much waits that updates have to wait, too.
bool Conversation::is_congested() const {
  if (in_envelopes_) return !outbox_.empty();
  return outbox_.size() > std::min(congestion_mark, shared_.limits.max_outbox / 2);
}

void Conversation::note_congestion() {
  const bool was_congested = congested_;
  congested_ = is_congested();
  if (was_congested && !congested_) shared_.pool.resume(*this);
}

void Conversation::count_session(bool is_there) {
  if (std::exchange(is_counted_, is_there) == is_there) return;
  shared_.sessions += is_there ? 1 : -1;
  address_->sessions += is_there ? 1 : -1;
  if (!is_there && account_ != address_) --account_->sessions;
}

}  // namespace pitboss::server
