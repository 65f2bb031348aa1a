#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <string_view>
#include <thread>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/file_lock.hpp"
#include "clients/experiments/number_in.hpp"
#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/launch/launch.hpp"
#include "clients/launch/slurm.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/expect_experiment.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger_contents.hpp"
#include "environment/awake_clock.hpp"
#include "environment/folders.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr std::string_view launch_usage =
    "Starts workers for an experiment whose ledger is in a PostgreSQL database, keeps them "
    "running,\n"
    "and ends when the experiment is finished. A worker is a daemon of its own and a referee that\n"
    "joins the experiment. Ctrl-C and SIGTERM finish the rounds in play. See docs/cluster.md.\n\n"
    "  pitboss launch local 2 --ledger URL --join NAME           workers on this machine\n"
    "  pitboss launch ssh HOST... --ledger URL --join NAME       workers on hosts, by ssh\n"
    "  pitboss launch slurm --tasks 40 --threads 8 --walltime 24:00:00 --ledger URL --join NAME\n"
    "                                                            workers as a job array\n\n";

struct LaunchFlags {
  std::string ledger;
  std::string join;
  std::string experiment;
  int threads = 0;
  int concurrency = 0;
  std::string networks;
  std::string features;
  std::string config;
  std::vector<std::string> programs;
  int drain_seconds = 0;
  bool prints = false;
  int workers = 1;
  std::string program;
  std::string ssh;
  int tasks = 1;
  std::string walltime;
  std::string partition;
  std::vector<std::string> sbatch;
  // Unlisted:
  bool is_attended = false;
  bool is_quiet = false;
  std::string folder;
};

po::options_description described(LaunchFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("ledger", po::value(&a.ledger)->value_name("URL"),
      "postgresql://USER@HOST:PORT/DATABASE, where the workers' machines reach it; the password "
      "comes from PGPASSWORD, PGPASSFILE or ~/.pgpass there");
  add("join", po::value(&a.join)->value_name("NAME"),
      "the experiment in it; as well --ledger URL#NAME");
  add("experiment", po::value(&a.experiment)->value_name("FILE"),
      "an experiment file, which is recorded in the ledger first; servers it names are not looked "
      "at");
  add("allow-program", po::value(&a.programs)->composing()->value_name("COMMAND"),
      "a program that workers may start beside those of --experiment FILE, the whole command as "
      "the experiment has it; repeatable");
  add("threads", po::value(&a.threads)->default_value(0)->value_name("T"),
      "threads that search, of each worker; 0: its share of the machine's processors (slurm: 1)");
  add("concurrency", po::value(&a.concurrency)->default_value(0)->value_name("C"),
      "games at once, of each worker; 0: two for each thread");
  add("networks", po::value(&a.networks)->value_name("DIR"), "networks, as pitbossd takes them");
  add("features", po::value(&a.features)->value_name("DIR"), "features, as pitbossd takes them");
  add("config", po::value(&a.config)->value_name("FILE"), "other options of the workers' pitbossd");
  add("drain-seconds", po::value(&a.drain_seconds)->default_value(0)->value_name("S"),
      "how long rounds in play may take after a signal to end; then they are dropped; 0: no limit "
      "(slurm: 120, and so long before the end of the walltime)");
  add("print", po::bool_switch(&a.prints), "show what would be started or submitted, and end");
  add("program", po::value(&a.program)->value_name("PATH"),
      "ssh, slurm: pitboss on the other machines, pitbossd beside it; default: the path of this "
      "one");
  add("workers", po::value(&a.workers)->default_value(1)->value_name("N"),
      "ssh, slurm: workers of each host or task");
  add("ssh", po::value(&a.ssh)->default_value("ssh")->value_name("COMMAND"),
      "ssh: the command, perhaps with options: \"ssh -F FILE\"");
  add("tasks", po::value(&a.tasks)->default_value(1)->value_name("N"), "slurm: tasks of the array");
  add("walltime", po::value(&a.walltime)->value_name("TIME"),
      "slurm: of a task, after which it is queued again; default: the partition's");
  add("partition", po::value(&a.partition)->value_name("NAME"), "slurm: the partition");
  add("sbatch", po::value(&a.sbatch)->composing()->value_name("OPTION"),
      "slurm: another option of sbatch, --sbatch=--account=NAME; repeatable");
  add("help", "this text");
  return all;
}

/// What programs of ours tell each other.
po::options_description unlisted(LaunchFlags& a) {
  po::options_description all;
  auto add = all.add_options();
  add("attended", po::bool_switch(&a.is_attended), "");
  add("quiet", po::bool_switch(&a.is_quiet), "");
  add("folder", po::value(&a.folder), "");
  return all;
}

/// The exit code of a program of ours that had better be started again later.
constexpr int exit_try_again = 1;

std::string absolute(const std::string& path) {
  return path.empty() ? path : fs::absolute(path).lexically_normal().string();
}

