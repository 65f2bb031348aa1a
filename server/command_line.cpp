#include "server/command_line.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/remote/evaluator_client.hpp"
#include "engine/options/options.hpp"
#include "engine/policy/features/feature_sets.hpp"
#include "environment/awake_clock.hpp"
#include "environment/memory.hpp"
#include "environment/processors.hpp"
#include "protocol/flags.hpp"
#include "protocol/http.hpp"
#include "server/logging.hpp"

namespace pitboss::server {

namespace po = boost::program_options;

namespace {

constexpr unsigned line_length = 100;
constexpr std::string_view synopsis =
    "Usage: pitbossd [OPTION ...]\n\n"
    "  pitbossd                                         connect4 on 127.0.0.1:4580\n"
    "  pitbossd --listen 127.0.0.1:4581=othello --workers 2\n"
    "  pitbossd --networks data/networks --features data/features\n"
    "  pitbossd --preset paper --simulations 1000       options that new sessions start with\n"
    "  pitbossd --config pitboss.conf                   lines 'name = value', as the options "
    "here\n\n"
    "--help-limits lists the limits of clients, --help-search the options of the search.\n\n";
/// The search option that has the same name as the flag that names evaluators.
constexpr std::string_view place_option = "evaluator";

// "tree_mb" can be given as --tree-mb, too.
std::string with_dashes(std::string_view name) {
  std::string result(name);
  std::ranges::replace(result, '_', '-');
  return result;
}

std::string names_of(const engine::OptionRow& row) {
  std::string name(row.name);
  const std::string alias = with_dashes(name);
  return alias == name ? name : name + "," + alias;
}

// A whole number of the command line that goes into a field of any type.
template <class Set>
auto* whole_number(std::int64_t preset, std::int64_t min, std::int64_t max, const std::string& name,
                   Set set) {
  return po::value<std::int64_t>()
      ->value_name(std::to_string(preset))
      ->notifier([=](std::int64_t value) {
        if (value < min || value > max) {
          throw std::runtime_error("--" + name + " must be a number from " + std::to_string(min) +
                                   " to " + std::to_string(max));
        }
        set(value);
      });
}

/// A number as the command line gives it: times in seconds. Of a field that may be empty there is
/// none.
template <class T>
std::int64_t number_in(const T& field) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<std::int64_t>(field);
  } else if constexpr (std::is_same_v<T, std::chrono::milliseconds>) {
    return std::chrono::duration_cast<std::chrono::seconds>(field).count();
  } else if constexpr (std::is_same_v<T, std::chrono::days>) {
    return field.count();
  } else {
    return 0;
  }
}

template <class T>
void put(std::int64_t number, T& field) {
  if constexpr (std::is_integral_v<T>) {
    field = static_cast<T>(number);
  } else if constexpr (std::is_same_v<T, std::chrono::milliseconds>) {
    field = std::chrono::seconds(number);
  } else if constexpr (std::is_same_v<T, std::chrono::days>) {
    field = std::chrono::days(number);
  } else {
    field = static_cast<typename T::value_type>(number);
  }
}

/// Adds options that are whole numbers: name, the field, its range, what it means. What stands in
/// the field before is the default, unless `without` tells what holds without the option.
class Numbers {
 public:
  explicit Numbers(po::options_description& group) : add_(group.add_options()) {}

  template <class T>
  void operator()(const std::string& name, T& field, std::int64_t min, std::int64_t max,
                  std::string_view help, std::string_view without = {}) {
    const auto set = [&field](std::int64_t value) { put(value, field); };
    auto* const number = whole_number(number_in(field), min, max, name, set);
    std::string text(help);
    if (!without.empty()) {
      number->value_name("N");
      text.append(" (default: ").append(without).append(")");
    }
    add_(name.c_str(), number, text.c_str());
  }

 private:
  po::options_description_easy_init add_;
};

