#include "clients/training/step_times.hpp"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "clients/experiments/text_file.hpp"
#include "clients/results/record_files.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path file_of(const RunFolder& run, int generation) {
  return run.path() / "times" / (generation_text(generation) + ".json");
}

}  // namespace

StepTimes& StepTimes::operator+=(const StepTimes& other) {
  processors = other.processors;
  self_play += other.self_play;
  self_play_busy += other.self_play_busy;
  learning += other.learning;
  evaluation += other.evaluation;
  return *this;
}

double busy_share(double processor_seconds, double seconds, int processors) {
  return seconds > 0 ? std::min(processor_seconds / (seconds * processors), 1.0) : 0;
}

double StepClock::seconds() const {
  return std::chrono::duration<double>(environment::AwakeClock::now() - begin_).count();
}

double StepClock::processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

StepTimes read_step_times(const RunFolder& run, int generation) {
  const fs::path file = file_of(run, generation);
  if (!fs::exists(file)) return {};
  try {
    const Json json = Json::parse(read_text_file(file));
    return {json.at("processors"), json.at("self_play"), json.at("self_play_busy"),
            json.at("learning"), json.at("evaluation")};
  } catch (const Json::exception&) {
    return {};
  }
}

void add_step_times(const RunFolder& run, int generation, const StepTimes& sitting) {
  StepTimes times = read_step_times(run, generation);
  times += sitting;
  const Json json{{"processors", times.processors},
                  {"self_play", times.self_play},
                  {"self_play_busy", times.self_play_busy},
                  {"learning", times.learning},
                  {"evaluation", times.evaluation}};
  fs::create_directories(file_of(run, generation).parent_path());
  replace_file(file_of(run, generation), json.dump(1) + "\n");
}

}  // namespace pitboss::clients
