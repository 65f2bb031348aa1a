#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"
#include "tests/text.hpp"
#include "tests/timing.hpp"

// Workers on this machine, and what would be started on others. Slurm and hosts: tests/cluster.

namespace pitboss::clients {

using peers::descendants;
using peers::ended;
using peers::Process;
using peers::ProgramEnd;
using tests::eventually;
using namespace std::chrono_literals;

namespace {

using tests::contains;

Words pitboss(const Words& more) {
  Words words{tests::bin_folder() + "/pitboss"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// The file of an experiment; a server is for a referee alone.
std::string experiment_in(const ScratchFolder& folder, const std::string& name, int games,
                          int simulations, const std::string& server = "") {
  const std::filesystem::path path = folder / (name + ".toml");
  write_text(path, "name = \"" + name + "\"\ngame = \"connect4\"\ngames = " +
                       std::to_string(games) + "\nopenings = \"random:2\"\n[options]\n" +
                       "preset = \"reference\"\nsimulations = " + std::to_string(simulations) +
                       "\n[[player]]\nname = \"A\"\noptions = { k = 0.3 }\n[[player]]\n" +
                       "name = \"B\"\noptions = { k = 0.6 }\n" +
                       (server.empty() ? "" : "[[server]]\naddress = \"" + server + "\"\n"));
  return path.string();
}

/// The words of a process's command line, each followed by a blank.
std::string command_of(pid_t process) {
  std::string text;
  for (const std::string& word : peers::command_line(process)) text += word + " ";
  return text;
}

/// A process below this one whose command line has these words; -1 if there is none.
pid_t running(const std::string& words) {
  for (const pid_t one : descendants(::getpid())) {
    if (contains(command_of(one), words)) return one;
  }
  return -1;
}

/// Programs that a test has written, found before all others.
class OwnPrograms {
 public:
  void write(const std::string& name, const std::string& script) {
    write_text(path(name), "#!/bin/bash\ncd " + folder_.path().string() + "\n" + script);
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  /// What a program has written into a file beside it.
  [[nodiscard]] std::string text(const std::string& name) const { return read_text(path(name)); }
  /// A command that finds them.
  [[nodiscard]] Words find(const Words& command) const {
    return Words{"/usr/bin/env", "PATH=" + folder_.path().string() + ":/usr/bin:/bin"} + command;
  }

 private:
  ScratchFolder folder_;
};

}  // namespace

TEST_CASE("launch local: two workers play an experiment; the table is that of one referee") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  const Words here{"launch", "local", "2", "--ledger", shared_server().url(), "--threads", "1"};
  const std::string file = experiment_in(folder, "launched", 40, 50);
  const ProgramEnd end = ended(pitboss(here + Words{"--experiment", file}));
  CHECK(end.err == "");
  CHECK(end.code == 0);
  CHECK(contains(end.out, "games      40 of 40"));
  const std::string place = shared_server().url() + "#launched";
  REQUIRE(ended(pitboss({"report", place, "--to", (folder / "many").string()})).code == 0);

  tests::Daemon daemon;
  const std::string address = tests::Daemon::address_of(daemon.output_line());
  const std::string alone = experiment_in(folder, "launched", 40, 50, address);
  const std::string out = (folder / "alone").string();
  REQUIRE(ended(pitboss({"referee", "--experiment", alone, "--out", out})).code == 0);
  for (const char* name : {"games.csv", "summary.json"}) {
    CHECK(text_without_seconds(folder / "many" / name) ==
          text_without_seconds(folder / "alone" / name));
  }

  // A worker keeps no records of its own.
  const ProgramEnd worker =
      ended(pitboss({"launch", "worker", "--ledger", shared_server().url(), "--join", "launched",
                     "--threads", "1", "--folder", (folder / "worker").string()}));
  CHECK(worker.code == 0);
  CHECK(contains(worker.out, "games      40 of 40"));
  for (const auto& kept : std::filesystem::directory_iterator(folder / "worker")) {
    CHECK(kept.path().filename() == "referee.lock");
  }

  const ProgramEnd again = ended(pitboss(here + Words{"--join", "launched"}));
  CHECK(again.code == 0);
  CHECK(again.err == "the experiment is finished already; nothing was launched\n");

  // Workers whose daemons are set up otherwise than those of the games on record.
  write_text(folder / "other.conf", "beta = 0.9\n");
  const ProgramEnd other =
      ended(pitboss(here + Words{"--experiment", experiment_in(folder, "launched", 80, 50),
                                 "--config", (folder / "other.conf").string()}));
  CHECK(other.code == 2);
  for (const char* part : {"pitboss: worker 1: ", "\nworker 2: ", "beta 0.9"}) {
    CHECK_MESSAGE(contains(other.err, part), other.err);
  }
}

TEST_CASE("launch local: a worker that is killed is started again; SIGTERM drains, and all end") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  Process launch(pitboss({"launch", "local", "2", "--ledger", shared_server().url(), "--threads",
                          "1", "--experiment", experiment_in(folder, "killed", 100000, 50)}));
  const auto worker = [] { return running("--folder"); };
  REQUIRE(eventually([&] { return running("pitbossd --listen 127.0.0.1:0") > 0; }));
  REQUIRE(eventually([&] { return worker() > 0; }));
  const pid_t first = worker();
  const bool is_one = contains(command_of(first), "/1 ");
  ::kill(first, SIGKILL);
  std::string line;
  do line = launch.error_line();
  while (!contains(line, "worker"));
  CHECK(line == std::string(is_one ? "worker 1" : "worker 2") +
                    " has ended ([signal 9 (Killed)]); starting it again");
  const std::string its = is_one ? "/1 " : "/2 ";
  REQUIRE(eventually([&] {
    for (const pid_t one : descendants(::getpid())) {
      const std::string words = command_of(one);
      if (contains(words, "--folder") && contains(words, its)) return true;
    }
    return false;
  }));
  launch.signal(SIGTERM);
  CHECK(launch.wait() == 130);
  REQUIRE(eventually([&] { return worker() < 0 && running("pitbossd --listen 127.0.0.1:0") < 0; }));
}

TEST_CASE("launch local: signals end it also while a frozen database is asked") {
  if (!ScratchServer::is_possible()) return;
  const ScratchServer server;
  const ScratchFolder folder;
  Process launch(pitboss({"launch", "local", "1", "--ledger", server.url(), "--threads", "1",
                          "--experiment", experiment_in(folder, "frozen", 100000, 50)}));
  REQUIRE(eventually([] { return running("pitbossd --listen 127.0.0.1:0") > 0; }));
  server.freeze();
  std::this_thread::sleep_for(3s);  // it looks every two seconds
  REQUIRE(eventually([&] {
    launch.signal(SIGTERM);
    return running("launch local") < 0;
  }));
  server.thaw();
  CHECK(launch.wait() == 128 + SIGTERM);
}

TEST_CASE("launch local: no worker outlives it") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  Process launch(pitboss({"launch", "local", "1", "--ledger", shared_server().url(), "--experiment",
                          experiment_in(folder, "orphans", 100000, 50)}));
  pid_t daemon = -1;
  REQUIRE(eventually([&] { return (daemon = running("pitbossd --listen 127.0.0.1:0")) > 0; }));
  launch.signal(SIGKILL);
  CHECK(launch.wait() == 128 + SIGKILL);
  REQUIRE(eventually([&] { return !contains(command_of(daemon), "pitbossd"); }));
}

namespace {

/// A program that stands for ssh: each host is this machine, but `nobody`, which does not answer.
std::string ssh_in(const ScratchFolder& folder) {
  const std::filesystem::path path = folder / "ssh";
  write_text(path,
             "#!/bin/sh\nwhile [ \"$1\" != -T ]; do shift; done\n"
             "[ \"$2\" != nobody ] || { echo 'ssh: no route to nobody' >&2; exit 255; }\n"
             "exec sh -c \"$3\"\n");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path.string();
}

}  // namespace

TEST_CASE("launch ssh: hosts play; who does not answer is missing; none is an error") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  const auto words = [&](const Words& hosts) {
    return pitboss(Words{"launch", "ssh"} + hosts +
                   Words{"--ssh", ssh_in(folder), "--threads", "1", "--ledger",
                         shared_server().url(), "--experiment",
                         experiment_in(folder, "hosts", 40, 50, "127.0.0.1:1")});
  };
  const ProgramEnd nobody = ended(words({"nobody"}));
  CHECK(nobody.code == 2);
  CHECK(contains(nobody.err, "pitboss: host nobody: ssh: no route to nobody\n"));

