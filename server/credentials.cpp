#include "server/credentials.hpp"

#include <stdexcept>
#include <utility>

namespace pitboss::server {

Credentials::Credentials(CredentialFiles files) : files_(std::move(files)) {
  if (files_.certificate.empty() != files_.key.empty()) {
    throw std::runtime_error("--certificate and --key belong together");
  }
  now_ = read();
}

Credentials::Content Credentials::read() const {
  Content content;
  if (!files_.tokens.empty()) content.tokens = Tokens::read(files_.tokens);
  if (!files_.certificate.empty()) {
    content.tls = tls::server_context(files_.certificate, files_.key);
  }
  return content;
}

std::set<std::string> Credentials::replace(Content next) {
  std::set<std::string> changed;
  if (now_.tokens) changed = now_.tokens->changed(*next.tokens);
  now_ = std::move(next);
  return changed;
}

}  // namespace pitboss::server
