#include "clients/referee/new_referee.hpp"

#include <unistd.h>

#include <array>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <fstream>
#include <string>
#include <thread>

#include "protocol/version.hpp"

namespace pitboss::clients {

namespace {

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// Tells machines of the same name apart, such as clones: as long as they run.
std::string machine() {
  std::string ids;
  for (const char* path : {"/etc/machine-id", "/proc/sys/kernel/random/boot_id"}) {
    std::ifstream file(path);
    std::string id;
    std::getline(file, id);
    ids += id + "\n";
  }
  const boost::uuids::name_generator_sha1 named(boost::uuids::ns::oid());
  return boost::uuids::to_string(named(ids)).substr(0, 8);
}

/// "AMD EPYC 7B13, 2 threads".
std::string processor() {
  std::string model = "unknown";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    model = line.substr(colon + 2);
    break;
  }
  const unsigned threads = std::thread::hardware_concurrency();
  return model + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

}  // namespace

RefereeEntry new_referee(const std::filesystem::path& folder) {
  RefereeEntry out;
  out.id = boost::uuids::to_string(boost::uuids::random_generator()());
  out.host = host_name();
  out.name = out.host + "." + machine() + ":" + std::filesystem::weakly_canonical(folder).string();
  out.processor = processor();
  out.program = protocol::version_of("pitboss");
  return out;
}

}  // namespace pitboss::clients
