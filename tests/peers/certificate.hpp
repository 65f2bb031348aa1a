#pragma once

#include <chrono>
#include <string>

#include "tests/clients/scratch_folder.hpp"

namespace pitboss::tests {

/// A new certificate for localhost and 127.0.0.1 that vouches for itself, and its key, in files of
/// a folder of its own. It is valid from `since` (from now) until `valid`.
class Certificate {
 public:
  explicit Certificate(std::chrono::seconds valid = std::chrono::hours(1),
                       std::chrono::seconds since = std::chrono::hours(-1));

  /// Makes another one in the same files.
  void renew();
  [[nodiscard]] std::string file() const { return (folder_ / "certificate.pem").string(); }
  [[nodiscard]] std::string key() const { return (folder_ / "key.pem").string(); }

 private:
  std::chrono::seconds valid_;
  std::chrono::seconds since_;
  clients::ScratchFolder folder_;
};

}  // namespace pitboss::tests
