#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "server/tokens.hpp"
#include "tls/tls_stream.hpp"

namespace pitboss::server {

/// Where credentials are; empty: there are none.
struct CredentialFiles {
  std::string tokens;
  std::string certificate;  ///< with its key, or neither
  std::string key;

  [[nodiscard]] bool any() const { return !tokens.empty() || !certificate.empty(); }
};

/// A server's tokens and certificate, as they were in their files when they were last read.
class Credentials {
 public:
  /// Reads the files. Throws std::runtime_error with a sentence.
  explicit Credentials(CredentialFiles files);

  [[nodiscard]] const std::optional<Tokens>& tokens() const { return now_.tokens; }
  /// Null: there is no certificate. New connections use it; those that there are keep theirs.
  [[nodiscard]] const std::shared_ptr<tls::Context>& tls() const { return now_.tls; }

  /// Reads the files anew; the names of tokens that are not as they were. Throws as the
  /// constructor, and keeps everything, if one of the files is not in order.
  std::set<std::string> reload();

 private:
  struct Content {
    std::optional<Tokens> tokens;
    std::shared_ptr<tls::Context> tls;
  };
  [[nodiscard]] Content read() const;

  CredentialFiles files_;
  Content now_;
};

}  // namespace pitboss::server
