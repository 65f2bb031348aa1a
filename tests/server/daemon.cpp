#include "tests/server/daemon.hpp"
#include "tests/folders.hpp"

namespace pitboss::tests {

namespace {

std::vector<std::string> command(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{tests::bin_folder() + "/pitbossd"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace

Daemon::Daemon(const std::vector<std::string>& arguments) : Process(command(arguments)) {}

std::string Daemon::address_of(std::string_view line) {
  const auto begin = line.find(' ') + 1;
  return std::string(line.substr(begin, line.rfind(' ') - begin));
}

std::uint16_t Daemon::port_of(std::string_view line) {
  const std::string address = address_of(line);
  return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
}

}  // namespace pitboss::tests
