#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "protocol/tls/tls_stream.hpp"
#include "server/net/tokens.hpp"

namespace pitboss::server {

/// The files of credentials; empty: there are none.
struct CredentialFiles {
  std::string tokens;
  std::string certificate;  ///< with its key, or neither
  std::string key;
  std::string evaluator_token{};  ///< whose reader is the client of evaluators

  /// Whether there is something to read.
  [[nodiscard]] bool any() const { return !tokens.empty() || !certificate.empty(); }
};

/// A server's tokens and certificate, as they were in their files when they were last read.
class Credentials {
 public:
  /// Reads the files. Throws std::runtime_error with a sentence.
  explicit Credentials(CredentialFiles files);

  [[nodiscard]] const std::optional<Tokens>& tokens() const { return now_.tokens; }
  /// For new connections; existing ones keep theirs. Null: there is no certificate.
  [[nodiscard]] const std::shared_ptr<tls::Context>& tls() const { return now_.tls; }
  /// Warnings for the server's owner: a certificate that is not valid yet, has expired or expires
  /// soon, a key or an evaluator's token that others than the file's owner can read or write,
  /// tokens that others can write.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return now_.warnings; }

  /// What the files hold, and warnings about them.
  struct Content {
    std::optional<Tokens> tokens;
    std::shared_ptr<tls::Context> tls;
    std::vector<std::string> warnings;
  };
  /// Reads the files anew. Throws as the constructor does. Any thread; takes milliseconds if there
  /// are many tokens.
  [[nodiscard]] Content read() const;
  /// Replaces the content by `next`, and returns the names of the tokens that have changed.
  std::set<std::string> replace(Content next);

 private:
  CredentialFiles files_;
  Content now_;
};

}  // namespace pitboss::server
