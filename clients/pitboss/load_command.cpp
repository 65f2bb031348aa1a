#include "clients/pitboss/commands.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/access_flags.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/server_load.hpp"

namespace pitboss::clients {

namespace po = boost::program_options;

namespace {

double microseconds(Latencies::Duration duration) {
  return static_cast<double>(duration.count()) / 1000;
}

std::int64_t refused(const LoadResult& result) {
  std::int64_t sum = 0;
  for (const auto& [sentence, count] : result.refusals) sum += count;
  return sum;
}

void print_json(const LoadPlan& plan, const LoadResult& result) {
  const Latencies& l = result.latencies;
  const nlohmann::ordered_json json{
      {"server", plan.server.text()},
      {"command", plan.command},
      {"connections", plan.connections},
      {"pipeline", plan.pipeline},
      {"seconds", result.seconds},
      {"answers", l.count()},
      {"refused", refused(result)},
      {"refusals", result.refusals},
      {"answers_per_second", static_cast<double>(l.count()) / result.seconds},
      {"latency_us",
       {{"p50", microseconds(l.quantile(0.5))},
        {"p90", microseconds(l.quantile(0.9))},
        {"p99", microseconds(l.quantile(0.99))},
        {"p99.9", microseconds(l.quantile(0.999))},
        {"max", microseconds(l.longest())}}},
      {"client_busy", result.busy}};
  std::cout << json.dump(2) << "\n";
}

void print_table(const LoadPlan& plan, const LoadResult& result) {
  const Latencies& l = result.latencies;
  std::printf("%-12s %8s %12s %12s %9s %9s %9s %9s %9s %6s\n", "connections", "pipeline", "answers",
              "answers/s", "p50 us", "p90 us", "p99 us", "p99.9 us", "max us", "busy");
  std::printf("%-12d %8d %12lld %12.0f %9.1f %9.1f %9.1f %9.1f %9.1f %6.2f\n", plan.connections,
              plan.pipeline, static_cast<long long>(l.count()),
              static_cast<double>(l.count()) / result.seconds, microseconds(l.quantile(0.5)),
              microseconds(l.quantile(0.9)), microseconds(l.quantile(0.99)),
              microseconds(l.quantile(0.999)), microseconds(l.longest()), result.busy);
  if (result.refusals.empty()) return;
  std::printf("%lld of the answers refuse:\n", static_cast<long long>(refused(result)));
  for (const auto& [sentence, count] : result.refusals) {
    std::printf("%12lld  %s\n", static_cast<long long>(count), sentence.c_str());
  }
}

constexpr std::string_view load_usage =
    "Measures how many commands a second a server answers: each connection sends the next command\n"
    "when it has an answer. Uses one thread; \"busy\" is how much of a processor it needed.\n\n"
    "  pitboss load --connect 127.0.0.1:4580 --connections 100 --seconds 5\n"
    "  pitboss load --connections 8 --setup \"game othello\" --setup \"setoption simulations "
    "1000\"\n"
    "    --command reg_genmove                                   searches\n\n";

}  // namespace

int load(const std::vector<std::string>& arguments) {
  LoadPlan plan;
  std::string server;
  AccessFlags access;
  double seconds = 5;
  po::options_description options("Options", 100, 50);
  auto add = options.add_options();
  add("connect", po::value(&server)->default_value("127.0.0.1:4580")->value_name("HOST:PORT"),
      "the server; tls://HOST:PORT if it speaks TLS");
  access.add_to(options);
  add("connections", po::value(&plan.connections)->default_value(1)->value_name("N"),
      "connections that ask at the same time");
  add("pipeline", po::value(&plan.pipeline)->default_value(1)->value_name("K"),
      "commands under way on each of them");
  add("setup", po::value(&plan.setup)->composing()->value_name("LINE"),
      "what each connection sends before the measurement; repeatable");
  add("command", po::value(&plan.command)->default_value(plan.command)->value_name("LINE"),
      "what to ask");
  add("seconds", po::value(&seconds)->default_value(5)->value_name("S"), "how long");
  add("json", "print JSON instead of a table");
  add("help", "this text");
  const auto map = read_flags("load", load_usage, options, arguments);
  if (!map) return 0;
  require(plan.connections >= 1 && plan.connections <= 10000, "--connections must be 1 to 10000");
  require(plan.pipeline >= 1 && plan.pipeline <= 1000, "--pipeline must be 1 to 1000");
  require(seconds > 0 && seconds <= 1e6, "--seconds must be more than 0 and at most 1e6");
  const auto is_text = [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != '#'; };
  const auto expect_command = [&](const std::string& line, const char* flag) {
    require(std::ranges::all_of(line, is_text) && line.find_first_not_of(' ') != std::string::npos,
            std::string(flag) + " must be a command, of one line");
  };
  expect_command(plan.command, "--command");
  for (const std::string& line : plan.setup) expect_command(line, "--setup");
  plan.server = parse_address(server);
  plan.server.access = access.read();
  plan.time = std::chrono::milliseconds(std::max<std::int64_t>(1, std::llround(1000 * seconds)));

  const LoadResult result = run_load(plan);
  if (result.latencies.count() == 0) throw UserError("no answer came in time");
  if (map->contains("json")) {
    print_json(plan, result);
  } else {
    print_table(plan, result);
  }
  return 0;
}

}  // namespace pitboss::clients
