#pragma once

#include <compare>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/access.hpp"

namespace pitboss::server {

/// Who may use a server: the file of `--tokens`. Each line is `NAME RIGHT HASH`: a name of 1 to 64
/// letters, digits, '.', '_' or '-'; watch, play or admin; the SHA-256 of the token's text in
/// hexadecimal digits. Blank lines, and text behind #, are ignored.
class Tokens {
 public:
  /// Reads such a text. Throws std::runtime_error, a sentence with the file's `name` and the line
  /// number, for a malformed text, or one that has a name or a hash twice.
  static Tokens parse(std::string_view text, const std::string& name);
  /// The same for a file; throws, too, if it cannot be read.
  static Tokens read(const std::string& file);

  /// The client that has the token, without an address. All tokens of one length take the same
  /// time.
  [[nodiscard]] std::optional<protocol::Identity> client_with(std::string_view token) const;
  /// The names whose lines differ, or are missing, in `next`.
  [[nodiscard]] std::set<std::string> changed(const Tokens& next) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string name;
    protocol::Right right;
    std::string hash;  ///< in lower case

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  std::vector<Entry> entries_;  ///< sorted
};

}  // namespace pitboss::server
