#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/net/shared.hpp"
#include "server/session/running_job.hpp"
#include "server/work/search_helper.hpp"
#include "server/work/slices.hpp"
#include "server/work/worker_pool.hpp"

namespace pitboss::server {

/// The pool's task that runs the jobs of one conversation, one after the other, and has other
/// workers help their searches. A member of its owner, which the pool and the event loop keep while
/// a job runs. All members belong to the I/O thread and do not block, except `work`, which the pool
/// calls.
class JobTask final : public WorkerPool::Task {
 public:
  /// Calls of the I/O thread.
  struct Calls {
    /// The job has a text of so many bytes for the client; whether it is to be kept as `update`
    /// until the client's turn has come.
    std::function<bool(std::size_t bytes)> update;
    std::function<void()> done;  ///< the job is done
  };

  JobTask(Shared& shared, Calls calls) : shared_(shared), calls_(std::move(calls)) {}
  /// At the server's end a job may be left. What else has a share in it, such as a coroutine that
  /// waits, may be destroyed later than the tables.
  ~JobTask() override;
  JobTask(const JobTask&) = delete;
  JobTask& operator=(const JobTask&) = delete;

  /// Gives a job, and the helpers of its search, to the pool, for the client of that account.
  /// `number` is the session's in the log. Throws std::bad_alloc; then there is no job.
  void begin(const std::shared_ptr<void>& owner, std::shared_ptr<RunningJob> job,
             const std::shared_ptr<ClientAccount>& account, std::uint64_t number);
  /// The job that has not been ended; null if there is none.
  [[nodiscard]] RunningJob* job() const { return running_ ? running_->job.get() : nullptr; }
  /// Whether that job is done.
  [[nodiscard]] bool is_done() const { return running_ && running_->is_done; }
  /// Ends the job, which is done. Throws std::runtime_error if it was not for the client's fault.
  [[nodiscard]] std::shared_ptr<RunningJob> end();
  /// The same, whatever it was for, for an owner that has ended already.
  void drop() { static_cast<void>(take()); }

  /// A text for the client that waits to be taken; often none.
  [[nodiscard]] const std::string& update() const { return update_; }
  [[nodiscard]] std::string take_update();

  /// While the client reads slowly, jobs make no updates.
  void note_congestion(bool is_congested);

  /// A slice of the job.
  engine::Progress work() noexcept override;
  [[nodiscard]] std::shared_ptr<engine::Search> search() const override {
    return running_->has_ended ? nullptr : running_->job->search();
  }

 private:
  struct Running {
    std::shared_ptr<RunningJob> job;
    std::weak_ptr<void> owner;
    std::shared_ptr<ClientAccount> account;
    std::uint64_t number;
    std::vector<std::shared_ptr<SearchHelper>> helpers{};
    bool is_done = false;
    // The pool's, until `is_done`.
    Slices slices{};
    bool has_ended = false;  ///< but `done` has not been posted yet
    bool has_failed = false;
  };

  Running take();
  [[nodiscard]] bool wants_updates() const { return !update_posted_ && !congested_; }
  void keep(std::string text);
  void done();

  Shared& shared_;
  const Calls calls_;
  std::optional<Running> running_;
  std::string update_;
  // A running job makes no update while one is on its way, or the client reads slowly.
  std::atomic<bool> update_posted_ = false;
  std::atomic<bool> congested_ = false;
};

}  // namespace pitboss::server
