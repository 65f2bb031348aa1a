#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace pitboss::protocol {

/// The wrong tokens of hosts, so that guessing takes long. A host's place is chosen by its hash:
/// the memory is fixed, and whoever shares a place by chance shares the delay, which keeps nobody
/// out. One thread at a time.
class Guesses {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  /// That a host may show at once.
  static constexpr int most = 10;
  /// After so long without a wrong token they are forgotten.
  static constexpr std::chrono::minutes memory{1};
  /// Of the answer to each token, right or wrong, of a host that has shown more.
  static constexpr std::chrono::seconds delay{3};

  /// The host has shown a wrong token.
  void note(const std::string& host, TimePoint now) {
    Place& place = places_[index_of(host)];
    place.count = now < place.forgotten ? place.count + 1 : 1;
    place.forgotten = now + memory;
  }
  /// Whether the host's tokens are to be answered late.
  [[nodiscard]] bool are_many(const std::string& host, TimePoint now) const {
    const Place& place = places_[index_of(host)];
    return place.count >= most && now < place.forgotten;
  }

 private:
  struct Place {
    int count = 0;
    TimePoint forgotten{};
  };
  static constexpr std::size_t size = 4096;

  static std::size_t index_of(const std::string& host) {
    return std::hash<std::string>{}(host) % size;
  }

  std::array<Place, size> places_{};
};

}  // namespace pitboss::protocol
