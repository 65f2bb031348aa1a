#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "clients/follow/watch.hpp"
#include "protocol/http.hpp"
#include "protocol/http_answers.hpp"

namespace pitboss::clients {

/// What the follow page's server answers (docs/follow.md has the addresses).
class WebAnswers {
 public:
  /// `token` allows to pause experiments; empty: nobody may.
  WebAnswers(Watch& watch, protocol::WebAddress address, std::string token);

  /// From memory, without waiting for any file or database. Any thread.
  [[nodiscard]] protocol::HttpAnswer operator()(const protocol::HttpRequest& request);

 private:
  using Answer = protocol::HttpAnswer;
  using Request = protocol::HttpRequest;

  [[nodiscard]] Answer read(const Request& request, std::string_view path);
  [[nodiscard]] Answer list(const Request& request, bool is_csv);
  [[nodiscard]] Answer part_of(const Request& request, const Shown& shown, std::string_view part);
  [[nodiscard]] Answer obey(const Request& request, std::string_view path);
  /// Whether the request shows the token; else a refusal.
  [[nodiscard]] std::optional<Answer> refusal_of(const Request& request);
  /// Quoted; of this run of the server.
  [[nodiscard]] std::string tag(const std::string& version) const;

  Watch& watch_;
  protocol::WebAddress address_;
  std::string token_;
  std::string run_;  ///< a word that no other run of the server has

  std::mutex mutex_;  ///< of:
  int wrong_tokens_ = 0;
  std::chrono::steady_clock::time_point forgotten_{};
};

}  // namespace pitboss::clients
