#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clients/referee/ledger/ledger.hpp"
#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/timing.hpp"

// `pitboss test`: two commits of an engine, in a repository that the test makes. All paths have
// blanks.

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A repository of an engine that a script builds of the file `manner`, which names one of the
/// scripted engine's.
class EngineRepository {
 public:
  EngineRepository() : top_(scratch_ / "an engine") {
    fs::create_directories(top_);
    git({"init", "--quiet"});
    // The engine reads nothing of where it is started from, but for its own file.
    write_text(top_ / "build.sh", "printf '#!/bin/sh\\nexec \"" + tests::bin_folder() +
                                      "/pitboss_scripted_engine\" gtp %s connect4\\n' \"$(cat "
                                      "manner)\" >engine && chmod +x engine\n");
    write_text(top_ / ".gitignore", "engine\n");
  }

  void git(const Words& words) const {
    Words command{"/usr/bin/env", "git",
                  "-C",           top_.string(),
                  "-c",           "user.name=A",
                  "-c",           "user.email=a@b",
                  "-c",           "commit.gpgsign=false"};
    command.insert(command.end(), words.begin(), words.end());
    const auto end = peers::ended(command);
    REQUIRE_MESSAGE(end.code == 0, end.err);
  }

  /// A commit of an engine of that manner, and a tag.
  void commit(const std::string& tag, const std::string& manner, const std::string& note = "") {
    write_text(top_ / "manner", manner);
    write_text(top_ / "note", note);
    git({"add", "--all"});
    git({"commit", "--quiet", "--message", "it plays as " + tag});
    git({"tag", tag});
  }

  [[nodiscard]] const fs::path& top() const { return top_; }
  [[nodiscard]] fs::path operator/(const std::string& name) const { return scratch_ / name; }
  [[nodiscard]] fs::path out() const { return scratch_ / "the out"; }
  [[nodiscard]] fs::path cache() const { return scratch_ / "the cache"; }

