#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine/leaf/network/network_file.hpp"
#include "engine/sha256.hpp"
#include "games/random.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/clients/training/tiny_run.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/sanitized.hpp"
#include "tests/text.hpp"
#include "tests/timing.hpp"

// Whatever is killed while a run goes on, the run is what it would have been.

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using peers::Process;

Process start(const std::vector<std::string>& words) {
  std::vector<std::string> command{tests::bin_folder() + "/pitboss"};
  command.insert(command.end(), words.begin(), words.end());
  return Process(command);
}

/// Kills the processes whose command line has this word and names this run. How many there were.
int kill_all(const std::string& word, const fs::path& run) {
  int killed = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string command = read_text(entry.path() / "cmdline");
    if (command.find(word) == std::string::npos) continue;
    if (command.find(run.string()) == std::string::npos) continue;
    if (::kill(std::stoi(name), SIGKILL) == 0) ++killed;
  }
  return killed;
}

/// The rows that the manifests name, all of them: their files by generation and name.
std::vector<std::string> rows_of(const fs::path& run) {
  std::vector<std::string> all;
  for (const char* generation : {"0001", "0002"}) {
    const fs::path folder = run / "generations" / generation;
    const auto manifest = nlohmann::json::parse(read_text(folder / "manifest.json"));
    int games = 0;
    std::set<std::string> names;
    for (const auto& file : manifest.at("files")) {
      const std::string name = file.at("name");
      CHECK(names.insert(name).second);
      const std::string bytes = read_text(folder / name);
      CHECK(engine::sha256(bytes) == file.at("sha256"));
      games += file.at("games").get<int>();
      // The tensors, which do not tell how long it took to make them.
      std::uint64_t header = 0;
      std::memcpy(&header, bytes.data(), sizeof header);
      all.push_back(bytes.substr(sizeof header + header));
    }
    CHECK(games == 12);
    CHECK(std::distance(fs::directory_iterator(folder), {}) == 4);  // three files and the manifest
  }
  return all;
}

/// A learner that learns nothing, as an executable file. Its files are whole, also beside another
/// learner, whose driver was killed and whose guard has not ended it yet.
void write_learner(const fs::path& path) {
  write_text(path,
             "#!/bin/sh\n"
             "[ $1 = -c ] && echo ready && exit\n"
             "sleep 0.2\n"
             "n=$(printf %04d $6) b=$4/networks/$(printf %04d $(($6 - 1))).safetensors\n"
             "new=$4/networks/$n.$$\n"
             "echo '{\"steps\":3,\"rows_in_window\":9,\"learning_rate\":0.001,\"policy_loss\":2,"
             "\"value_loss\":0.7,\"held_out_rows\":5,\"held_out_policy_loss\":2,\"held_out_value_"
             "loss\":0.7,"
             "\"policy_entropy\":1,\"network_entropy\":1,\"policy_accuracy\":0.5,\"seconds\":1,"
             "\"samples_per_second\":9}' > $new && mv $new $4/learner/$n.json\n"
             "cp $b $new && mv $new $4/networks/$n.safetensors\n");
  fs::permissions(path, fs::perms::owner_all);
}

}  // namespace

TEST_CASE("training: a run is the same, whatever is killed when") {
  if (tests::sanitized) {
    MESSAGE("skipped: too slow with this sanitizer");
    return;
  }
  const ScratchFolder folder;
  write_text(folder / "settings.toml", tiny_settings);
  write_learner(folder / "learner.sh");
  ::setenv("PITBOSS_TORCH_PYTHON", (folder / "learner.sh").c_str(), 1);

  const auto begun = std::chrono::steady_clock::now();
  const fs::path whole = folder / "whole";
  REQUIRE(start({"train", "--settings", (folder / "settings.toml").string(), "--out",
                 whole.string(), "--threads", "2"})
              .wait() == 0);
  const auto length = std::chrono::steady_clock::now() - begun;

  const fs::path run = folder / "run";
  const std::vector<std::string> train{"train", "--settings", (folder / "settings.toml").string(),
                                       "--out", run.string(), "--threads",
                                       "2"};
  const auto train_to_the_end = [&] {
    int code = 0;
    std::string errors;
    // A program that a killed driver was about to start has its lock for a moment.
    REQUIRE(tests::eventually([&] {
      Process last = start(train);
      code = last.wait();
      errors = last.errors();
      return !tests::contains(errors, "another pitboss train works");
    }));
    CAPTURE(errors);
    REQUIRE(code == 0);
    CHECK(rows_of(run) == rows_of(whole));
  };
  games::Random random(1);
  int kills = 0;
  for (int round = 0; kills < 10; ++round) {
    REQUIRE(round < 100);
    Process driver = start(train);
    std::unique_ptr<Process> helper;
    if (fs::exists(run / "settings.toml")) {
      helper = std::make_unique<Process>(std::vector<std::string>{
          tests::bin_folder() + "/pitboss", "selfplay", "--run", run.string()});
    }
    std::this_thread::sleep_for(length * random.below(8) / 8 + 20ms);
    if (round % 3 == 0) {
      driver.signal(SIGKILL);
      static_cast<void>(driver.wait());
      ++kills;
    } else {
      kills += kill_all(round % 3 == 1 ? "selfplay" : "learner.sh", run) > 0 ? 1 : 0;
      driver.signal(SIGTERM);
      static_cast<void>(driver.wait());
    }
    if (fs::exists(run / "networks" / "0002.safetensors")) {
      // It is over: what was there is checked, and another run begins.
      helper.reset();
      train_to_the_end();
      if (kills < 10) fs::remove_all(run);
    }
  }
  train_to_the_end();
  ::unsetenv("PITBOSS_TORCH_PYTHON");
}

TEST_CASE("pitboss train: no folder is made before there is a learner") {
  const ScratchFolder folder;
  ::setenv("PITBOSS_TORCH_PYTHON", "/bin/false", 1);
  Process lost = start({"train", "--game", "hex size=3", "--out", (folder / "run").string()});
  CHECK(lost.wait() == 2);
  CHECK(lost.errors().starts_with("pitboss: the learner cannot run in /bin/false ("));
  CHECK_FALSE(fs::exists(folder / "run"));
  ::unsetenv("PITBOSS_TORCH_PYTHON");

  // Of several Pythons the first one that can run the learner is taken.
  fs::create_directories(folder / "poor");
  fs::create_directories(folder / "rich/bin");
  write_text(folder / "poor/python3", "#!/bin/sh\nexit 1\n");
  fs::permissions(folder / "poor/python3", fs::perms::owner_all);
  write_learner(folder / "rich/bin/python3");
  write_text(folder / "settings.toml", tiny_settings);
  const auto train_with = [&](const std::string& variables) {
    Process program({"/bin/sh", "-c",
                     "PATH=" + (folder / "poor").string() + ":$PATH " + variables + " " +
                         tests::bin_folder() + "/pitboss train --settings " +
                         (folder / "settings.toml").string() + " --out " +
                         (folder / "run").string() + " --minutes 0.001"});
    CHECK(program.wait() == 0);
    return program.errors();
  };
  const std::string told = train_with("VIRTUAL_ENV=" + (folder / "rich").string());
  CHECK(told.find("the time is over: ") != std::string::npos);
  CHECK(told.find("pitboss train --out " + (folder / "run").string() + " goes on") !=
        std::string::npos);
  CHECK(fs::exists(folder / "run/networks/0000.safetensors"));
}

}  // namespace pitboss::clients
