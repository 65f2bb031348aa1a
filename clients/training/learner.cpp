#include "clients/training/learner.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/players/engine_failure.hpp"
#include "clients/training/child_lines.hpp"
#include "environment/variable.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
using environment::variable;
using Json = nlohmann::ordered_json;

constexpr int most_tries = 3;

/// The interpreters among which the learner's is looked for, in this order.
std::vector<std::string> interpreters() {
  if (const std::string named = variable("PITBOSS_TORCH_PYTHON"); !named.empty()) return {named};
  std::vector<std::string> all{"python3"};
  for (const char* const name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string folder = variable(name);
    if (!folder.empty()) all.push_back(folder + "/bin/python3");
  }
  all.emplace_back("/usr/bin/python3");
  return all;
}

/// The command for the interpreter with these arguments; it finds the learner's package.
std::vector<std::string> python_command(const std::string& python,
                                        const std::vector<std::string>& arguments) {
  const std::string path = variable("PYTHONPATH");
  std::vector<std::string> command{
      "env", "PYTHONPATH=" + python_folder().string() + (path.empty() ? "" : ":" + path), python};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

std::optional<double> optional_number(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

void report_progress(const std::string& line, const std::function<void(double)>& on_progress) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("step") || !json.contains("steps")) return;
  on_progress(json["step"].get<double>() / std::max(json["steps"].get<double>(), 1.0));
}

}  // namespace

std::optional<LearnedFigures> read_learned(const RunFolder& run, int generation) {
  const fs::path file = run.learned(generation);
  if (!fs::exists(file)) return std::nullopt;
  try {
    const Json json = Json::parse(read_text_file(file));
    LearnedFigures figures;
    json.at("steps").get_to(figures.steps);
    json.at("rows_in_window").get_to(figures.rows_in_window);
    json.at("learning_rate").get_to(figures.learning_rate);
    json.at("policy_loss").get_to(figures.policy_loss);
    json.at("value_loss").get_to(figures.value_loss);
    json.at("held_out_rows").get_to(figures.held_out_rows);
    figures.held_out_policy_loss = optional_number(json.at("held_out_policy_loss"));
    figures.held_out_value_loss = optional_number(json.at("held_out_value_loss"));
    json.at("policy_entropy").get_to(figures.policy_entropy);
    json.at("network_entropy").get_to(figures.network_entropy);
    json.at("policy_accuracy").get_to(figures.policy_accuracy);
    json.at("seconds").get_to(figures.seconds);
    figures.processor_seconds = optional_number(json.value("processor_seconds", Json()));
    json.at("samples_per_second").get_to(figures.samples_per_second);
    return figures;
  } catch (const Json::exception&) {
    throw UserError(file.string() + " is damaged; remove it: training does not need it");
  }
}

std::string find_learner() {
  constexpr const char* word = "ready";
  const std::atomic<bool> never = false;
  std::string failures;
  for (const std::string& python : interpreters()) {
    bool is_ready = false;
    EndedProgram last;
    try {
      last =
          run_program(python_command(python, {"-c", "import pitboss.generation; print('ready')"}),
                      never, [&](const std::string& line) { is_ready |= line == word; });
    } catch (const EngineFailure& failure) {
      last.sentence = failure.what();
    }
    if (is_ready) return python;
    failures += (failures.empty() ? "" : ", nor in ") + python + " (" + last.why() + ")";
  }
  throw UserError("the learner cannot run in " + failures +
                  ": it needs PyTorch, python3-torch in Debian or torch from PyPI; "
                  "PITBOSS_TORCH_PYTHON may name another Python");
}

bool learn(const RunFolder& run, int generation, const std::string& python,
           const std::atomic<bool>& stop, const std::function<void(double)>& on_progress) {
  fs::create_directories(run.learned(generation).parent_path());
  for (int tries = 1;; ++tries) {
    EndedProgram last;
    try {
      last =
          run_program(python_command(python, {"-m", "pitboss.learn", "--run", run.path().string(),
                                              "--generation", std::to_string(generation)}),
                      stop, [&](const std::string& line) { report_progress(line, on_progress); });
    } catch (const EngineFailure& failure) {
      throw UserError(failure.what());
    }
    if (fs::exists(run.network(generation))) return true;
    if (stop) return false;
    const bool was_killed = last.ending.starts_with("[signal");
    if (was_killed && tries < most_tries) continue;
    throw UserError("the learner has failed: " + (was_killed ? last.ending : last.why()) +
                    "; docs/training.md tells what to remove if a file is damaged");
  }
}

}  // namespace pitboss::clients