  [[nodiscard]] Words command(const std::string& base, const std::string& newer,
                              const Words& more = {}, const std::string& build = "sh build.sh",
                              const std::string& run = "./engine") const {
    Words words{tests::bin_folder() + "/pitboss",
                "test",
                "--repository",
                top_.string(),
                "--base",
                base,
                "--new",
                newer,
                "--build",
                build,
                "--run",
                run,
                "--speaks",
                "gtp",
                "--game",
                "connect4",
                "--cache",
                cache().string(),
                "--out",
                out().string(),
                "--json",
                (scratch_ / "test.json").string(),
                "--markdown",
                (scratch_ / "test.md").string()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  [[nodiscard]] nlohmann::json json() const {
    return nlohmann::json::parse(read_text(scratch_ / "test.json"));
  }
  [[nodiscard]] std::string markdown() const { return read_text(scratch_ / "test.md"); }
  [[nodiscard]] std::vector<fs::path> builds() const {
    std::vector<fs::path> all;
    if (!fs::exists(cache())) return all;
    for (const auto& entry : fs::directory_iterator(cache())) {
      if (entry.is_directory()) all.push_back(entry.path());
    }
    return all;
  }

 private:
  ScratchFolder scratch_;
  fs::path top_;
};

/// A test that errs once in a thousand times.
const Words sure{"--sprt", "elo0=0 elo1=100 alpha=0.001 beta=0.001"};

}  // namespace

TEST_CASE("pitboss test: better, not better; builds are kept, and the same command has the end") {
  EngineRepository engine;
  engine.commit("strong", "sees-100");
  engine.commit("weak", "sees-0");
  engine.commit("equal", "sees-0", "another note");

  const auto better = peers::ended(engine.command("weak", "strong", sure));
  CAPTURE(better.err);
  CHECK(better.code == 0);
  CHECK(says(better.out, "\nverdict    better\n"));
  CHECK(says(better.err, "building "));
  CHECK(says(better.err, "does not repeat: "));
  CHECK(engine.builds().size() == 2);
  const auto json = engine.json();
  CHECK(json["verdict"] == "better");
  CHECK(json["new"]["asked"] == "strong");
  CHECK(json["new"]["subject"] == "it plays as strong");
  CHECK(json["match"]["sprt"]["decision"] == "elo1");
  CHECK(json["match"]["score"].get<double>() > 0.5);
  const std::string comment = engine.markdown();
  CHECK_MESSAGE(says(comment, ": better\n"), comment);
  CHECK_MESSAGE(says(comment, "accepted +100 normalized Elo, not 0"), comment);
  CHECK_MESSAGE(says(comment, "| LLR | +"), comment);
  CHECK_MESSAGE(says(comment, "(weak): it plays as weak"), comment);
  CHECK_MESSAGE(says(comment, "| games lost by failures | none |"), comment);

  const auto again = peers::ended(engine.command("weak", "strong", sure));
  CHECK(again.code == 0);
  CHECK(says(again.err, "built before: "));
  CHECK_FALSE(says(again.err, "building "));
  CHECK(engine.json()["match"] == json["match"]);

  // Its experiment is one of the referee's.
  const auto plan = peers::ended({tests::bin_folder() + "/pitboss", "referee", "--experiment",
                                  (engine.out() / "experiment.toml").string(), "--plan"});
  CHECK(plan.code == 0);
  CHECK(says(plan.out, "[\"env\",\"-C\",\"" + engine.cache().string()));

  // Another pair is another test.
  const auto other = peers::ended(engine.command("strong", "weak", sure));
  CHECK(other.code == 2);
  CHECK(says(other.err, "pitboss: "));

  const auto worse =
      peers::ended(engine.command("strong", "weak", {sure[0], sure[1], "--seed", "2", "--ledger"}));
  CHECK(worse.code == 2);  // no such flag
  fs::remove_all(engine.out());
  const auto weaker = peers::ended(engine.command("strong", "weak", sure));
  CHECK(weaker.code == 4);
  CHECK(says(weaker.out, "\nverdict    not better\n"));
  fs::remove_all(engine.out());
  const auto equal = peers::ended(engine.command("weak", "equal", sure));
  CHECK(equal.code == 4);
  fs::remove_all(engine.out());
  const auto not_weaker = peers::ended(
      engine.command("weak", "strong", {"--sprt", "elo0=-100 elo1=0 alpha=0.001 beta=0.001"}));
  CHECK(not_weaker.code == 0);
}

TEST_CASE("pitboss test: what no game can decide is said, and not played") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays", "only this differs");
  engine.commit("three", "plays-last");
  const auto same = peers::ended(engine.command("one", "one"));
  CHECK(same.code == 5);
  CHECK(says(same.out, "verdict    undecided: both commits hold the same files"));
  CHECK(says(engine.markdown(), "both commits hold the same files"));
  CHECK_FALSE(fs::exists(engine.out()));
  CHECK(engine.builds().empty());

  const Words random{"--openings", "random:2"};
  const auto alike = peers::ended(engine.command("one", "two", random));
  CHECK(alike.code == 5);
  CHECK(says(alike.err, "both choose the same first moves after all of 8 openings"));
  CHECK_FALSE(says(alike.err, "does not repeat"));
  CHECK(says(alike.out, "both play the same moves: in each of 32 rounds"));
  CHECK(engine.json()["rounds_alike"] == 32);
  CHECK(peers::ended(engine.command("one", "two", random)).code == 5);  // nor after that
  CHECK(says(engine.json()["why"].get<std::string>(), "; --play-same plays on"));
  fs::remove_all(engine.out());
  Words to_the_end = random;
  to_the_end.insert(to_the_end.end(), {"--games", "80"});
  CHECK(peers::ended(engine.command("one", "two", to_the_end)).code == 5);
  CHECK(engine.json()["rounds_alike"] == 32);
  to_the_end.emplace_back("--play-same");
  CHECK(peers::ended(engine.command("one", "two", to_the_end)).code == 5);
  CHECK(engine.json()["rounds_alike"] == 40);
  CHECK_FALSE(says(engine.json()["why"].get<std::string>(), "--play-same"));