  const ProgramEnd end = ended(words({"here", "nobody"}));
  CHECK(end.code == 0);
  CHECK(contains(end.out, "games      40 of 40"));
  CHECK(contains(end.err, "host here: plays, workers: 1\n"));
  CHECK(contains(end.err,
                 "host nobody is missing (ssh: no route to nobody); looking for it every 10 s\n"));
}

TEST_CASE("launch local --attended: obeys its launcher, and ends without one") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  const std::string file = experiment_in(folder, "attended", 100000, 50);
  for (const bool hears : {true, false}) {
    CAPTURE(hears);
    Process launch(pitboss({"launch", "local", "1", "--attended", "--threads", "1", "--ledger",
                            shared_server().url(), "--experiment", file}));
    CHECK(launch.output_line() == "plays, workers: 1");
    REQUIRE(eventually([] { return running("pitbossd --listen 127.0.0.1:0") > 0; }));
    if (hears) {
      launch.write("alive\ndrain\n");
    } else {
      launch.end_input();
    }
    CHECK(launch.wait() == 130);
    REQUIRE(eventually([] { return running("pitbossd --listen 127.0.0.1:0") < 0; }));
  }
}

TEST_CASE("launch local: the next one clears up after one that was killed") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  const std::string temporary = "TMPDIR=" + folder.path().string();
  const auto folders = [&] {
    Words out;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("pitboss-launch-")) out.push_back(name);
    }
    return out;
  };
  const Words words =
      pitboss({"launch", "local", "1", "--threads", "1", "--ledger", shared_server().url(),
               "--experiment", experiment_in(folder, "abandoned", 100000, 50)});
  Process killed(Words{"/usr/bin/env", temporary} + words);
  REQUIRE(eventually([&] { return running("pitbossd --listen 127.0.0.1:0") > 0; }));
  killed.signal(SIGKILL);
  CHECK(killed.wait() == 128 + SIGKILL);
  REQUIRE(eventually([&] { return running("--folder") < 0; }));
  const Words left = folders();
  REQUIRE(left.size() == 1);
  Process first(Words{"/usr/bin/env", temporary} + words);
  Words own;
  REQUIRE(eventually([&] {  // of one reading: between two, the abandoned one goes away
    own = folders();
    return own.size() == 1 && own != left;
  }));
  Process second(Words{"/usr/bin/env", temporary} + words);
  REQUIRE(eventually([&] { return folders().size() == 2; }));  // that of one that lives stays
  CHECK(std::ranges::count(folders(), own[0]) == 1);
  for (const std::string& name : folders()) {  // from then on they take signals
    REQUIRE(eventually([&] { return running("--folder " + (folder / name).string()) > 0; }));
  }
  for (Process* const launch : {&first, &second}) {
    launch->signal(SIGTERM);
    CHECK(launch->wait() == 130);
  }
  CHECK(folders().empty());
}

