#include "server/net/job_task.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

namespace pitboss::server {

namespace asio = boost::asio;

JobTask::~JobTask() {
  if (running_) running_->job->drop_job();
}

void JobTask::begin(const std::shared_ptr<void>& owner, std::shared_ptr<RunningJob> job,
                    const std::shared_ptr<ClientAccount>& account, std::uint64_t number) {
  const auto search = job->search();
  const int threads = search ? std::min(search->threads(), shared_.pool.threads()) : 1;
  std::vector<std::shared_ptr<SearchHelper>> helpers;
  for (int i = 1; i < threads; ++i) helpers.push_back(std::make_shared<SearchHelper>(search));
  // A short line does not wait for the client's searches, since it may keep a table from others.
  const bool is_short = job->is_short();
  running_ = Running{std::move(job), owner, account, number, helpers};
  try {
    shared_.pool.submit({owner, this}, is_short ? nullptr : account->turns);
  } catch (...) {
    running_.reset();  // `done` will not be called
    throw;
  }
  ++shared_.gauges.searching;
  if (!is_short) ++account->searching;
  try {
    for (const auto& helper : helpers) shared_.pool.submit(helper, account->turns);
  } catch (const std::bad_alloc&) {
    spdlog::warn(
        "session {}: not enough memory for all threads of a search; the search goes on with fewer",
        number);
  }
}

engine::Progress JobTask::work() noexcept {
  Running& running = *running_;
  if (!running.has_ended) {
    try {
      const auto progress = running.job->run(running.slices.next(), wants_updates());
      if (progress != engine::Progress::done) {
        std::string text = running.job->take_text();
        if (text.empty()) return progress;
        update_posted_ = true;
        asio::post(shared_.io, [this, owner = running.owner.lock(),
                                text = std::move(text)]() mutable { keep(std::move(text)); });
        return progress;
      }
    } catch (const std::exception& exception) {
      spdlog::error("session {}: {}", running.number, exception.what());
      running.has_failed = true;
    }
    running.has_ended = true;
  }
  try {
    asio::post(shared_.io, [this, owner = running.owner.lock()] { done(); });
  } catch (const std::bad_alloc&) {
    return engine::Progress::runnable;  // to post it at the next turn
  }
  return engine::Progress::done;
}

void JobTask::keep(std::string text) {
  update_ = std::move(text);
  if (!calls_.update(update_.size())) static_cast<void>(take_update());
}

std::string JobTask::take_update() {
  update_posted_ = false;
  shared_.pool.resume(*this);  // it may be parked without a time for its next update
  return std::exchange(update_, {});
}

void JobTask::done() {
  running_->is_done = true;
  calls_.done();
}

JobTask::Running JobTask::take() {
  Running ended = *std::exchange(running_, std::nullopt);
  for (const auto& helper : ended.helpers) shared_.pool.resume(*helper);  // finds it over
  --shared_.gauges.searching;
  if (!ended.job->is_short()) --ended.account->searching;
  return ended;
}

std::shared_ptr<RunningJob> JobTask::end() {
  Running ended = take();
  if (ended.has_failed) throw std::runtime_error("a command failed");
  return std::move(ended.job);
}

void JobTask::note_congestion(bool is_congested) {
  if (congested_.exchange(is_congested) && !is_congested) shared_.pool.resume(*this);
}

}  // namespace pitboss::server