po::options_description general_options(CommandLine& line, std::vector<std::string>& listen,
                                        std::vector<std::string>& http) {
  po::options_description group("Server", line_length);
  auto add = group.add_options();
  add("help", "print this and end");
  add("help-limits", "print the limits and end");
  add("help-search", "print the options of the search and end");
  add("version", "print the version and end");
  add("config", po::value<std::string>()->value_name("FILE"),
      "read options from FILE, 'name = value' on each line");
  add("listen", po::value(&listen)->value_name("HOST:PORT[=GAME][,tls]"),
      "listen there, on a free port if PORT is 0; sessions start in GAME; with TLS, or without; "
      "may be repeated");
  add("http", po::value(&http)->value_name("HOST:PORT[=GAME][,tls]"),
      "serve a board for browsers there; may be repeated");
  add("http-origin", po::value(&line.config.http_origins)->value_name("ORIGIN"),
      "http[s]://HOST[:PORT] of a proxy in front; may be repeated");
  add("metrics",
      po::value<std::string>()->value_name("HOST:PORT")->notifier([&line](const std::string& text) {
        if (text.find_first_of("=,") != std::string::npos) {
          throw std::runtime_error(
              "--metrics must be HOST:PORT, without a game and without TLS, not '" + text + "'");
        }
        line.config.metrics = parse_listen_address(text);
      }),
      "serve the page /metrics for Prometheus there (default: nowhere)");
  add("log-file", po::value(&line.log_file)->value_name("FILE"),
      "write the log to FILE (default: standard error)");
  add("log-level", po::value(&line.log_level)->value_name(line.log_level),
      "trace, debug, info, warning, error, critical or off");
  add("state", po::value(&line.config.state_folder)->value_name("FOLDER"),
      "where tables with 'keep on' are kept (default: nowhere)");
  add("sgf", po::value(&line.config.sgf_folder)->value_name("FOLDER"),
      "clients may load the SGF files in FOLDER (default: none)");
  add("networks", po::value<std::string>()->value_name("FOLDER"),
      "networks for sessions, NAME.safetensors (default: none)");
  add("features", po::value<std::string>()->value_name("FOLDER"),
      "features for sessions, NAME.features (default: none)");
  Numbers number(group);
  number("network-cache-mb", line.network_cache_mb, 0, 1 << 20,
         "evaluations kept of each network, MiB");
  number("workers", line.config.workers, 1, 1024,
         "threads that search (default: the processors that it may use)");
  return group;
}

po::options_description access_options(Config& config) {
  po::options_description group("Access (docs/security.md)", line_length);
  auto add = group.add_options();
  const auto file = [](std::string& name) { return po::value(&name)->value_name("FILE"); };
  add("tokens", file(config.credentials.tokens),
      "who may use the server: NAME RIGHT HASH, one a line (default: everybody)");
  add("open", po::bool_switch(&config.is_open),
      "without tokens, serve everybody who reaches an address beyond this machine");
  add("certificate", file(config.credentials.certificate),
      "what addresses with TLS show, and those between it and its root (PEM)");
  add("key", file(config.credentials.key), "the private key of the certificate (PEM)");
  return group;
}

po::options_description evaluator_options(engine::EvaluatorSettings& settings,
                                          engine::Options& options) {
  po::options_description group("Remote evaluators (docs/evaluator.md)", line_length);
  auto add = group.add_options();
  add("evaluator",
      po::value<std::vector<std::string>>()->composing()->value_name("URL")->notifier(
          [&](const std::vector<std::string>& words) {
            for (const std::string& word : words) {
              if (std::ranges::count(engine::option_row(place_option).choices, word) > 0) {
                engine::set_option(options, place_option, word);
              } else {
                settings.urls.push_back(word);
              }
            }
          }),
      "have networks evaluated at grpc[s]://HOST:PORT (repeatable), or the option evaluator that "
      "new sessions start with: local, remote or auto");
  add("evaluator-ca", po::value(&settings.ca_file)->value_name("FILE"),
      "certificates that grpcs:// trusts (default: the system's)");
  add("evaluator-token", po::value(&settings.token_file)->value_name("FILE"),
      "the token for evaluators; other machines: by grpcs:// only");
  add("evaluator-proxy", po::value(&settings.proxy)->value_name("URL"),
      "the only proxy to evaluators on other machines, http://HOST:PORT");
  add("evaluator-fallback",
      po::value<std::string>()->value_name("local")->notifier([&settings](const std::string& word) {
        if (word != "local" && word != "fail") {
          throw std::runtime_error("--evaluator-fallback must be local or fail, not '" + word +
                                   "'");
        }
        settings.falls_back = word == "local";
      }),
      "what no evaluator answers is evaluated here, or the search fails: local or fail");
  const auto count = [&](const char* name, auto preset, std::int64_t min, std::int64_t max,
                         auto set, const char* help) {
    add(name, whole_number(static_cast<std::int64_t>(preset), min, max, name, set), help);
  };
  count(
      "evaluator-deadline-ms", settings.deadline.count(), 1, 1'000'000,
      [&settings](std::int64_t ms) { settings.deadline = std::chrono::milliseconds(ms); },
      "milliseconds for the evaluation of a position, retries included");
  count(
      "evaluator-linger-us", settings.linger.count(), 0, 1'000'000,
      [&settings](std::int64_t us) { settings.linger = std::chrono::microseconds(us); },
      "microseconds that a position waits for others of its request");
  Numbers number(group);
  number("evaluator-batch", settings.batch, 1, 65536, "most positions of one request");
  number("evaluator-requests", settings.requests, 1, 64,
         "most requests under way to one evaluator");
  return group;
}