TEST_CASE("launch: what cannot be launched has its sentence") {
  if (!ScratchServer::is_possible()) return;
  const std::string url = shared_server().url();
  const auto error = [&](const Words& words) {
    const ProgramEnd end = ended(pitboss(Words{"launch"} + words));
    CHECK(end.code == 2);
    CHECK(end.out == "");
    return end.err;
  };
  const ScratchFolder folder;
  const std::string file = experiment_in(folder, "refused", 100, 50);
  CHECK(error({}) == "pitboss: expected local, ssh or slurm; see pitboss launch --help\n");
  CHECK(contains(error({"local", "2"}), "pitboss: --ledger is missing: postgresql://"));
  CHECK(
      contains(error({"local", "2", "--ledger", "run/first"}), "--ledger: expected postgresql://"));
  CHECK(contains(error({"local", "2", "--ledger", url}),
                 "--join NAME, the experiment in the ledger"));
  CHECK(contains(error({"local", "2", "--ledger", url, "--join", "nothing"}),
                 "holds no experiment nothing"));
  CHECK(contains(error({"local", "2", "--ledger", "postgresql://x@127.0.0.1:1/x", "--join", "a"}),
                 "cannot use postgresql://x@127.0.0.1:1/x"));
  const Words ledger{"--ledger", url, "--experiment", file};
  CHECK(error(Words{"local", "many"} + ledger) ==
        "pitboss: launch local takes a number of workers from 1 to 1024, not 'many'\n");
  CHECK(error(Words{"local", "2", "--tasks", "3"} + ledger) ==
        "pitboss: launch local has no --tasks\n");
  CHECK(error(Words{"slurm", "--ssh", "rsh"} + ledger) == "pitboss: launch slurm has no --ssh\n");
  CHECK(contains(error(Words{"ssh"} + ledger), "launch ssh takes the names of hosts"));
  CHECK(contains(error(Words{"ssh", "--ssh", "/nowhere/ssh", "a"} + ledger),
                 "pitboss: host a: cannot start /nowhere/ssh: no such file or directory\n"));
  CHECK(error(Words{"local", "2", "--networks", "/nowhere"} + ledger).find("/nowhere") !=
        std::string::npos);
  for (const char* option : {"time=5", "-", "--", "--=5", "---x", "-1", "--Acc=x", "--a b=c\nd",
                             "x", "--9=1", "--account=a\n#SBATCH --wrap=x"}) {
    CAPTURE(option);
    CHECK(contains(error(Words{"slurm", std::string("--sbatch=") + option} + ledger),
                   "is no option of sbatch, such as --account=NAME"));
  }
  CHECK(contains(error(Words{"slurm", "--sbatch="} + ledger),
                 "should follow immediately after the equal sign"));
  for (const char* option : {"--array=0-9", "-a 1", "--time=5", "-t5", "--wrap=x", "--signal=KILL",
                             "--no-requeue", "--cpus-per-task 8", "-c8", "--partition=x"}) {
    CAPTURE(option);
    CHECK(contains(error(Words{"slurm", std::string("--sbatch=") + option} + ledger),
                   "`launch slurm` decides that"));
  }
  for (const char* time : {"abc", "-5", "1:", "1:2:3:4", "1-", "1-2:3:4:5", "1.5", "1h", ":5"}) {
    CAPTURE(time);
    CHECK(contains(error(Words{"slurm", std::string("--walltime=") + time} + ledger),
                   "is no time as sbatch takes it"));
  }
  struct Walltime {
    const char* time;
    const char* drain;
  };
  for (const Walltime& row :
       {Walltime{"2", "0"}, Walltime{"2:00", "120"}, Walltime{"0:30", "30"},
        Walltime{"1:00:00", "3600"}, Walltime{"1-0", "65535"}, Walltime{"0-0:10", "601"}}) {
    CAPTURE(row.time);
    const std::string said =
        error(Words{"slurm", std::string("--walltime=") + row.time, "--drain-seconds", row.drain} +
              ledger);
    if (std::string(row.time) == "1-0") {
      CHECK_FALSE(contains(said, "leaves no time to play"));
    } else {
      CHECK(contains(said, "leaves no time to play"));
    }
  }
  CHECK(
      contains(error(Words{"slurm", "--partition", "a b"} + ledger), "is no name of a partition"));
}

