// How fast the paper's network (8x8, four planes, 192 policy outputs) is evaluated by our kernels
// and by oneDNN, on one thread, and what part of the processor's fused multiply-adds that is: of
// those that the network has by the book, and of those that are left of them with minimal filtering
// (engine/leaf/network/winograd.hpp; zeros skipped at batch 1 count as if they were not). All take
// turns in rounds, so that a machine that changes its speed changes it for all; the figures are
// medians over the rounds, in processor time. On a busy machine compare the ratios alone.
//
//   cmake --build --preset release --target network_kernels_bench
//   build/release/bin/network_kernels_bench [ROUNDS]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <vector>

#include "engine/leaf/network/fused_peak.hpp"
#include "engine/leaf/network/network.hpp"
#include "engine/leaf/network/winograd.hpp"
#include "tests/bench/onednn_network.hpp"
#include "tests/engine/leaf/network/weights.hpp"

namespace {

using namespace pitboss;

constexpr int positions = 32;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What `work` does in a second, which returns how much it has done.
double rate_of(const std::function<double()>& work) {
  constexpr double seconds = 0.004;
  const double begin = processor_seconds();
  double done = 0;
  double now = begin;
  for (; now - begin < seconds; now = processor_seconds()) done += work();
  return done / (now - begin);
}

double median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

/// For one evaluation, if a 3x3 convolution takes so many for each pair of channels.
double multiply_adds(const engine::NetworkShape& shape, int of_3x3) {
  double total = 0;
  for (const auto& [name, sizes] : engine::tensor_shapes(shape)) {
    if (sizes.size() == 1) continue;
    const auto numbers = static_cast<double>(engine::numbers_in(sizes));
    if (sizes.size() == 2) {
      total += numbers;
    } else {
      total += sizes[2] == 3 ? numbers / 9 * of_3x3 : numbers * shape.points();
    }
  }
  return total;
}

struct Logits {
  explicit Logits(const engine::NetworkShape& shape)
      : values(positions * shape.values), policy(positions * shape.policy) {}
  std::vector<float> values;
  std::vector<float> policy;
};

struct Contest {
  int batch;
  std::function<double()> ours;
  std::function<double()> theirs;
  std::vector<double> our_rates;
  std::vector<double> their_rates;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 200;
  const auto shape = engine::NetworkShape::paper(4, 8, 8, 192, 2);
  const auto tensors = engine::random_weights(shape, 1);
  const auto planes = tests::random_planes(shape, positions, 2);
  const engine::Network network(shape, tensors);
  const int inputs = shape.planes * shape.points();
  Logits ours(shape);
  Logits theirs(shape);

  std::vector<Contest> contests;
  double used = 0;
  for (const int batch : {1, 8, 32}) {
    const auto each_batch = [=, &planes, &shape](Logits& logits, auto&& evaluate) {
      for (int p = 0; p < positions; p += batch) {
        evaluate(planes.data() + p * inputs, logits.values.data() + p * shape.values,
                 logits.policy.data() + p * shape.policy);
      }
      return static_cast<double>(positions);
    };
    auto workspace = std::make_shared<engine::Network::Workspace>(network, batch);
    auto onednn = std::make_shared<bench::OneDnnNetwork>(shape, tensors, batch);
    contests.push_back({batch,
                        [=, &network, &ours] {
                          return each_batch(ours, [&](const float* in, float* v, float* p) {
                            network.evaluate(in, batch, v, p, *workspace);
                          });
                        },
                        [=, &theirs] {
                          return each_batch(theirs, [&](const float* in, float* v, float* p) {
                            onednn->evaluate(in, v, p);
                          });
                        },
                        {},
                        {}});
    contests.back().ours();
    contests.back().theirs();
    for (std::size_t i = 0; i < ours.policy.size(); ++i) {
      if (std::abs(ours.policy[i] - theirs.policy[i]) < 1e-4F) continue;
      std::fprintf(stderr, "The networks do not agree.\n");
      return 1;
    }
    used = onednn->share_of_heads_inputs_used();
  }

  std::vector<double> peaks;
  for (int round = 0; round < rounds; ++round) {
    peaks.push_back(rate_of([] { return engine::multiply_and_add(20000); }));
    for (auto& contest : contests) {
      contest.our_rates.push_back(rate_of(contest.ours));
      contest.their_rates.push_back(rate_of(contest.theirs));
    }
  }

  const double by_the_book = multiply_adds(shape, 9 * shape.points());
  const engine::BoardLayout layout{shape.rows, shape.columns, 1};
  const double filtered = multiply_adds(shape, layout.tile_numbers() * layout.tiles());
  std::printf("%s, %d rounds; fused multiply-adds: %.1f G/s\n", engine::instruction_set(), rounds,
              median(peaks) / 1e9);
  std::printf(
      "an evaluation has %.0f of them, %.0f with minimal filtering; %.0f %% of the heads' "
      "inputs are not zero\n",
      by_the_book, filtered, 100 * used);
  std::printf("%5s %10s %10s %8s %14s %12s\n", "batch", "ours/s", "oneDNN/s", "ratio",
              "peak, by book", "peak, made");
  for (const auto& contest : contests) {
    std::vector<double> ratios;
    std::vector<double> parts;
    for (int i = 0; i < rounds; ++i) {
      ratios.push_back(contest.our_rates[i] / contest.their_rates[i]);
      parts.push_back(contest.our_rates[i] / peaks[i]);
    }
    std::printf("%5d %10.0f %10.0f %8.2f %12.0f %% %10.0f %%\n", contest.batch,
                median(contest.our_rates), median(contest.their_rates), median(ratios),
                100 * median(parts) * by_the_book, 100 * median(parts) * filtered);
  }
}
