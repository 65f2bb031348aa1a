#include "clients/launch/supervisor.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace {

/// A launch whose hosts are shell scripts, and what it tells of them.
class Hosts {
 public:
  explicit Hosts(boost::asio::io_context& io) : io_(io) {}

  /// `script` finds in $try how often it has been started, and leaves the number in a file "NAME".
  void add(const std::string& name, const std::string& script) {
    const std::string begin = "cd '" + folder_.path().string() + "'\ntry=$(($(cat " + name +
                              " 2>/dev/null) + 1))\necho $try > " + name + "\n";
    charges_.push_back({.name = name, .command = {"sh", "-c", begin + script}, .is_remote = true});
  }
  void start() {
    supervisor_.emplace(io_, charges_, [&](const std::string& note) { notes_.push_back(note); });
    supervisor_->start([] {});
  }
  [[nodiscard]] bool is_finished() const { return supervisor_->is_finished(); }
  [[nodiscard]] bool has_noted(const std::string& note) const {
    return std::ranges::count(notes_, note) > 0;
  }

 private:
  boost::asio::io_context& io_;
  ScratchFolder folder_;
  std::vector<Charge> charges_;
  std::vector<std::string> notes_;
  std::optional<Supervisor> supervisor_;
};

}  // namespace

TEST_CASE("hosts that are back do not play, or fail, as any other") {
  boost::asio::io_context io{1};
  Hosts played(io);
  played.add("a",
             "case $try in 1) echo plays; exit 255;; 2) echo no database >&2; exit 2;; esac; "
             "exit 0");
  played.start();

  // While one host fails, without a word, another one refuses.
  Hosts silent(io);
  silent.add("b",
             "case $try in 1) exit 255;; 2) echo failed >&2; exit 1;; esac; "
             "until [ -e refused ]; do sleep 0.05; done; sleep 0.5; exit 0");
  silent.add("c",
             "until grep -q 3 b 2>/dev/null; do sleep 0.05; done; touch refused; echo no >&2; "
             "exit 2");
  silent.start();
  io.run();

  CHECK(played.has_noted("a has ended (no database); starting it again"));
  CHECK(played.is_finished());
  CHECK(silent.has_noted("b has ended (failed); starting it again"));
  CHECK(silent.has_noted("c does not play: no"));
  CHECK(silent.is_finished());
}

}  // namespace pitboss::clients
