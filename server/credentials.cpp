#include "server/credentials.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>

#include <stdexcept>
#include <utility>

namespace pitboss::server {

namespace {

/// Whether the file's mode lets others than its owner read or write it. In a file with an access
/// control list, as systemd makes for a service's user, the group's bits tell of that list, not of
/// a group.
bool is_exposed(const std::string& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) return false;
  const bool has_list = getxattr(file.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
  return (facts.st_mode & (has_list ? S_IRWXO : S_IRWXG | S_IRWXO)) != 0;
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
  }
  return content;
}

std::vector<std::string> Credentials::warnings() const {
  constexpr int enough = 30;
  std::vector<std::string> list;
  const int days = now_.tls ? tls::days_left(*now_.tls) : enough;
  if (days < 0) {
    list.emplace_back("the certificate has expired: clients refuse it");
  } else if (days < enough) {
    list.push_back("the certificate is valid for " + std::to_string(days) + " more days");
  }
  for (const std::string& file : {files_.key, files_.tokens}) {
    if (!file.empty() && is_exposed(file)) {
      list.push_back("others than its owner can use " + file + "; chmod 600 keeps it from them");
    }
  }
  return list;
}

std::set<std::string> Credentials::replace(Content next) {
  std::set<std::string> changed;
  if (now_.tokens) changed = now_.tokens->changed(*next.tokens);
  now_ = std::move(next);
  return changed;
}

}  // namespace pitboss::server