/// The experiment's place in the ledger.
DatabasePlace place_of(const LaunchFlags& a, const ExperimentFile* file) {
  require(!a.ledger.empty(),
          "--ledger is missing: postgresql://USER@HOST:PORT/DATABASE, which all workers reach");
  const LedgerPlace place = parse_place(a.ledger);
  const auto* database = std::get_if<DatabasePlace>(&place);
  require(database != nullptr,
          "--ledger: expected postgresql://USER@HOST:PORT/DATABASE, which all workers reach");
  if (database->is_named()) {
    require(a.join.empty() || a.join == database->name(),
            "--ledger names the experiment " + database->name() + ", --join " + a.join);
    return *database;
  }
  if (!a.join.empty()) return DatabasePlace(database->url(), a.join);
  require(file != nullptr,
          "--join NAME, the experiment in the ledger, or --experiment FILE is missing");
  return DatabasePlace(database->url(), name_of(file->experiment.name, file->folder));
}

/// Waits for the database for as long as a referee at play would.
void await_database(const DatabasePlace& place) {
  const auto end = environment::AwakeClock::now() + longest_outage;
  for (bool is_first = true;; is_first = false) {
    try {
      static_cast<void>(ledgers_in(place));
      return;
    } catch (const DatabaseAway& away) {
      if (environment::AwakeClock::now() > end) throw;
      if (is_first) {
        std::cerr << "waiting " << longest_outage.count()
                  << " minutes for the database: " << away.what() << std::endl;
      }
    }
    std::this_thread::sleep_for(std::chrono::seconds(5));
  }
}

/// What is launched.
struct Order {
  LaunchFlags flags;
  DatabasePlace place;
  std::optional<ExperimentFile> file;

  /// Sees to it that the ledger has the experiment; after all other checks.
  void record() const {
    if (file) Ledger(place, file->experiment).open_for_writing();
    expect_experiment(place, place.name());
  }
};

WorkerSettings worker_of(const Order& order) {
  const LaunchFlags& a = order.flags;
  require(a.threads >= 0 && a.threads <= 1024, "--threads must be 0 to 1024");
  require(a.concurrency >= 0 && a.concurrency <= 1000, "--concurrency must be 0 to 1000");
  require(a.drain_seconds >= 0 && a.drain_seconds <= 65535, "--drain-seconds must be 0 to 65535");
  require(a.workers >= 1 && a.workers <= 1024, "--workers must be 1 to 1024");
  std::vector<std::string> programs = a.programs;
  if (order.file) {
    for (const Player* player : players_of(order.file->experiment)) {
      if (std::holds_alternative<Program>(player->location)) {
        programs.push_back(text_of(player->location));
      }
    }
  }
  return {.ledger = order.place,
          .threads = a.threads,
          .concurrency = a.concurrency,
          .networks = absolute(a.networks),
          .features = absolute(a.features),
          .config = absolute(a.config),
          .programs = std::move(programs)};
}

/// A folder that goes away with this object; the next one clears up after a process that was
/// killed.
class ScratchFolder {
 public:
  ScratchFolder() {
    remove_abandoned();
    path_ = (environment::temporary_folder() / (std::string(prefix) + "XXXXXX")).string();
    require(::mkdtemp(path_.data()) != nullptr, "cannot create the folder " + path_);
    lock_ = try_lock(fs::path(path_) / lock_name);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static void remove_abandoned() {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(fs::temp_directory_path(), ignored)) {
      const fs::path lock = entry.path() / lock_name;  // other users' cannot be locked
      const bool is_ours = entry.path().filename().string().starts_with(prefix);
      if (!is_ours || ::access(lock.c_str(), W_OK) != 0) continue;
      if (const auto held = try_lock(lock)) fs::remove_all(entry.path(), ignored);
    }
  }

  static constexpr std::string_view prefix = "pitboss-launch-";
  static constexpr const char* lock_name = "launch.lock";
  std::string path_;
  std::optional<FileLock> lock_;
};

void note_of_print(const Order& order) {
  if (order.file) std::cerr << "note: --print does not record the experiment in the ledger\n";
}

int run(const Order& order, const std::vector<Charge>& charges) {
  const LaunchFlags& a = order.flags;
  if (a.prints) {
    for (const Charge& charge : charges) std::cout << shell_text(charge.command) << "\n";
    note_of_print(order);
    return 0;
  }
  LaunchSettings settings;
  if (a.is_attended) settings.audience = Audience::launcher;
  if (a.is_quiet) settings.audience = Audience::log;
  if (a.drain_seconds > 0) settings.drain_limit = std::chrono::seconds(a.drain_seconds);
  if (a.is_quiet) await_database(order.place);
  order.record();
  return launch(order.place, charges, settings);
}

int local(const std::vector<std::string>& words, const Order& order) {
  require(words.size() == 1, "launch local takes one number, of workers");
  const auto count = number_in<int>(words[0]);
  require(count && *count >= 1 && *count <= 1024,
          "launch local takes a number of workers from 1 to 1024, not '" + words[0] + "'");
  const ScratchFolder scratch;
  return run(order, local_workers(worker_of(order), *count, scratch.path()));
}

std::string program_of(const LaunchFlags& a) {
  return a.program.empty() ? this_program().string() : a.program;
}