TEST_CASE("launch: programs of ours are started again later when the database is away") {
  const Words away{"--ledger", "postgresql://x@127.0.0.1:1/x", "--join", "a"};
  for (const Words& words : {Words{"local", "1", "--attended"}, Words{"worker", "--folder", "x"}}) {
    const ProgramEnd end = ended(pitboss(Words{"launch"} + words + away));
    CHECK(end.code == 1);
    CHECK(contains(end.err, "pitboss: cannot use postgresql://x@127.0.0.1:1/x"));
  }
}

TEST_CASE("launch: a password file that this machine does not have is not looked for") {
  const ScratchFolder folder;
  const std::string here = (folder / "pgpass").string();
  write_text(here, "*:*:*:x:x\n");
  const auto shown = [](const std::string& parameters) {
    return ended(pitboss({"launch", "ssh", "a", "--print", "--join", "first", "--ledger",
                          "postgresql://x@db/x" + parameters}))
        .out;
  };
  CHECK(contains(shown("?passfile=" + here + "&sslmode=allow"),
                 "postgresql://x@db/x?passfile=" + here + "&sslmode=allow"));
  CHECK(contains(shown("?passfile=/none&sslmode=allow"), "postgresql://x@db/x?sslmode=allow"));
  CHECK(contains(shown("?sslmode=allow&passfile=/none"), "postgresql://x@db/x?sslmode=allow"));
  CHECK(!contains(shown("?passfile=/none"), "?"));
}

