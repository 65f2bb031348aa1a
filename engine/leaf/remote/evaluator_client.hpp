#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/leaf/remote/remote_service.hpp"

namespace pitboss::engine {

/// How evaluators on other machines are used.
struct EvaluatorSettings {
  std::vector<std::string> urls;  ///< grpc://HOST:PORT or grpcs://HOST:PORT
  std::string ca_file;            ///< certificates that grpcs:// trusts; empty: the system's
  bool falls_back = true;         ///< RemoteService::falls_back
  std::chrono::milliseconds deadline{1000};  ///< for the evaluation of a position, retries included
  std::chrono::microseconds linger{0};       ///< that a position waits for others to join it
  int batch = 256;                           ///< most positions of one request
  int requests = 2;                          ///< most requests under way to one server
  /// Called when a server is left out, with the sentence why, and when it evaluates again, with
  /// none. Any thread, and several at a time; it should not take long.
  std::function<void(const std::string& url, const std::string& why)> on_change{};
};

/// Whether this build has a client for evaluators (the CMake option PITBOSS_REMOTE).
[[nodiscard]] bool has_evaluator_client();

/// A client of these servers, which need not be there yet. Throws std::runtime_error if a URL or
/// the CA file is none, or the build has no client.
[[nodiscard]] std::shared_ptr<RemoteService> make_evaluator_client(
    const EvaluatorSettings& settings);

}  // namespace pitboss::engine