  fs::remove_all(engine.out());
  const auto few = peers::ended(engine.command("one", "three", {"--games", "4"}));
  CHECK(few.code == 5);
  CHECK(says(few.out, "games             4 of 4"));
  CHECK(says(few.out, "\nverdict    undecided\n"));
}

TEST_CASE("pitboss test: programs that are the same, byte for byte, play if that is wanted") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays-last");
  const std::string copy = "cp '" + tests::bin_folder() + "/pitboss_scripted_engine' engine";
  const std::string run = "./engine gtp plays connect4";
  const auto same = peers::ended(engine.command("one", "two", {}, copy, run));
  CHECK(same.code == 5);
  CHECK(says(same.out, "both commits build the same program, byte for byte"));
  CHECK_FALSE(fs::exists(ledger_path(engine.out())));
  const auto played =
      peers::ended(engine.command("one", "two", {"--play-same", "--games", "2"}, copy, run));
  CHECK(played.code == 5);
  CHECK(says(played.out, "2 of 2"));
}

TEST_CASE("pitboss test: a build that fails is told, and begins anew") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays-last");
  const std::string failing = "echo begins; test ! -e '" + (engine / "fails").string() +
                              "' || { echo no such header >&2; exit 7; }; sh build.sh";
  write_text(engine / "fails", "");
  for (int i = 0; i < 2; ++i) {
    const auto failed = peers::ended(engine.command("one", "two", {"--games", "2"}, failing));
    CHECK(failed.code == 1);
    CHECK(says(failed.err, "building "));
    CHECK(says(failed.err, "has failed [exit code 7]"));
    CHECK(says(failed.err, "\n  begins\n  no such header\n"));
    CHECK(says(failed.out, "verdict    failed: the build of "));
    CHECK(says(engine.markdown(), "```\n  begins\n  no such header\n```"));
    CHECK(engine.json()["verdict"] == "failed");
    CHECK_FALSE(fs::exists(ledger_path(engine.out())));
  }
  const auto fences = peers::ended(
      engine.command("one", "two", {}, "echo '```'; echo '@all'; echo '````'; exit 1"));
  CHECK(fences.code == 1);
  CHECK_MESSAGE(says(engine.markdown(), "\n`````\n  ```\n  @all\n  ````\n`````\n"),
                engine.markdown());
  fs::remove(engine / "fails");
  CHECK(peers::ended(engine.command("one", "two", {"--games", "2"}, failing)).code == 5);
}

TEST_CASE("pitboss test: killed and interrupted in a build, it builds anew") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays-last");
  const std::string mark = (engine / "mark").string();
  const std::string slow = "sh build.sh; if ! test -e '" + mark + "'; then echo >'" + mark +
                           "'; rm engine; sleep 1000; fi";
  for (const int signal : {SIGKILL, SIGINT}) {
    fs::remove(mark);
    fs::remove_all(engine.cache());
    peers::Process process(engine.command("one", "two", {"--games", "2"}, slow));
    REQUIRE(tests::eventually([&] { return fs::exists(mark); }));
    process.signal(signal);
    CHECK(process.wait() == (signal == SIGKILL ? 128 + SIGKILL : 130));
    const auto end = peers::ended(engine.command("one", "two", {"--games", "2"}, slow));
    CAPTURE(end.err);
    CHECK(end.code == 5);
    CHECK_FALSE(says(end.err, "built before"));
  }
}

