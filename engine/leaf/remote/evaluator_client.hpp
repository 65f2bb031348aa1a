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
  std::string token_file{};       ///< has a token, which is shown to the servers; empty: none is
  /// http://HOST:PORT, through which servers on other machines are reached; empty: directly. Those
  /// on this machine always are, and the environment's proxies are not looked at.
  std::string proxy{};
  bool falls_back = true;                    ///< RemoteService::falls_back
  std::chrono::milliseconds deadline{1000};  ///< for the evaluation of a position, retries included
  std::chrono::microseconds linger{0};       ///< that a position waits for others to join it
  int batch = 256;                           ///< most positions of one request
  int requests = 2;                          ///< most requests under way to one server
  /// Called when a server is left out, with the reason, and when it evaluates again, with none; the
  /// same for one network, which is named then. Any thread, and several at a time; it should not
  /// take long.
  std::function<void(const std::string& url, const std::string& network, const std::string& why)>
      on_change{};
};

/// Whether this build has a client for evaluators (the CMake option PITBOSS_REMOTE).
[[nodiscard]] bool has_evaluator_client();

/// A client of these servers, which need not be there yet. Throws std::runtime_error if a URL or a
/// file is none, or the build has no client.
[[nodiscard]] std::shared_ptr<RemoteService> make_evaluator_client(
    const EvaluatorSettings& settings);

}  // namespace pitboss::engine
