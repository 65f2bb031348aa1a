#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "clients/results/serve/watch.hpp"
#include "protocol/guesses.hpp"
#include "protocol/http.hpp"
#include "protocol/http_answers.hpp"

namespace pitboss::clients {

/// What the follow page's server answers (docs/report.md has the addresses).
class WebAnswers {
 public:
  /// `token` allows to pause experiments; empty: nobody may.
  WebAnswers(Watch& watch, protocol::WebAddress address, std::string token);

  /// To a host, from memory, without waiting for any file or database. Any thread.
  [[nodiscard]] protocol::HttpAnswer operator()(const protocol::HttpRequest& request,
                                                const std::string& host);
  /// For how long the answer has to wait, since the host has shown many wrong tokens. Any thread.
  [[nodiscard]] std::chrono::seconds delay_of(const protocol::HttpRequest& request,
                                              const std::string& host);
  /// Whether the answer may have all games, or has to wait for one that has.
  [[nodiscard]] static bool takes_long(const protocol::HttpRequest& request);

 private:
  using Answer = protocol::HttpAnswer;
  using Request = protocol::HttpRequest;

  [[nodiscard]] Answer read(const Request& request, std::string_view path);
  /// The list in one of its forms.
  [[nodiscard]] Answer list(const Request& request, std::string_view path);
  [[nodiscard]] Answer part_of(const Request& request, const Shown& shown, std::string_view part);
  /// The games, what the board shows of them, or another table: "NAME.json", "NAME.csv".
  [[nodiscard]] static Answer table_of(const Request& request, const Shown& shown,
                                       std::string_view part, const std::string& version);
  [[nodiscard]] Answer obey(const Request& request, std::string_view path, const std::string& host);
  /// Whether the request shows the token; else a refusal.
  [[nodiscard]] std::optional<Answer> refusal_of(const Request& request, const std::string& host);
  /// Quoted; of this run of the server.
  [[nodiscard]] std::string tag(const std::string& version) const;

  Watch& watch_;
  protocol::WebAddress address_;
  std::string token_;
  std::string run_;  ///< a word that no other run of the server has

  std::mutex mutex_;  ///< of:
  protocol::Guesses guesses_;
};

}  // namespace pitboss::clients