TEST_CASE(
    "pitboss test: killed in the match, the same command has the games of an undisturbed one") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays-last");
  const Words long_one{"--openings",
                       "random:3",
                       "--sprt",
                       "elo0=-100 elo1=100 alpha=0.0000001 "
                       "beta=0.0000001",
                       "--games",
                       "600",
                       "--concurrency",
                       "4"};
  peers::Process process(engine.command("one", "two", long_one));
  const auto log = ledger_path(engine.out()).string() + "-wal";
  REQUIRE(tests::eventually([&] { return read_text(log).size() >= 100'000; }));
  process.signal(SIGKILL);
  process.wait();
  const auto resumed = peers::ended(engine.command("one", "two", long_one));
  CAPTURE(resumed.err);
  const std::string games = text_without_seconds(engine.out() / "games.csv");
  fs::remove_all(engine.out());
  const auto whole = peers::ended(engine.command("one", "two", long_one));
  CHECK(resumed.code == whole.code);
  CHECK(resumed.code != 1);
  CHECK(games == text_without_seconds(engine.out() / "games.csv"));
}

TEST_CASE("pitboss test: engines that fail") {
  EngineRepository engine;
  engine.commit("good", "plays");
  engine.commit("exits", "exits");
  engine.commit("crashes", "crashes");
  const auto exits = peers::ended(engine.command("good", "exits"));
  CHECK(exits.code == 1);
  CHECK(says(exits.err, "does not play connect4: "));
  CHECK(says(exits.err, "no weights file"));
  CHECK_FALSE(fs::exists(ledger_path(engine.out())));
  CHECK(peers::ended(engine.command("good", "crashes")).code == 1);
  // Bounded by time, it is not asked for moves beforehand.
  const auto crashes = peers::ended(engine.command("good", "crashes", {"--set", "tc=10"}));
  CHECK(crashes.code == 1);
  CHECK(says(crashes.out, "\nverdict    failed: No result: new-"));
  CHECK(says(engine.markdown(), ": failed"));
  CHECK(engine.json()["match"]["failures"].get<int>() > 0);
}

TEST_CASE("pitboss test: the work tree is a commit of what lies there but for its own files") {
  EngineRepository engine;
  engine.commit("one", "plays");
  CHECK(peers::ended(engine.command("HEAD", ".")).code == 5);  // nothing has changed
  write_text(engine.top() / "manner", "plays-last");
  write_text(engine.top() / "new file", "");
  auto words = engine.command("HEAD", ".", {"--games", "2"});
  *(std::ranges::find(words, engine.out().string())) = (engine.top() / "the out").string();
  for (const auto* const found : {"building ", "built before: "}) {
    const auto end = peers::ended(words);
    CAPTURE(end.err);
    CHECK(end.code == 5);
    CHECK(says(end.err, std::string(found) +
                            engine.json()["new"]["commit"].get<std::string>().substr(0, 12)));
    CHECK(says(end.out, "2 of 2"));
  }
  const auto state =
      peers::ended({"/usr/bin/env", "git", "-C", engine.top().string(), "status", "--short"});
  CHECK(state.out == " M manner\n?? \"new file\"\n?? \"the out/\"\n");
  int found = 0;
  for (const auto& build : engine.builds()) found += fs::exists(build / "tree/new file") ? 1 : 0;
  CHECK(found == 1);
}

TEST_CASE("pitboss test: ignored files of its own are no hindrance to a test of the work tree") {
  EngineRepository engine;
  write_text(engine.top() / ".gitignore", "engine\nrun/\n*.md\n");
  engine.commit("one", "plays");
  write_text(engine.top() / "manner", "plays-last");
  auto words = engine.command("HEAD", ".", {"--games", "2"});
  *(std::ranges::find(words, engine.out().string())) = (engine.top() / "run/test").string();
  *(std::ranges::find(words, (engine / "test.md").string())) = (engine.top() / "a.md").string();
  for (int i = 0; i < 2; ++i) {
    const auto end = peers::ended(words);
    CHECK_MESSAGE(end.code == 5, end.err);
    CHECK(fs::exists(engine.top() / "a.md"));
  }
}

TEST_CASE("pitboss test: a work tree of which there is no commit is refused") {
  EngineRepository engine;
  engine.commit("one", "plays");
  auto words = engine.command("HEAD", ".");
  *(std::ranges::find(words, engine.out().string())) = engine.top().string();
  const auto within = peers::ended(words);
  CHECK(within.code == 2);
  CHECK_MESSAGE(says(within.err, " is the work tree itself"), within.err);

  engine.git({"checkout", "--quiet", "-b", "other"});
  engine.commit("two", "plays-last");
  engine.git({"checkout", "--quiet", "-b", "third", "one"});
  engine.commit("three", "sees-0");
  const auto merge = peers::ended({"/usr/bin/env", "git", "-C", engine.top().string(), "-c",
                                   "user.name=A", "-c", "user.email=a@b", "merge", "other"});
  REQUIRE(merge.code != 0);
  const auto merging = peers::ended(engine.command("HEAD", "."));
  CHECK(merging.code == 2);
  CHECK_MESSAGE(says(merging.err, " is in the middle of a merge"), merging.err);
  CHECK(engine.builds().empty());
}

TEST_CASE("pitboss test: work trees of the user's stay known while they are away") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays-last");
  const fs::path away = engine / "a disk";
  engine.git({"worktree", "add", "--quiet", "--detach", away.string()});
  fs::rename(away, engine / "moved");
  const auto command = engine.command("one", "two", {"--games", "2"});
  CHECK(peers::ended(command).code == 5);
  fs::remove_all(engine.cache());  // its own are away, too, and made anew
  const auto again = peers::ended(command);
  CHECK_MESSAGE(again.code == 5, again.err);
  fs::rename(engine / "moved", away);
  const auto status = peers::ended({"/usr/bin/env", "git", "-C", away.string(), "status"});
  CHECK_MESSAGE(status.code == 0, status.err);
}

TEST_CASE("pitboss test: a build ends when its command does, whoever holds its output") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays-last");
  const Words two{"--games", "2"};
  const auto start = std::chrono::steady_clock::now();
  const auto left =
      peers::ended(engine.command("one", "two", two, "sh build.sh; sleep 1000 & echo last"));
  CHECK_MESSAGE(left.code == 5, left.err);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(500));
  for (const auto& build : engine.builds()) CHECK(read_text(build / "build.log") == "last\n");

  fs::remove_all(engine.out());
  const auto silent = peers::ended(engine.command(
      "one", "two", two, "exec >own.log 2>&1; grep last manner || sleep 11; sh build.sh"));
  CHECK_MESSAGE(silent.code == 5, silent.err);
}

