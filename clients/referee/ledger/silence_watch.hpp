#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "environment/awake_clock.hpp"

namespace pitboss::clients {

/// Cuts a connection off whose server is silent though its machine lives, as one that is frozen:
/// libpq would wait for it forever. Looks once a second, on a thread of its own.
class SilenceWatch {
 public:
  using Clock = environment::AwakeClock;

  /// `most` tells on the other thread how long the server of this socket may be silent now.
  SilenceWatch(int socket, std::function<std::chrono::milliseconds()> most);

  /// Silence counts while there is one of these.
  class Question {
   public:
    explicit Question(SilenceWatch& watch) : watch_(watch) { watch_.asked_ = Clock::now(); }
    ~Question() { watch_.asked_ = Clock::time_point(); }
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

   private:
    SilenceWatch& watch_;
  };

 private:
  void look() const;

  int socket_;
  std::function<std::chrono::milliseconds()> most_;
  std::atomic<Clock::time_point> asked_{Clock::time_point()};  ///< nothing: nobody waits
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace pitboss::clients
