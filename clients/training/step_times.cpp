#include "clients/training/step_times.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "clients/experiments/text_file.hpp"
#include "clients/report/record_files.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path file_of(const RunFolder& run, int generation) {
  return run.path() / "times" / (generation_text(generation) + ".json");
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

Json json_of(const StepTime& time) {
  return {{"seconds", time.seconds}, {"processor_seconds", time.processor_seconds}};
}

StepTime step_time(const Json& json) {
  return {json.at("seconds").get<double>(), json.at("processor_seconds").get<double>()};
}

}  // namespace

double StepTime::busy_share(int processors) const {
  return seconds > 0 ? std::min(processor_seconds / (seconds * processors), 1.0) : 0;
}

StepTime& StepTime::operator+=(const StepTime& other) {
  seconds += other.seconds;
  processor_seconds += other.processor_seconds;
  return *this;
}

StepTime StepClock::time() const {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin_;
  return {seconds.count(), processor_seconds() - processor_begin_};
}

double StepClock::processor_seconds() {
  double sum = 0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(whose, &usage);
    sum += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  }
  return sum;
}

StepTimes read_step_times(const RunFolder& run, int generation) {
  const fs::path file = file_of(run, generation);
  if (!fs::exists(file)) return {};
  try {
    const Json json = Json::parse(read_text_file(file));
    return {json.at("processors").get<int>(), step_time(json.at("self_play")),
            step_time(json.at("learning")), step_time(json.at("evaluation"))};
  } catch (const Json::exception&) {
    return {};
  }
}

void add_step_time(const RunFolder& run, int generation, StepTime StepTimes::*step,
                   const StepTime& time, int processors) {
  StepTimes times = read_step_times(run, generation);
  times.*step += time;
  const Json json{{"processors", processors},
                  {"self_play", json_of(times.self_play)},
                  {"learning", json_of(times.learning)},
                  {"evaluation", json_of(times.evaluation)}};
  fs::create_directories(file_of(run, generation).parent_path());
  replace_file(file_of(run, generation), json.dump(1) + "\n");
}

}  // namespace pitboss::clients
