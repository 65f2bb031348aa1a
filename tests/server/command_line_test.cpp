#include "server/command_line.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/documents.hpp"

using namespace std::chrono_literals;
using pitboss::server::CommandLine;
using pitboss::server::parse_command_line;

namespace {

CommandLine parse(std::initializer_list<const char*> arguments) {
  std::vector<const char*> all{"pitbossd"};
  all.insert(all.end(), arguments);
  return parse_command_line(static_cast<int>(all.size()), all.data());
}

// A configuration file as long as this lives.
class ConfigFile {
 public:
  explicit ConfigFile(const std::string& text) {
    ::close(mkstemp(path_.data()));
    std::ofstream(path_) << text;
  }
  ~ConfigFile() { std::remove(path_.c_str()); }
  [[nodiscard]] const char* path() const { return path_.c_str(); }

 private:
  std::string path_ = "/tmp/pitbossd_config_XXXXXX";
};

}  // namespace

TEST_CASE("parse_command_line: defaults") {
  const auto line = parse({});
  REQUIRE(line.config.listen.size() == 1);
  CHECK(line.config.listen[0] == pitboss::server::ListenAddress{"127.0.0.1", 4580, "connect4"});
  CHECK(line.config.workers >= 1);
  CHECK(line.config.options == pitboss::engine::Options{});
  CHECK(line.config.limits.max_sessions == 1024);
  CHECK(line.answer.empty());
}

TEST_CASE("parse_command_line: every option reaches its place") {
  const auto line = parse({"--listen",
                           "127.0.0.1:0=othello",
                           "--listen=[::1]:5",
                           "--workers",
                           "3",
                           "--max-sessions",
                           "7",
                           "--max-line",
                           "100",
                           "--max-queued",
                           "8",
                           "--max-outbox",
                           "2000",
                           "--write-timeout",
                           "4",
                           "--idle-seconds",
                           "0",
                           "--half-close-seconds",
                           "9",
                           "--keep-tables",
                           "6",
                           "--drain-seconds",
                           "1",
                           "--tree-mb-limit",
                           "77",
                           "--log-level",
                           "off",
                           "--log-file",
                           "x.log",
                           "--k",
                           "0.25",
                           "--tree_mb",
                           "5",
                           "--sgf",
                           "/tmp",
                           "--simulations",
                           "123"});
  const auto& config = line.config;
  CHECK(config.listen.size() == 2);
  CHECK(config.workers == 3);
  CHECK(config.limits.max_sessions == 7);
  CHECK(config.limits.max_line == 100);
  CHECK(config.limits.max_queued == 8);
  CHECK(config.limits.max_outbox == 2000);
  CHECK(config.limits.write_timeout == 4s);
  CHECK(config.limits.idle == 0s);
  CHECK(config.limits.half_close == 9s);
  CHECK(config.limits.keep_tables == 6s);
  CHECK(config.limits.drain == 1s);
  CHECK(config.tree_mb_limit == 77);
  CHECK(line.log_level == "off");
  CHECK(line.log_file == "x.log");
  CHECK(config.sgf_folder == "/tmp");
  CHECK(config.options.k == 0.25);
  CHECK(config.options.tree_mb == 5);
  CHECK(config.options.simulations == 123);
  CHECK(parse({"--tree-mb", "6"}).config.options.tree_mb == 6);
}

TEST_CASE("parse_command_line: a time lifts the default bound of simulations, not one beside it") {
  CHECK(pitboss::engine::simulation_bound(parse({}).config.options, false) == 5000);
  CHECK(pitboss::engine::simulation_bound(parse({"--movetime", "25"}).config.options, false) == 0);
  const auto both = parse({"--movetime", "25", "--simulations", "5000"});
  CHECK(pitboss::engine::simulation_bound(both.config.options, false) == 5000);
  const ConfigFile file("movetime = 25\npreset = paper\n");
  const auto from_file = parse({"--config", file.path()});
  CHECK(pitboss::engine::simulation_bound(from_file.config.options, false) == 0);
}

TEST_CASE("parse_command_line: a preset does not undo what is given beside it") {
  const auto line = parse({"--k", "0.123", "--preset", "paper"});
  CHECK(line.config.options.k == 0.123);
}

TEST_CASE("parse_command_line: the file, and the command line before it") {
  const ConfigFile file("listen = 127.0.0.1:0=othello\nworkers = 5\nk = 0.5\nidle-seconds = 1\n");
  const auto line = parse({"--config", file.path(), "--workers", "4"});
  CHECK(line.config.listen[0].game == "othello");
  CHECK(line.config.workers == 4);
  CHECK(line.config.options.k == 0.5);
  CHECK(line.config.limits.idle == 1s);
  CHECK(parse({"--config", file.path(), "--listen", "[::1]:1"}).config.listen.size() == 1);

  const ConfigFile marked("\xEF\xBB\xBFworkers = 5\nlisten = 127.0.0.1:0\n");
  CHECK(parse({"--config", marked.path()}).config.workers == 5);

  const ConfigFile unknown("wrokers = 5\n");
  CHECK_THROWS_WITH_AS(parse({"--config", unknown.path()}), doctest::Contains("wrokers"),
                       std::exception);
  CHECK_THROWS_WITH_AS(parse({"--config", "/dev/null/file"}),
                       "cannot read /dev/null/file: Not a directory", std::exception);
}