TEST_CASE("pitboss test: a program that lies outside the work trees is not theirs") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays-last");
  for (const auto* const run : {"/bin/sh engine", "sh engine"}) {
    fs::remove_all(engine.out());
    const auto end =
        peers::ended(engine.command("one", "two", {"--games", "2"}, "sh build.sh", run));
    CHECK_MESSAGE(end.code == 5, end.err);
    CHECK_FALSE(says(end.out + end.err, "the same program"));
    CHECK(says(end.out, "2 of 2"));
  }
}

TEST_CASE("pitboss test: interrupted while an engine is asked, it ends soon") {
  EngineRepository engine;
  engine.commit("one", "stalls");
  engine.commit("two", "plays");
  for (const int signal : {SIGINT, SIGTERM}) {
    peers::Process process(engine.command("two", "one"));
    REQUIRE(tests::eventually([&] {
      const auto all = peers::descendants(process.id());
      return std::ranges::any_of(all, [](pid_t one) {
        const Words words = peers::command_line(one);
        return !words.empty() && words.front().ends_with("scripted_engine");
      });
    }));
    process.signal(signal);
    CHECK(process.wait() == 130);
    CHECK(engine.json()["verdict"] == "unfinished");
  }
}

TEST_CASE("pitboss test: what cannot be written is told before anything is built") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays-last");
  auto words = engine.command("one", "two", {"--games", "2"});
  *(std::ranges::find(words, (engine / "test.json").string())) = (engine / "no/x").string();
  CHECK(peers::ended(words).code == 2);
  CHECK(engine.builds().empty());
  fs::remove_all(engine.out());
  write_text(engine.out(), "");
  const auto file = peers::ended(engine.command("one", "two", {"--games", "2"}));
  CHECK(file.code == 2);
  CHECK_MESSAGE(says(file.err, "--out: "), file.err);
  CHECK(engine.builds().empty());
}

