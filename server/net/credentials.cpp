#include "server/net/credentials.hpp"

#include <sys/stat.h>

#include <stdexcept>
#include <utility>

#include "protocol/secret_file.hpp"

namespace pitboss::server {

namespace {

void warn_of_end(int days, std::vector<std::string>& warnings) {
  constexpr int enough = 30;
  if (days < 0) {
    warnings.emplace_back("the certificate has expired: clients refuse it");
  } else if (days < enough) {
    warnings.push_back("the certificate is valid for " + std::to_string(days) + " more days");
  }
}

}  // namespace

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
    if (!tls::is_valid_yet(*content.tls)) {
      content.warnings.emplace_back("the certificate is not valid yet: clients refuse it");
    }
    warn_of_end(tls::days_left(*content.tls), content.warnings);
  }
  const auto warn_of_others = [&](const std::string& file, mode_t bits, const char* use) {
    auto warning = protocol::warning_of_others(file, bits, use);
    if (!warning.empty()) content.warnings.push_back(std::move(warning));
  };
  constexpr mode_t writing = S_IWGRP | S_IWOTH;
  constexpr mode_t reading = S_IRGRP | S_IROTH;
  warn_of_others(files_.key, writing | reading, "use");
  warn_of_others(files_.evaluator_token, writing | reading, "use");
  warn_of_others(files_.tokens, writing, "write");  // it has hashes only
  return content;
}

std::set<std::string> Credentials::replace(Content next) {
  std::set<std::string> changed;
  if (now_.tokens) changed = now_.tokens->changed(*next.tokens);
  now_ = std::move(next);
  return changed;
}

}  // namespace pitboss::server
