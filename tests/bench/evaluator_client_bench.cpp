#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/remote/evaluator_client.hpp"

// What the client of remote evaluators costs: `bench FOLDER NETWORK URL POSITIONS BATCH SECONDS`
// keeps so many positions waiting, and tells positions a second and the processor time of this
// process for each. The planes are empty boards: servers compute them as any other.
namespace {

using namespace pitboss::engine;
using Clock = std::chrono::steady_clock;

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Has `positions` evaluated together, again and again.
std::int64_t ask_for(RemoteNetwork& network, int positions, std::chrono::seconds time) {
  const std::vector<float> planes(
      static_cast<std::size_t>(network.local->network.shape().inputs()));
  std::int64_t rounds = 0;
  for (const auto end = Clock::now() + time; Clock::now() < end; ++rounds) {
    std::atomic<bool> has_failed = false;
    std::atomic<int> missing = positions;
    std::binary_semaphore all(0);
    for (int i = 0; i < positions; ++i) {
      network.ask(planes, [&](const RemoteAnswer& answer) {
        if (!answer.error.empty()) has_failed = true;
        if (--missing == 0) all.release();
      });
    }
    all.acquire();
    if (has_failed) throw std::runtime_error("the evaluator has not answered");
  }
  return rounds * positions;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) return EXIT_FAILURE;
  try {
    Networks networks(arguments[1]);
    EvaluatorSettings settings;
    settings.urls = {arguments[3]};
    settings.batch = std::atoi(arguments[5]);
    const auto service = make_evaluator_client(settings);
    const auto local = networks.get(arguments[2]);
    const std::vector<float> empty(static_cast<std::size_t>(local->network.shape().inputs()));
    const auto network = service->open(local, {empty});
    const int positions = std::atoi(arguments[4]);
    const std::chrono::seconds time(std::atoi(arguments[6]));
    static_cast<void>(ask_for(*network, positions, std::chrono::seconds(1)));
    const double before = processor_seconds();
    const auto asked = static_cast<double>(ask_for(*network, positions, time));
    std::cout << asked / static_cast<double>(time.count()) << " positions/s, "
              << (processor_seconds() - before) / asked * 1e6 << " us of the client each\n"
              << service->report() << '\n';
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
