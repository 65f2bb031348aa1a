#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "protocol/tls/tls_stream.hpp"
#include "server/net/tokens.hpp"

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
  /// What the owner should know of the files, for people: a certificate that has expired or soon
  /// does, a key that others than the file's owner can read or write, tokens that they can write.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return now_.warnings; }

  /// What the files hold, and what is to be said of them.
  struct Content {
    std::optional<Tokens> tokens;
    std::shared_ptr<tls::Context> tls;
    std::vector<std::string> warnings;
  };
  /// Reads the files anew. Throws as the constructor. Any thread; takes milliseconds if there are
  /// many tokens.
  [[nodiscard]] Content read() const;
  /// Puts what was read in the place of what there is; the names of tokens that are not as they
  /// were.
  std::set<std::string> replace(Content next);

 private:
  CredentialFiles files_;
  Content now_;
};

}  // namespace pitboss::server
