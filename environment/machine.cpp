#include "environment/machine.hpp"

#include <unistd.h>

#include <array>
#include <fstream>

#include "environment/processors.hpp"

namespace pitboss::environment {

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string boot_id() {
  std::string id;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::getline(file, id);
  return id;
}

std::string processor_name() {
  std::string model = "unknown";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    model = line.substr(colon + 2);
    break;
  }
  const int threads = processors();
  return model + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

double load(const std::filesystem::path& root) {
  double last_minute = 0;
  std::ifstream(root / "proc/loadavg") >> last_minute;
  return last_minute;
}

}  // namespace pitboss::environment