/// Whether the database is one that only this machine reaches.
void warn_of_loopback(const DatabasePlace& place) {
  for (const std::string_view host : {"@127.0.0.1", "@localhost", "@[::1]"}) {
    if (place.url().find(host) == std::string::npos) continue;
    std::cerr << "note: only this machine reaches " << host.substr(1)
              << "; pitboss ledger start DIR --listen ADDRESS makes a database that others reach\n";
  }
}

int ssh(const std::vector<std::string>& words, const Order& order) {
  const LaunchFlags& a = order.flags;
  require(!words.empty(), "launch ssh takes the names of hosts");
  RemoteSettings remote{.ssh = shell_words(a.ssh), .program = program_of(a), .workers = a.workers};
  require(!remote.ssh.empty(), "--ssh must name a command");
  if (!a.prints) warn_of_loopback(order.place);
  return run(order, remote_workers(worker_of(order), remote, words));
}

int slurm(const std::vector<std::string>& words, const Order& order) {
  const auto& [a, place, file] = order;
  require(words.empty(), "launch slurm takes no words; --tasks N is the number of workers");
  require(a.tasks >= 1 && a.tasks <= 1000000, "--tasks must be 1 to 1000000");
  WorkerSettings worker = worker_of(order);
  if (worker.threads == 0) worker.threads = 1;
  SlurmJob job{.name = place.name(),
               .command = {program_of(a), "launch", "local", std::to_string(a.workers), "--quiet"},
               .tasks = a.tasks,
               .threads = worker.threads * a.workers,
               .walltime = a.walltime,
               .partition = a.partition,
               .options = a.sbatch};
  if (a.drain_seconds > 0) job.drain_seconds = a.drain_seconds;
  // Some time is for the end after that.
  const int limit = std::max(1, 3 * job.drain_seconds / 4);
  std::ranges::copy(flags_of(worker), std::back_inserter(job.command));
  job.command.insert(job.command.end(), {"--drain-seconds", std::to_string(limit)});
  const std::string script = slurm_script(job);
  if (a.prints) {
    std::cout << script;
    note_of_print(order);
    return 0;
  }
  warn_of_loopback(order.place);
  order.record();
  const Experiment experiment = read_experiment(place);
  if (read_contents(Ledger(place, experiment), experiment).results.is_over()) {
    std::cerr << "the experiment is finished already; nothing was submitted\n";
    return 0;
  }
  const std::string number = submit(script);
  const std::string ledger = shell_text(std::vector<std::string>{text_of(place)});
  std::cout << "job        " << number << ", tasks: " << a.tasks << "\n"
            << "queue      squeue --job " << number << "\n"
            << "progress   pitboss ledger show " << ledger << "\n"
            << "           pitboss report --serve " << ledger << "\n"
            << "end        scancel " << number << "\n";
  return 0;
}

/// What the others start.
int worker(const std::vector<std::string>&, const Order& order) {
  require(!order.flags.folder.empty(), "--folder DIR is missing");
  return run_worker(worker_of(order), order.flags.folder, referee);
}

struct LaunchVerb {
  std::string_view name;
  int (*run)(const std::vector<std::string>& words, const Order& order);
  std::array<std::string_view, 6> flags;  ///< that not all verbs have
};

constexpr std::array launch_verbs{
    LaunchVerb{"local", local, {"attended", "quiet"}},
    LaunchVerb{"ssh", ssh, {"program", "workers", "ssh"}},
    LaunchVerb{"slurm", slurm, {"program", "workers", "tasks", "walltime", "partition", "sbatch"}},
    LaunchVerb{"worker", worker, {"folder"}}};

/// Throws UserError for flags that only other verbs have.
void expect_flags_of(const LaunchVerb& verb, const po::variables_map& given) {
  for (const LaunchVerb& other : launch_verbs) {
    for (const std::string_view flag : other.flags) {
      const std::string name(flag);
      const bool is_given = given.contains(name) && !given[name].defaulted();
      require(!is_given || std::ranges::count(verb.flags, flag) > 0,
              "launch " + std::string(verb.name) + " has no --" + name);
    }
  }
}

}  // namespace

int launch_command(const std::vector<std::string>& arguments) {
  LaunchFlags flags;
  std::vector<std::string> words;
  const auto given =
      read_flags("launch", launch_usage, described(flags), arguments, &words, unlisted(flags));
  if (!given) return 0;
  require(!words.empty(), "expected local, ssh or slurm; see pitboss launch --help");
  const LaunchVerb& verb = verb_named("launch", words[0], launch_verbs);
  expect_flags_of(verb, *given);
  std::optional<ExperimentFile> file;
  if (!flags.experiment.empty()) file = read_unseated_experiment(flags.experiment);
  const DatabasePlace place = place_of(flags, file ? &*file : nullptr);
  try {
    return verb.run({words.begin() + 1, words.end()}, {flags, place, file});
  } catch (const DatabaseAway& away) {
    const bool has_supervisor = verb.run == worker || flags.is_attended;
    if (!has_supervisor) throw;
    std::cerr << "pitboss: " << away.what() << "\n";
    return exit_try_again;
  }
}

}  // namespace pitboss::clients