TEST_CASE("pitboss test: a test that is over keeps its verdict if a record cannot be written") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays-last");
  fs::create_directories(engine.out() / "report.html");
  const auto end = peers::ended(engine.command("one", "two", {"--games", "2"}));
  CHECK(end.code == 1);
  CHECK_MESSAGE(says(end.out, "\nverdict    undecided\n"), end.out);
  const auto json = engine.json();
  CHECK(json["verdict"] == "undecided");
  CHECK_MESSAGE(says(json["remarks"].dump(), "records are missing: "), json["remarks"].dump());
}

TEST_CASE("pitboss test: mistakes end with a sentence and 2, and nothing is built") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays-last");
  struct Row {
    Words words;
    std::string sentence;
  };
  const auto in = engine.top().string();
  for (const Row& row :
       {Row{engine.command("no-such", "two"), "there is no commit no-such in " + in},
        Row{engine.command("--help", "two"), "there is no commit --help in "},
        Row{engine.command("one", "two:manner"), "there is no commit two:manner in "},
        Row{engine.command("one", "two", {"--sprt", "elo0=5 elo1=0"}),
            "--sprt: elo0 must be below"},
        Row{engine.command("one", "two", {"--games", "3"}), "--games: must be a multiple of 2"},
        Row{engine.command("one", "two", {"--set", "server=1"}), "--run says"},
        Row{engine.command("one", "two", {"--set", "name=x"}), "is given twice"},
        Row{engine.command("one", "two", {"--set-new", "k=1"}), "has no options"},
        Row{engine.command("one", "two", {"--non-regression", "--sprt", "elo0=0 elo1=1"}),
            "choose one"},
        Row{engine.command("one", "two", {}, "", "'"), "quote"},
        Row{engine.command("one", "two", {}, "", " "), "--run names no program"},
        Row{engine.command("one", "two", {}, "", "./engine *"), "--run: quote * ? ["},
        Row{engine.command("one", "^two"), "there is no commit ^two in "}}) {
    const auto end = peers::ended(row.words);
    CHECK_MESSAGE(end.code == 2, row.sentence);
    CHECK_MESSAGE(says(end.err, row.sentence), end.err);
    CHECK(engine.builds().empty());
    CHECK_FALSE(fs::exists(engine.out()));
  }
  auto words = engine.command("one", "two");
  *(std::ranges::find(words, in)) = "/";
  const auto nowhere = peers::ended(words);
  CHECK(nowhere.code == 2);
  CHECK(says(nowhere.err, "/ is no work tree of git: "));
}

TEST_CASE("pitboss test: the repository is the one that is named, also within a hook of git") {
  EngineRepository engine;
  engine.commit("one", "plays");
  engine.commit("two", "plays-last");
  Words words{"/usr/bin/env", "GIT_DIR=/nowhere", "GIT_INDEX_FILE=/nowhere/index"};
  const auto test = engine.command("one", "two", {"--games", "2", "--bench", "cat manner"});
  words.insert(words.end(), test.begin(), test.end());
  const auto end = peers::ended(words);
  CAPTURE(end.err);
  CHECK(end.code == 5);
  CHECK_FALSE(says(end.err, "the bench "));
  const auto changing = engine.command("one", "two", {"--games", "2", "--bench", "date +%N"});
  const auto noticed = peers::ended(changing);
  CHECK(says(noticed.err, " does not say the same twice"));
  const auto failing = engine.command("one", "two", {"--games", "2", "--bench", "exit 3"});
  CHECK(peers::ended(failing).code == 1);
}

}  // namespace pitboss::clients
