#include "server/net/credentials.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

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

/// Warns if the file's mode gives any of `bits` to others than its owner. With an access control
/// list, as systemd makes for a service's user, the group's bits describe the list, not a group.
/// Only the owner, who can follow it, gets the advice.
void warn_of_others(const std::string& file, mode_t bits, const char* use,
                    std::vector<std::string>& warnings) {
  struct stat facts {};
  if (file.empty() || stat(file.c_str(), &facts) != 0) return;
  const bool has_list = getxattr(file.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
  const mode_t others = has_list ? S_IRWXO : S_IRWXG | S_IRWXO;
  if ((facts.st_mode & others & bits) == 0) return;
  warnings.push_back(std::string("others than its owner can ") + use + " " + file +
                     (facts.st_uid == geteuid() ? "; chmod 600 keeps it from them" : ""));
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
    warn_of_end(tls::days_left(*content.tls), content.warnings);
  }
  constexpr mode_t writing = S_IWGRP | S_IWOTH;
  warn_of_others(files_.key, writing | S_IRGRP | S_IROTH, "use", content.warnings);
  warn_of_others(files_.tokens, writing, "write", content.warnings);  // it has hashes only
  return content;
}

std::set<std::string> Credentials::replace(Content next) {
  std::set<std::string> changed;
  if (now_.tokens) changed = now_.tokens->changed(*next.tokens);
  now_ = std::move(next);
  return changed;
}

}  // namespace pitboss::server
