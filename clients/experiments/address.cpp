#include "clients/experiments/address.hpp"

#include <sys/stat.h>

#include <iostream>
#include <set>
#include <sstream>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "protocol/secret_file.hpp"

namespace pitboss::clients {

std::string Address::text() const {
  const bool is_v6 = host.find(':') != std::string::npos;
  return (tls ? "tls://" : "") + (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Address parse_address(std::string_view text) {
  const UserError wrong("\"" + std::string(text) +
                        "\" is not an address; expected HOST:PORT or tls://HOST:PORT");
  constexpr std::string_view scheme = "tls://";
  const bool tls = text.starts_with(scheme);
  if (tls) text.remove_prefix(scheme.size());
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) throw wrong;

  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    throw wrong;
  }
  if (host.empty() || host.find_first_of(" \t[]") != std::string_view::npos) throw wrong;

  const auto port = number_in<std::uint16_t>(text.substr(colon + 1));
  if (!port || *port == 0) throw wrong;
  return {std::string(host), *port, tls};
}

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
    throw UserError(token_file.string() +
                    " must hold a token, which is one word, and nothing else");
  }
  warn_of_others(token_file);
  return access;
}

void warn_of_others(const std::filesystem::path& token_file) {
  static std::set<std::filesystem::path> told;
  constexpr mode_t bits = S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
  const std::string warning = protocol::warning_of_others(token_file.string(), bits, "use");
  if (!warning.empty() && told.insert(token_file).second)
    std::cerr << "pitboss: " << warning << '\n';
}

}  // namespace pitboss::clients
