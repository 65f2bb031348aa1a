#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

/// What the fuzzers share. Each source NAME_fuzz.cpp is one target: it defines `read_bytes`, whose
/// input may be any bytes, and which ends the program if a promise is broken. libFuzzer calls it in
/// the build `fuzz`, replay.cpp in all others.
namespace pitboss::fuzzing {

/// Reads one input.
void read_bytes(std::string_view bytes);

/// Ends the program, as a sanitizer does, unless the promise holds.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

/// The lines of an input, without their line feeds.
inline std::vector<std::string_view> lines_of(std::string_view bytes) {
  std::vector<std::string_view> lines;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    lines.push_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return lines;
}

}  // namespace pitboss::fuzzing

#ifdef PITBOSS_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pitboss::fuzzing::read_bytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
#endif
