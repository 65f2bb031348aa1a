#include "clients/experiments/access.hpp"

#include <sstream>

#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

Access read_access(const std::filesystem::path& token_file, const std::filesystem::path& ca_file) {
  Access access;
  if (!ca_file.empty()) {
    static_cast<void>(read_text_file(ca_file));
    access.ca_file = ca_file.string();
  }
  if (token_file.empty()) return access;
  std::istringstream words(read_text_file(token_file));
  std::string more;
  if (!(words >> access.token) || words >> more) {
    throw UserError(token_file.string() + " is to hold a token, one word, and nothing else");
  }
  return access;
}

}  // namespace pitboss::clients