TEST_CASE("launch ssh, launch slurm: --print shows what would be started") {
  const Words ledger{"--ledger", "postgresql://me@db/it's#first", "--program", "/opt/pitboss"};
  const ProgramEnd ssh =
      ended(pitboss(Words{"launch", "ssh", "a", "me@b", "--threads", "4", "--print"} + ledger));
  CHECK(ssh.code == 0);
  CHECK(ssh.err == "");
  CHECK(contains(ssh.out, "-T a 'exec /opt/pitboss launch local 1 --attended --ledger "));
  CHECK(contains(ssh.out, "-T me@b 'exec /opt/pitboss launch local 1 --attended --ledger "));
  CHECK(contains(ssh.out, "--join first --threads 4'"));

  const ProgramEnd slurm = ended(
      pitboss(Words{"launch", "slurm", "--tasks", "40", "--threads", "8", "--walltime", "24:00:00",
                    "--partition", "genoa", "--sbatch=--account=mcts", "--print"} +
              ledger));
  CHECK(slurm.code == 0);
  CHECK(slurm.err == "");
  for (const char* line :
       {"#!/bin/bash\n", "#SBATCH --job-name=pitboss-first\n", "#SBATCH --array=0-39\n",
        "#SBATCH --cpus-per-task=8\n", "#SBATCH --time=24:00:00\n", "#SBATCH --partition=genoa\n",
        "#SBATCH --signal=B:USR1@120\n", "#SBATCH --requeue\n", "#SBATCH --account=mcts\n",
        "  scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n",
        "\n/opt/pitboss launch local 1 --quiet --ledger ",
        " --join first --threads 8 --drain-seconds 90 &\n"}) {
    CHECK_MESSAGE(contains(slurm.out, line), line);
  }
}

TEST_CASE("launch slurm: options and times as sbatch takes them") {
  const auto script = [](const Words& more) {
    const ProgramEnd end = ended(pitboss(
        Words{"launch", "slurm", "--print", "--ledger", "postgresql://me@db/it#first"} + more));
    CAPTURE(end.err);
    CHECK(end.code == 0);
    return end.out;
  };
  struct Row {
    const char* option;
    const char* line;
  };
  for (const Row& row : {
           Row{"--account=mcts", "#SBATCH --account=mcts\n"},
           Row{"--exclusive", "#SBATCH --exclusive\n"},
           Row{"-A mcts", "#SBATCH -A mcts\n"},
           Row{"--mem 100", "#SBATCH --mem=100\n"},
           Row{"--comment=my first run", "#SBATCH \"--comment=my first run\"\n"},
           Row{"-J my first run", "#SBATCH -J \"my first run\"\n"},
           Row{"--comment=a \"b\" c\\d # e", "#SBATCH \"--comment=a \\\"b\\\" c\\\\d # e\"\n"},
           Row{"--comment=it's", "#SBATCH \"--comment=it's\"\n"},
           Row{"--comment=$HOME", "#SBATCH \"--comment=$HOME\"\n"},
       }) {
    CAPTURE(row.option);
    CHECK(contains(script({std::string("--sbatch=") + row.option}), row.line));
  }
  for (const char* time : {"5", "120:30", "1:00:00", "1-0", "2-12:30", "0-0:10:30"}) {
    CHECK(contains(script({std::string("--walltime=") + time}),
                   std::string("#SBATCH --time=") + time));
  }
  CHECK(contains(script({"--walltime", "1:01", "--drain-seconds", "60"}), "--time=1:01\n"));
  CHECK(contains(script({"--partition", "genoa,milan-2"}), "#SBATCH --partition=genoa,milan-2\n"));
}