/// The field of a limit's flag, for `visit`.
template <class Visit>
void with_field(const LimitFlag& flag, CommandLine& line, Visit visit) {
  std::visit(
      [&]<class Of, class T>(T Of::*field) {
        if constexpr (std::is_same_v<Of, CommandLine>) {
          visit(line.*field);
        } else if constexpr (std::is_same_v<Of, Config>) {
          visit(line.config.*field);
        } else {
          visit(line.config.limits.*field);
        }
      },
      flag.field);
}

po::options_description limit_options(CommandLine& line) {
  po::options_description group("Limits (docs/server.md)", line_length);
  Numbers number(group);
  for (const LimitFlag& flag : limit_flags()) {
    with_field(flag, line, [&](auto& field) {
      number(flag.name(), field, flag.min, flag.max, flag.help, flag.without);
    });
  }
  number("drain-seconds", line.config.limits.drain, 0, 1'000'000,
         "seconds to end in after SIGTERM or SIGINT");
  return group;
}

// The folder of features has the name of the option that chooses one of them.
constexpr std::string_view folder_flag = "features";

// Every search option but those two is an option of the daemon, too.
po::options_description engine_options(const engine::Options& defaults) {
  po::options_description group(
      "Options of the search that new sessions start with (docs/options.md)", line_length);
  for (const auto& row : engine::option_rows()) {
    if (row.name == place_option || row.name == folder_flag) continue;
    const auto preset = engine::get_option(defaults, row);
    const auto help = std::string(row.help) + " (" + engine::range_text(row) + ")";
    group.add_options()(names_of(row).c_str(), po::value<std::string>()->value_name(preset),
                        help.c_str());
  }
  return group;
}

// The preset is set first, so that options given one by one override it.
void set_engine_options(engine::Options& options, const po::variables_map& given) {
  const auto set = [&](const engine::OptionRow& row) {
    const auto found = given.find(std::string(row.name));
    if (found == given.end() || row.name == place_option) return;
    engine::set_option(options, row.name, found->second.as<std::string>());
  };
  set(engine::option_row("preset"));
  for (const auto& row : engine::option_rows()) {
    if (row.name != "preset" && row.name != folder_flag) set(row);
  }
}

}  // namespace

std::string LimitFlag::name() const { return with_dashes(protocol::row_of(limit).name); }

std::string LimitFlag::default_text() const {
  if (!without.empty()) return std::string(without);
  CommandLine line;
  std::int64_t number = 0;
  with_field(*this, line, [&](const auto& value) { number = number_in(value); });
  std::string text = std::to_string(number);
  if (!unit.empty()) text.append(" ").append(unit);
  return text;
}

std::span<const LimitFlag> limit_flags() {
  using enum protocol::Limit;
  using L = ServerLimits;
  constexpr std::int64_t many = 1'000'000'000;
  constexpr std::int64_t million = 1'000'000;
  static const LimitFlag flags[] = {
      {max_sessions, &L::max_sessions, 1, million, "", "sessions at a time", ""},
      {max_sessions_per_address, &L::max_sessions_per_address, 1, million, "",
       "sessions of one host at a time", "64; no bound from this machine"},
      {max_sessions_per_client, &L::max_sessions_per_client, 1, million, "",
       "sessions of one token at a time", "three quarters of --max-sessions"},
      {max_line, &L::max_line, 80, many, "bytes", "bytes of one line", ""},
      {max_queued, &L::max_queued, 1, many, "", "lines of a session that wait", ""},
      {max_outbox, &L::max_outbox, 1024, many, "bytes", "bytes of answers that wait for a client",
       ""},
      {write_timeout, &L::write_timeout, 1, million, "s",
       "seconds a client may leave answers unread", ""},
      {entry_seconds, &L::entry, 1, million, "s",
       "seconds a client has for the handshake of TLS and its token", ""},
      {idle_seconds, &L::idle, 0, million, "s", "seconds a session may ask nothing; 0: for ever",
       ""},
      {half_close_seconds, &L::half_close, 0, million, "s",
       "seconds a search may go on after the client has ended its input", ""},
      {max_tables, &L::max_tables, 0, million, "", "tables with a name (command attach)", ""},
      {max_tables_per_client, &L::max_tables_per_client, 1, million, "",
       "the same for one client: a token, else a host", "three quarters of --max-tables"},
      {max_searches_per_client, &L::max_searches_per_client, 1, million, "",
       "commands that take time, of one client at a time", "no bound"},
      {keep_tables, &L::keep_tables, 0, million, "s",
       "seconds a table with a name is kept when nobody sits there who may play", ""},
      {kept_days, &L::kept_days, 0, 36500, "days",
       "days a table with 'keep on' is kept when nobody sits there who may play; 0: for ever", ""},
      {tree_mb_limit, &Config::tree_mb_limit, 1, 1 << 20, "MiB", "largest tree of a session, MiB",
       ""},
      {memory, &CommandLine::memory_mb, 1, 1 << 24, "MiB",
       "MiB of all trees, networks and waiting answers together",
       "half of the machine's memory, or of what its control group, Slurm job or address space "
       "allows if that is less"},
  };
  return flags;
}

