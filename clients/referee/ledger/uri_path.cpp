#include "clients/referee/ledger/uri_path.hpp"

#include <cctype>
#include <string_view>

namespace pitboss::clients {

std::string uri_path(const std::filesystem::path& path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view kept = "/-_.~";
  std::string out;
  for (const char c : path.string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || kept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4U];
      out += digits[byte & 15U];
    }
  }
  return out;
}

}  // namespace pitboss::clients
