#include "clients/referee/ledger/ledger_writer.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

namespace pitboss::clients {

namespace asio = boost::asio;

LedgerWriter::LedgerWriter(asio::any_io_executor executor, Ledger& ledger)
    : executor_(std::move(executor)), ledger_(ledger), gathering_(executor_) {}

LedgerWriter::~LedgerWriter() {
  thread_.join();
  if (failure_ || waiting_.empty()) return;
  try {
    write(waiting_);
  } catch (...) {  // NOLINT(bugprone-empty-catch): what is not written is played again
  }
}

void LedgerWriter::claim(int match, int round) { add({.what = NewRound{match, round}}); }

void LedgerWriter::note(Incident incident) { add({.what = std::move(incident)}); }

asio::awaitable<bool> LedgerWriter::finish(PlayedRound round) {
  Entry entry{.what = std::move(round)};
  co_return co_await wait_for(std::move(entry));
}

asio::awaitable<void> LedgerWriter::settle() {
  is_closing_ = true;
  gathering_.cancel();
  Entry nothing;
  co_await wait_for(std::move(nothing));
}

asio::awaitable<bool> LedgerWriter::wait_for(Entry entry) {
  bool is_written = false;
  asio::steady_timer done(executor_, asio::steady_timer::time_point::max());
  entry.is_written = &is_written;
  entry.done = &done;
  add(std::move(entry));
  boost::system::error_code ignored;
  co_await done.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  if (failure_) std::rethrow_exception(failure_);
  co_return is_written;
}

void LedgerWriter::add(Entry entry) {
  waiting_.push_back(std::move(entry));
  if (is_working_) return;
  is_working_ = true;
  asio::co_spawn(executor_, work(), asio::detached);
}

asio::awaitable<void> LedgerWriter::work() {
  while (!waiting_.empty()) {
    if (!is_closing_) {
      gathering_.expires_after(gathering_time);
      boost::system::error_code ignored;
      co_await gathering_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    std::vector<Entry> batch = std::exchange(waiting_, {});
    if (!failure_) {
      try {
        co_await asio::co_spawn(
            thread_,
            [&]() -> asio::awaitable<void> {
              write(batch);
              co_return;
            },
            asio::use_awaitable);
      } catch (...) {
        failure_ = std::current_exception();
      }
    }
    for (const Entry& entry : batch) {
      if (entry.done) entry.done->expires_at(asio::steady_timer::time_point::min());
    }
  }
  is_working_ = false;
}

void LedgerWriter::write(std::vector<Entry>& batch) {
  ledger_.transact([&] {
    for (Entry& entry : batch) {
      const bool is_written = write(entry);
      if (entry.is_written) *entry.is_written = is_written;
    }
  });
}

bool LedgerWriter::write(Entry& entry) {
  if (const auto* const begun = std::get_if<NewRound>(&entry.what)) {
    const auto claim = ledger_.claim(begun->match, begun->round);
    if (claim) claims_[{begun->match, begun->round}] = *claim;
  } else if (const auto* const incident = std::get_if<Incident>(&entry.what)) {
    ledger_.note(*incident);
  } else if (const auto* const round = std::get_if<PlayedRound>(&entry.what)) {
    const auto claim = claims_.extract({round->match, round->round});
    return !claim.empty() && ledger_.finish(claim.mapped(), *round);
  }
  return true;
}

}  // namespace pitboss::clients