TEST_CASE("parse_command_line: what is wrong is said") {
  struct Row {
    std::initializer_list<const char*> arguments;
    const char* says;
  };
  const Row rows[] = {
      {{"--wrokers", "3"}, "unknown option '--wrokers'; did you mean '--workers'?"},
      {{"--Tree-MB", "3"}, "did you mean '--tree_mb'?"},
      {{"--work", "3"}, "--work"},  // no abbreviations: they would change with every new option
      {{"--workers", "0"}, "--workers must be a number from 1 to"},
      {{"--workers", "many"}, "--workers must be a number, not 'many'"},
      {{"--workers"}, "--workers needs a value"},
      {{"--k", "1000"}, "k must be a number from 0 to 100"},
      {{"--listen", "nonsense"}, "HOST:PORT[=GAME]"},
      {{"--sgf", "/dev/null"}, "--sgf must name a folder"},
      {{"--evaluation", "network"}, "needs a folder of networks: --networks FOLDER"},
      {{"--preset", "reference-network"}, "needs a folder of networks: --networks FOLDER"},
      {{"--features", "/dev/null"}, "cannot read the folder of features /dev/null"},
      {{"stray"}, "unexpected word 'stray'"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.says);
    CHECK_THROWS_WITH_AS(parse(row.arguments), doctest::Contains(row.says), std::exception);
  }
}

TEST_CASE("parse_command_line: networks by default, where there are some") {
  const auto line = parse({"--networks", "/tmp", "--evaluation", "network", "--network", "net"});
  CHECK(line.config.options.network == "net");
}

TEST_CASE("parse_command_line: no two options have one name, with dashes or as it is written") {
  std::istringstream help(parse({"--help", "--help-limits", "--help-search"}).answer);
  std::set<std::string> names;
  for (std::string line; std::getline(help, line);) {
    if (!line.starts_with("  --")) continue;
    std::string name = line.substr(4, line.find(' ', 4) - 4);
    std::ranges::replace(name, '_', '-');
    CAPTURE(name);
    CHECK(names.insert(name).second);
  }
  CHECK(names.size() > pitboss::engine::option_rows().size());
}

TEST_CASE("every limit is bounded by a flag or by what its row says, as docs/server.md tells") {
  std::string table =
      "| limit | option | default | what the client sees | counted as |\n|---|---|---|---|---|\n";
  for (const auto& row : pitboss::protocol::limit_rows) {
    CAPTURE(row.name);
    const auto flags = pitboss::server::limit_flags();
    const auto flag = std::ranges::find(flags, row.limit, &pitboss::server::LimitFlag::limit);
    const bool is_fixed = flag == flags.end();
    CHECK(is_fixed != row.fixed.empty());
    const std::string option = is_fixed ? "" : " `--" + flag->name() + "`";
    const std::string bound = is_fixed ? std::string(row.fixed) : flag->default_text();
    for (const auto& cell : {" " + std::string(row.what), option, " " + bound,
                             " " + std::string(row.seen), " `" + std::string(row.name) + "`"}) {
      table.append("|").append(cell).append(" ");
    }
    table += "|\n";
  }
  pitboss::tests::check_generated("server.md", "limits", table);
}

TEST_CASE("parse_command_line: --help begins with examples and fits two screens") {
  const std::string help = parse({"--help"}).answer;
  constexpr std::ptrdiff_t two_screens = 2 * 24;
  CHECK(std::ranges::count(help, '\n') <= two_screens);
  CHECK(help.find("pitbossd --networks") < help.find("\nServer"));
  CHECK(help.find("--help-search") < help.find("\nServer"));
  CHECK(help.find("--c_puct") == std::string::npos);
  const std::string limits = parse({"--help-limits"}).answer;
  for (const auto& flag : pitboss::server::limit_flags()) {
    CAPTURE(flag.name());
    CHECK(limits.find("--" + flag.name() + " ") != std::string::npos);
  }
}

TEST_CASE("parse_command_line: --help-search names every option of the engine") {
  const auto help = parse({"--help", "--help-search"}).answer;
  for (const auto& row : pitboss::engine::option_rows()) {
    CAPTURE(std::string(row.name));
    CHECK(help.find("--" + std::string(row.name)) != std::string::npos);
  }
  CHECK(parse({"--version"}).version);
}
