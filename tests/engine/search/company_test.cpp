#include "engine/search/company.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/leaf/network/networks.hpp"
#include "environment/awake_clock.hpp"
#include "tests/engine/leaf/network/network_folder.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using namespace std::chrono_literals;
using clients::ScratchFolder;

namespace {

Progress::TimePoint now() { return environment::AwakeClock::now(); }

struct Plan {
  std::string game;
  std::string options;
};

/// Searches of several networks and lengths, with what a leaf may need beside a network.
const std::vector<Plan> plans{
    {"connect4", "network=some simulations=300"},
    {"connect4", "network=some simulations=120 novelty=pseudocount"},
    {"connect4", "network=other simulations=200 novelty=evaluation solver=true"},
    {"breakthrough", "network=auto simulations=150 network_symmetry=average"},
    {"breakthrough", "network=auto simulations=1 network_symmetry=random"},
    {"amazons", "network=auto simulations=60 split_moves=true"},
    {"connect4", "network=other simulations=250 root_noise=0.25 tree_mb=1"},
};

/// Any number of searches by networks that all share.
class Searches {
 public:
  Searches() {
    write_network(folder_, "some", network_for(*games::make_game("connect4"), 1));
    write_network(folder_, "other", network_for(*games::make_game("connect4"), 2));
    for (const char* const name : {"breakthrough", "amazons"}) {
      write_network(folder_, name, network_for(*games::make_game(name), 1));
    }
    NetworkFile wrong = network_for(*games::make_game("connect4"), 1);
    for (const char* const name : {"policy.fc2.bias", "policy.fc2.weight"}) {
      for (float& x : wrong.tensors.at(name).data) x = 3e38F;
    }
    for (float& bias : wrong.tensors.at("policy.bn.bias").data) bias = 1;
    write_network(folder_, "wrong", wrong);
    networks_ = std::make_shared<Networks>(folder_.path(), std::size_t{0});
  }

  Search& begin(std::size_t i, const std::string& more = "") {
    const Plan& plan = plans[i % plans.size()];
    const auto game = games::make_game(plan.game);
    const Options options = options_of("selection=puct evaluation=network " + plan.options +
                                       " seed=" + std::to_string(i + 1) + " " + more);
    all_.push_back(make_search(*game, networks_));
    all_.back()->begin(*game, 0, options, limits_of(options));
    return *all_.back();
  }
  Report alone(std::size_t i) {
    Search& search = begin(i);
    while (search.run(1s) != Progress::done) {
    }
    return search.report();
  }

 private:
  ScratchFolder folder_;
  std::shared_ptr<Networks> networks_;
  std::vector<std::unique_ptr<Search>> all_;
};

void check_same(const Report& a, const Report& b) {
  CHECK(a.simulations == b.simulations);
  CHECK(a.nodes == b.nodes);
  CHECK(a.max_depth == b.max_depth);
  CHECK(a.move == b.move);
  CHECK(a.pv == b.pv);
  REQUIRE(a.moves.size() == b.moves.size());
  for (std::size_t i = 0; i < a.moves.size(); ++i) {
    CHECK(a.moves[i].move == b.moves[i].move);
    CHECK(a.moves[i].visits == b.moves[i].visits);
    CHECK(a.moves[i].value == b.moves[i].value);
    CHECK(a.moves[i].novelty == b.moves[i].novelty);
    CHECK(a.moves[i].prior == b.moves[i].prior);
  }
  CHECK(a.network->evaluations == b.network->evaluations);
}

/// Each has a slice in turn, as a worker gives them; the others are its guests.
void run_all(const std::vector<Search*>& searches, std::chrono::microseconds slice) {
  Company company;
  std::vector<Search*> left = searches;
  for (Search* const search : left) static_cast<void>(search->run(0us));
  while (!left.empty()) {
    Search* const search = left.front();
    left.erase(left.begin());
    for (Search* const guest : left) company.add(*guest);
    search->run_next_with(company);
    const Progress progress = search->run(slice);
    company.clear();
    if (progress == Progress::runnable) left.push_back(search);
  }
}

}  // namespace

TEST_CASE("step: searches whose leaves are evaluated together are those alone") {
  Searches searches;
  for (const std::size_t count : {1U, 2U, 16U}) {
    CAPTURE(count);
    std::vector<Search*> together;
    for (std::size_t i = 0; i < count; ++i) together.push_back(&searches.begin(i));
    std::vector<Search*> left = together;
    LeafBatch batch(3);  // which is full now and then
    while (!left.empty()) {
      std::erase_if(left, [&](Search* s) { return s->step(batch, now()) == Progress::done; });
      batch.evaluate();
    }
    for (std::size_t i = 0; i < count; ++i) {
      CAPTURE(i);
      check_same(together[i]->report(), searches.alone(i));
    }
  }
}

TEST_CASE("Company: searches that are each other's guests are those alone, however short a slice") {
  Searches searches;
  for (const auto slice : {0us, 300us}) {
    for (const std::size_t count : {2U, 16U}) {
      CAPTURE(count);
      std::vector<Search*> together;
      for (std::size_t i = 0; i < count; ++i) together.push_back(&searches.begin(i));
      run_all(together, slice);
      for (std::size_t i = 0; i < count; ++i) {
        CAPTURE(i);
        check_same(together[i]->report(), searches.alone(i));
      }
    }
  }
}

TEST_CASE("Company: none of searches that processor time bounds, which others would use, too") {
  Searches searches;
  CHECK(searches.begin(0).has_steps());
  Search& bounded = searches.begin(0, "simulations=0 cputime=5");
  CHECK_FALSE(bounded.has_steps());
  while (bounded.run(1ms) != Progress::done) {
  }
  CHECK(bounded.effort().processor_time >= 5ms);
}

TEST_CASE("Company: a guest that is stopped ends, and the others go on as alone") {
  Searches searches;
  std::vector<Search*> together;
  for (std::size_t i = 0; i < 4; ++i) together.push_back(&searches.begin(i));
  for (Search* const search : together) static_cast<void>(search->run(0us));
  Company company;
  for (std::size_t i = 1; i < together.size(); ++i) company.add(*together[i]);
  together[0]->run_next_with(company);
  CHECK(together[0]->run(0us) == Progress::runnable);
  company.clear();
  together[1]->stop();
  run_all(together, 100us);
  const std::int64_t made = together[1]->report().simulations;
  CHECK(made >= 2);
  CHECK(made < 120);
  for (const std::size_t i : {0U, 2U, 3U}) check_same(together[i]->report(), searches.alone(i));
}

TEST_CASE("Company: a network that fails ends its own search alone, in that search's slice") {
  Searches searches;
  Search& wrong = searches.begin(0, "network=wrong solver=true");
  Search& other = searches.begin(2);
  Search& another = searches.begin(3);
  static_cast<void>(other.run(0us));
  Company company;
  company.add(wrong);
  company.add(another);
  other.run_next_with(company);
  while (other.run(1ms) != Progress::done) {
    company.clear();
    company.add(wrong);
    company.add(another);
    other.run_next_with(company);
  }
  company.clear();
  check_same(other.report(), searches.alone(2));
  CHECK_THROWS_WITH_AS(static_cast<void>(wrong.run(1s)),
                       "network wrong gives values that are not finite numbers for a position",
                       BadOption);
  while (another.run(1s) != Progress::done) {
  }
  check_same(another.report(), searches.alone(3));
}
