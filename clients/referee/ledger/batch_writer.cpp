#include "clients/referee/ledger/batch_writer.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

namespace pitboss::clients {

namespace asio = boost::asio;

BatchWriter::BatchWriter(asio::any_io_executor executor, Transact transact)
    : executor_(std::move(executor)), transact_(std::move(transact)), gathering_(executor_) {}

BatchWriter::~BatchWriter() {
  thread_.join();
  if (failure_ || waiting_.empty()) return;
  try {
    write(waiting_);
  } catch (...) {  // NOLINT(bugprone-empty-catch): what is not written is played again
  }
}

asio::awaitable<bool> BatchWriter::finish(Write write) {
  bool is_written = false;
  asio::steady_timer done(executor_, asio::steady_timer::time_point::max());
  add(Entry{std::move(write), &is_written, &done});
  boost::system::error_code ignored;
  co_await done.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  if (failure_) std::rethrow_exception(failure_);
  co_return is_written;
}

asio::awaitable<void> BatchWriter::settle() {
  is_closing_ = true;
  gathering_.cancel();
  co_await finish([] { return true; });
}

void BatchWriter::add(Entry entry) {
  waiting_.push_back(std::move(entry));
  if (is_working_) return;
  is_working_ = true;
  asio::co_spawn(executor_, work(), asio::detached);
}

asio::awaitable<void> BatchWriter::work() {
  while (!waiting_.empty()) {
    if (!is_closing_ && !is_in_haste_) {
      gathering_.expires_after(gathering_time);
      boost::system::error_code ignored;
      co_await gathering_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    is_in_haste_ = false;
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

void BatchWriter::write(std::vector<Entry>& batch) {
  transact_([&] {
    for (Entry& entry : batch) {
      const bool is_written = entry.write();
      if (entry.is_written) *entry.is_written = is_written;
    }
  });
}

}  // namespace pitboss::clients
