#include "clients/pitboss/position_searches.hpp"

#include <filesystem>
#include <iostream>
#include <utility>

#include "clients/experiments/counted.hpp"
#include "clients/experiments/preset_file.hpp"
#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/results/progress_display.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

std::vector<engine::Assignment> search_options(const std::string& preset, std::int64_t simulations,
                                               const std::vector<std::string>& settings) {
  std::string text;
  for (const std::string& setting : settings) text += setting + " ";
  try {
    std::vector<engine::Assignment> options{{"simulations", std::to_string(simulations)}};
    if (!preset.empty()) options.push_back({"preset", preset});
    for (auto& [name, value] : engine::parse_assignments(text)) {
      name = games::in_lower_case(name);
      require(name != "seed", "--seed sets the seed, --set cannot");
      require(name != "simulations", "--simulations sets their number, --set cannot");
      options.push_back({name, value});
    }
    expand_presets(options);
    engine::presets_first(options);
    engine::Options checked;
    for (auto& [name, value] : options) {
      name = games::in_lower_case(name);  // as a file of options has it
      engine::set_option(checked, name, value);
    }
    return options;
  } catch (const engine::BadOption& bad) {
    throw UserError(bad.what());
  }
}

std::string text_of(const std::vector<engine::Assignment>& options) {
  std::string text;
  for (const auto& [name, value] : options) text += name + "=" + value + " ";
  return text;
}

void ServerFlags::add_to(boost::program_options::options_description& options) {
  namespace po = boost::program_options;
  options.add_options()(
      "server", po::value(&servers)->composing()->value_name("HOST:PORT"),
      "a daemon that searches, tls://HOST:PORT if it speaks TLS; repeatable (default: one of its "
      "own, with the networks that come with Pitboss)");
  access.add_to(options);
  options.add_options()("threads", po::value(&threads)->default_value(0)->value_name("N"),
                        "that the daemon of its own searches with; 0: one for each processor");
}

SearchServers::SearchServers(const ServerFlags& flags) {
  const Access access = flags.access.read();
  for (const std::string& text : flags.servers) {
    addresses_.push_back(parse_address(text));
    addresses_.back().access = access;
  }
  if (!addresses_.empty()) return;
  std::vector<std::string> arguments{"--workers", std::to_string(threads_given(flags.threads))};
  const fs::path data = data_folder();
  for (const char* const kind : {"networks", "features"}) {
    if (!fs::is_directory(data / kind)) continue;
    arguments.push_back(std::string("--") + kind);
    arguments.push_back((data / kind).string());
  }
  daemon_.emplace(arguments);
  addresses_.push_back(daemon_->address());
}

std::optional<int> search_missing(const ServerFlags& flags, ReviewSearch search,
                                  const std::vector<GamePosition>& questions, FindingsFile& file,
                                  const Interruption& interruption,
                                  std::vector<std::string>& left_out) {
  std::vector<GamePosition> missing;
  for (const GamePosition& question : questions) {
    if (!file.findings().contains(question)) missing.push_back(question);
  }
  if (missing.empty()) return std::nullopt;
  const SearchServers servers(flags);
  search.servers = servers.addresses();
  std::string failure;
  {
    ProgressDisplay progress;
    WorkDone work{questions.size() - missing.size(), questions.size(), "positions"};
    progress.update(work);
    ReviewEvents events;
    events.found = [&](const GamePosition& question, Finding finding) {
      file.add(question, std::move(finding));
      ++work.done;
    };
    events.chose = [&](const std::string& rules, const std::string& preset) {
      file.set_preset(rules, preset);
    };
    events.note = [](const std::string& text) { std::cerr << text << "\n"; };
    events.gave_up = [&](const std::string& text) { failure = text; };
    events.is_stopped = [&] {
      progress.update(work);
      return interruption.flag().load();
    };
    const auto refused = search_positions(missing, search, events);
    left_out.insert(left_out.end(), refused.begin(), refused.end());
    progress.finish();
    if (!interruption.flag() && failure.empty()) return std::nullopt;
    std::cerr << (failure.empty() ? "interrupted" : "stopped: " + failure) << "; "
              << counted(work.done, "position") << " of " << work.all
              << " are searched, and the same command goes on\n";
  }
  return failure.empty() ? exit_interrupted : exit_stopped;
}

}  // namespace pitboss::clients
