#include "protocol/secret_file.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace pitboss::protocol {

std::string warning_of_others(const std::string& file, mode_t bits, const char* use) {
  struct stat facts {};
  if (file.empty() || stat(file.c_str(), &facts) != 0) return {};
  const bool has_list = getxattr(file.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
  const mode_t others = has_list ? S_IRWXO : S_IRWXG | S_IRWXO;
  if ((facts.st_mode & others & bits) == 0) return {};
  return std::string("others than its owner can ") + use + " " + file +
         (facts.st_uid == geteuid() ? "; chmod 600 keeps it from them" : "");
}

}  // namespace pitboss::protocol