/// Opens the folders of models, and makes the client of evaluators. Throws std::runtime_error.
void open_models(CommandLine& line, engine::EvaluatorSettings evaluators,
                 const po::variables_map& given) {
  engine::Models& models = line.config.models;
  if (given.contains("features")) {
    models.feature_sets =
        std::make_shared<engine::FeatureSets>(given["features"].as<std::string>());
    static_cast<void>(models.feature_sets->names());  // throws if the folder cannot be read
  }
  if (given.contains("networks")) {
    models.networks = std::make_shared<engine::Networks>(
        given["networks"].as<std::string>(), static_cast<std::size_t>(line.network_cache_mb) << 20);
    models.networks->count_in(line.config.memory);
    static_cast<void>(models.networks->names());  // throws if the folder cannot be read
    if (!evaluators.urls.empty()) {
      evaluators.on_change = [log = line.config.evaluator_log](const std::string& url,
                                                               const std::string& network,
                                                               const std::string& why) {
        log->note(url, network, why, environment::AwakeClock::now());
      };
      line.config.evaluators = engine::make_evaluator_client(evaluators);
      line.config.credentials.evaluator_token = evaluators.token_file;
      models.networks->evaluate_on(line.config.evaluators);
    }
  } else if (!evaluators.urls.empty()) {
    throw std::runtime_error("--evaluator URL needs a folder of networks: --networks FOLDER");
  } else if (line.config.options.evaluation == engine::EvaluatorKind::network) {
    throw std::runtime_error("evaluation network needs a folder of networks: --networks FOLDER");
  }
}

CommandLine parse_command_line(int count, const char* const* arguments) {
  CommandLine line;
  line.config.workers = environment::processors();
  std::vector<std::string> listen;
  std::vector<std::string> http;
  po::options_description all(line_length);
  engine::EvaluatorSettings evaluators;
  line.memory_mb = std::max<std::int64_t>(environment::memory() / 2 >> 20, 1);
  const auto general = general_options(line, listen, http);
  const auto access = access_options(line.config);
  const auto remote = evaluator_options(evaluators, line.config.options);
  const auto limits = limit_options(line);
  const auto search = engine_options(line.config.options);
  all.add(general).add(access).add(remote).add(limits).add(search);

  po::variables_map given = protocol::read_flags({arguments + 1, arguments + count}, all);
  if (given.contains("config")) {
    protocol::read_flag_file(given["config"].as<std::string>(), all, given);
  }
  line.version = given.contains("version");
  std::ostringstream help;
  if (given.contains("help")) help << synopsis << general << '\n' << access << '\n' << remote;
  if (given.contains("help-limits")) help << limits;
  if (given.contains("help-search")) help << search;
  line.answer = help.str();
  po::notify(given);
  set_engine_options(line.config.options, given);
  line.config.memory =
      std::make_shared<engine::MemoryBudget>(static_cast<std::size_t>(line.memory_mb) << 20);
  if (given.contains("state") && line.config.state_folder.empty()) {
    throw std::runtime_error("--state must name a folder, not ''");
  }
  const auto& folder = line.config.sgf_folder;
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw std::runtime_error("--sgf must name a folder, and '" + folder + "' is not one");
  }
  open_models(line, std::move(evaluators), given);
  line.config.make_search = searches_with(line.config.models);
  for (const auto& address : listen) {
    line.config.listen.push_back(parse_listen_address(address));
  }
  if (line.config.listen.empty()) line.config.listen.emplace_back();
  for (const auto& text : http) {
    line.config.listen.push_back(parse_listen_address(text));
    line.config.listen.back().http = true;
  }
  for (const auto& origin : line.config.http_origins) {
    if (protocol::is_origin(origin)) continue;
    throw std::runtime_error(
        "--http-origin must be http://HOST[:PORT] or https://HOST[:PORT], not '" + origin + "'");
  }
  return line;
}

}  // namespace pitboss::server