TEST_CASE("launch slurm: sbatch gets the script, and what it answers is told") {
  if (!ScratchServer::is_possible()) return;
  const ScratchFolder folder;
  const Words job = pitboss({"launch", "slurm", "--tasks", "2", "--ledger", shared_server().url(),
                             "--experiment", experiment_in(folder, "submitted", 2, 20)});
  OwnPrograms slurm;
  const auto submit = [&](const std::string& script) {
    slurm.write("sbatch", script);
    return ended(slurm.find(job));
  };
  struct Row {
    const char* script;
    const char* said;
  };
  for (const Row& row :
       {Row{"cat > script; echo 'error: a' >&2; echo 'error: b' >&2; echo 7; exit 1",
            "pitboss: sbatch has not taken the job: error: a error: b"},
        Row{"exec <&-; echo 'no script wanted' >&2; exit 3",
            "pitboss: sbatch has not taken the job: no script wanted"},
        Row{"kill -KILL $$", "pitboss: sbatch has not taken the job: "}}) {
    CAPTURE(row.script);
    const ProgramEnd end = submit(row.script);
    CHECK(end.code == 2);
    CHECK(end.out == "");
    CHECK(contains(end.err, row.said));
  }
  // A slow one; again, since it is the user who knows whether the first job still plays.
  for (const char* answer : {"4711", "4712;cluster"}) {
    const ProgramEnd end =
        submit("echo \"$@\" > words; sleep 0.5; cat > script; echo '" + std::string(answer) + "'");
    CHECK(end.code == 0);
    const std::string number = std::string(answer).substr(0, 4);
    CHECK(contains(end.out, "job        " + number + ", tasks: 2\n"));
    CHECK(contains(end.out, "squeue --job " + number + "\n"));
    CHECK(contains(end.out, "scancel " + number + "\n"));
    CHECK(slurm.text("words") == "--parsable\n");
    CHECK(slurm.text("script") == ended(job + Words{"--print"}).out);
  }
  // Nothing is submitted for what is finished.
  const std::string url = shared_server().url() + "#submitted";
  REQUIRE(ended(pitboss({"launch", "local", "1", "--threads", "1", "--ledger", url})).code == 0);
  const ProgramEnd late = submit("touch called; echo 1");
  CHECK(late.code == 0);
  CHECK(late.out == "");
  CHECK(contains(late.err, "the experiment is finished already; nothing was submitted\n"));
  CHECK_FALSE(std::filesystem::exists(slurm.path("called")));
}

TEST_CASE("launch slurm: a task is queued again after USR1 alone, unless its worker is done") {
  OwnPrograms programs;
  programs.write("scontrol", "echo \"$@\" >> asked");
  // A worker that begins when the task waits for it, and ends with a code that it is given.
  programs.write("pitboss",
                 "trap 'echo told >> told' TERM\n"
                 "until grep -q '^State:.S' /proc/$PPID/status; do sleep 0.02; done\n"
                 "echo > begun\n"
                 "until [[ -e code ]]; do sleep 0.02; done\nexit \"$(cat code)\"");
  const ProgramEnd script =
      ended(pitboss({"launch", "slurm", "--print", "--program", programs.path("pitboss").string(),
                     "--ledger", "postgresql://me@db/it#first"}));
  REQUIRE(script.code == 0);
  programs.write("task", "");
  write_text(programs.path("task"), script.out);
  struct Row {
    std::vector<int> signals;
    int code;
    bool is_again;
  };
  for (const Row& row : {
           Row{{SIGUSR1}, 130, true}, Row{{SIGUSR1}, 1, true}, Row{{SIGUSR1}, 0, false},
           Row{{SIGUSR1}, 2, false}, Row{{SIGTERM}, 130, false}, Row{{}, 1, false},
           Row{{}, 0, false}, Row{{SIGUSR1, SIGUSR1}, 130, true},
           Row{{SIGUSR1, SIGTERM}, 130, false},
           Row{{SIGTERM, SIGUSR1}, 130, false},  // scancel, and the end of the walltime comes near
       }) {
    CAPTURE(row.signals.size());
    CAPTURE(row.code);
    for (const char* file : {"asked", "told", "begun", "code"}) {
      std::filesystem::remove(programs.path(file));
    }
    // The numbers of the task that began last.
    Process task(programs.find({"SLURM_JOB_ID=12", "SLURM_ARRAY_JOB_ID=12", "SLURM_ARRAY_TASK_ID=3",
                                programs.path("task").string()}));
    REQUIRE(eventually([&] { return std::filesystem::exists(programs.path("begun")); }));
    std::string told;
    for (const int signal : row.signals) {
      task.signal(signal);
      told += "told\n";
      CHECK(eventually([&] { return programs.text("told") == told; }));
    }
    write_text(programs.path("code"), std::to_string(row.code));
    CHECK(task.wait() == row.code);
    CHECK(programs.text("asked") == (row.is_again ? "requeue 12_3\n" : ""));
  }
}

}  // namespace pitboss::clients
