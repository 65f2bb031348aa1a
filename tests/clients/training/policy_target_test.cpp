#include "clients/training/policy_target.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

namespace pitboss::clients {

namespace {

using engine::RootMove;
using Weights = std::vector<double>;

void check_near(const Weights& found, const Weights& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-6));
  }
}

}  // namespace

TEST_CASE("forced playouts are pruned as far as PUCT would not have made them") {
  // c sqrt(n) = 6, and the best move's score is 0.6 + 6 * 0.5 / 29 = 0.7034.
  // The second move: 4 of its 6 visits were forced, but with 2 it would have 0.3 + 1.5 / 3 = 0.8;
  // with 3 it has 0.675. The third: with one it has 0.475, and a single visit goes, too.
  CHECK(without_forced(std::vector<RootMove>{{28, 0.6, 0.5}, {6, 0.3, 0.25}, {2, 0.1, 0.125}}, 2,
                       {1, 0}) == Weights{28, 3, 0});
  // Fewer are forced than PUCT would give up: sqrt(2 * 0.125 * 36) = 3 of 8.
  CHECK(without_forced(std::vector<RootMove>{{28, 0.6, 0.5}, {8, 0.1, 0.125}, {0, 0, 0.375}}, 2,
                       {1, 0}) == Weights{28, 5, 0});
  // A better value than the best move's score keeps all.
  CHECK(without_forced(std::vector<RootMove>{{10, 0.5, 0.5}, {6, 0.9, 0.5}}, 2, {1, 0}) ==
        Weights{10, 6});
  // Virtual samples count: c sqrt(33 + 3) = 6, the best score is 0.6 + 3 / 22 = 0.7364; the second
  // move has 0.3 + 1.5 / 3 = 0.8 with one visit, 0.3 + 1.5 / 4 = 0.675 with two.
  CHECK(without_forced(std::vector<RootMove>{{20, 0.6, 0.5}, {11, 0.3, 0.25}, {2, 0.1, 0.125}}, 100,
                       {1, 1}) == Weights{20, 2, 0});
  CHECK(without_forced(std::vector<RootMove>{{3, 0.5, 1}}, 2, {1, 0}) == Weights{3});
}

TEST_CASE("the improved policy adds completed values to the priors") {
  // The untried move has (0.45 + 15 (0.5 * 0.6 + 0.25 * 0.4) / 0.75) / 16 = 0.528125, and values
  // count 0.1 (50 + 10) = 6: weights 0.5 e^3.6, 0.25 e^2.4, 0.25 e^3.16875.
  check_near(improved_policy(std::vector<RootMove>{{10, 0.6, 0.5}, {5, 0.4, 0.25}, {0, 0, 0.25}},
                             0.45, 0.1),
             {0.6777615, 0.1020689, 0.2201696});
  // Nothing was tried: the policy stays.
  check_near(improved_policy(std::vector<RootMove>{{0, 0, 0.7}, {0, 0, 0.3}}, 0.9, 1), {0.7, 0.3});
  // However sharp, it is finite.
  check_near(improved_policy(std::vector<RootMove>{{1000, 1, 0}, {10, 0, 1}}, 0.5, 100), {1, 0});
}

TEST_CASE("divergence of a target from a policy") {
  CHECK(divergence(Weights{3, 1}, Weights{0.5, 0.5}) == doctest::Approx(0.1308119));
  CHECK(divergence(Weights{2, 2}, Weights{0.5, 0.5}) == doctest::Approx(0));
  CHECK(divergence(Weights{5, 0}, Weights{0.25, 0.75}) == doctest::Approx(1.3862944));
  CHECK(divergence(Weights{1, 0}, Weights{0, 1}) == doctest::Approx(27.6310211));  // not infinite
}

TEST_CASE("policy surprise moves a share of the weight, and keeps the sum") {
  const Weights weights{1, 1, 2};
  const Weights surprises{0, 1, 0.5};
  check_near(surprise_weights(weights, surprises, 0.5), {0.5, 1.5, 2});
  check_near(surprise_weights(weights, surprises, 1), {0, 2, 2});
  check_near(surprise_weights(weights, surprises, 0), weights);
  check_near(surprise_weights(weights, Weights{0, 0, 0}, 0.5), weights);
}

}  // namespace pitboss::clients
