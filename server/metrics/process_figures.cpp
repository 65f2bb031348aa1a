#include "server/metrics/process_figures.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace pitboss::server {

ProcessFigures process_figures() {
  long size = 0;
  long resident = 0;  // pages
  const bool is_known = bool(std::ifstream("/proc/self/statm") >> size >> resident);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  const double bytes = static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return {is_known ? std::optional(bytes) : std::nullopt,
          seconds(usage.ru_utime) + seconds(usage.ru_stime)};
}

}  // namespace pitboss::server
