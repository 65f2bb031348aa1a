#include "engine/leaf/remote/remote_evaluator.hpp"

#include <doctest/doctest.h>

#include <optional>

#include "games/connect4.hpp"
#include "tests/engine/leaf/network/network_folder.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

using G = games::Connect4;

/// A network on servers that answer when they are told to.
class PatientNetwork final : public RemoteNetwork {
 public:
  using RemoteNetwork::RemoteNetwork;
  void ask(std::vector<float> /*planes*/, Arrived arrived) override {
    asked.push_back(std::move(arrived));
  }
  /// Answers a question, with a value for black and no opinion on moves.
  void answer(std::size_t question, float black) {
    std::vector<float> logits(static_cast<std::size_t>(local->network.shape().outputs()), 0);
    logits[0] = std::log(black / (1 - black));
    asked.at(question)({logits, {}, false});
  }
  void refuse(std::size_t question, bool is_refused) {
    asked.at(question)({{}, "no server answers", is_refused});
  }

  std::vector<Arrived> asked;
};

class PatientService final : public RemoteService {
 public:
  explicit PatientService(bool falls_back) : falls_back_(falls_back) {}
  [[nodiscard]] std::shared_ptr<RemoteNetwork> open(
      std::shared_ptr<const LoadedNetwork> network,
      std::vector<std::vector<float>> /*samples*/) override {
    return opened = std::make_shared<PatientNetwork>(std::move(network));
  }
  [[nodiscard]] bool falls_back() const override { return falls_back_; }
  [[nodiscard]] std::vector<RemoteServer> servers() const override { return {}; }
  [[nodiscard]] std::int64_t unanswered() const override { return 0; }
  [[nodiscard]] std::string report() const override { return "{}"; }

  std::shared_ptr<PatientNetwork> opened;

 private:
  bool falls_back_;
};

/// An evaluator of such a service, and positions for it.
struct Asked {
  explicit Asked(const std::string& options = "", bool falls_back = false)
      : service(std::make_shared<PatientService>(falls_back)),
        evaluator(std::make_shared<HeldNetworks>(
                      std::make_shared<Networks>(std::make_shared<const LoadedNetwork>(
                          "net", tests::network_for(*games::make_game("connect4"), 1), "hash",
                          std::size_t{1} << 20))),
                  service, tests::options_of("evaluation=network network=net " + options),
                  [this] { ++calls; }) {
    evaluator.prepare(after(""), "");
  }
  [[nodiscard]] static G after(std::string_view drops) {
    const auto game = games::make_game("connect4");
    for (const char c : drops) game->play(std::string(1, c));
    return tests::inside<G>(*game);
  }
  void submit(Ticket ticket, std::string_view drops) {
    evaluator.submit(ticket, Trajectory<G>(after(drops)));
  }
  /// The ticket of what has arrived and its value for black.
  [[nodiscard]] std::optional<std::pair<Ticket, double>> collect() {
    Ticket ticket = -1;
    Evaluation<G> evaluation;
    if (!evaluator.collect(ticket, evaluation)) return std::nullopt;
    return std::pair(ticket, evaluation.values[0]);
  }
  [[nodiscard]] PatientNetwork& network() const { return *service->opened; }

  std::shared_ptr<PatientService> service;
  RemoteEvaluator<G> evaluator;
  int calls = 0;
};

}  // namespace

TEST_CASE("RemoteEvaluator: answers come in any order, each with its ticket") {
  Asked remote;
  remote.submit(0, "a");
  remote.submit(1, "b");
  remote.submit(2, "c");
  CHECK_FALSE(remote.collect());
  remote.network().answer(2, 0.7F);
  remote.network().answer(0, 0.2F);
  CHECK(remote.calls == 2);
  auto found = remote.collect();
  REQUIRE(found);
  CHECK(found->first == 2);
  CHECK(found->second == doctest::Approx(0.7));
  found = remote.collect();
  REQUIRE(found);
  CHECK(found->first == 0);
  CHECK(found->second == doctest::Approx(0.2));
  CHECK_FALSE(remote.collect());
  // The ticket is free again; what a server has answered it is not asked for twice.
  remote.submit(2, "a");
  CHECK(remote.network().asked.size() == 3);
  found = remote.collect();
  REQUIRE(found);
  CHECK(found->first == 2);
  CHECK(found->second == doctest::Approx(0.2));
  CHECK(remote.evaluator.network()->remote == 2);
  CHECK(remote.evaluator.network()->cached == 1);
}

TEST_CASE("RemoteEvaluator: what was dropped is not handed out, before or after its answer") {
  Asked remote;
  remote.submit(0, "a");
  remote.submit(1, "b");
  remote.network().answer(0, 0.9F);  // and nobody collects it
  remote.evaluator.drop();
  CHECK_FALSE(remote.collect());
  const int calls = remote.calls;
  // The next search has other positions under the same tickets.
  remote.submit(0, "dd");
  remote.submit(1, "dc");
  remote.network().answer(1, 0.1F);
  CHECK(remote.calls == calls);
  CHECK_FALSE(remote.collect());
  remote.network().answer(3, 0.6F);
  auto found = remote.collect();
  REQUIRE(found);
  CHECK(found->first == 1);
  CHECK(found->second == doctest::Approx(0.6));
  CHECK_FALSE(remote.collect());
  // Dropped once more, with one answered and one not.
  remote.evaluator.drop();
  remote.submit(0, "e");
  remote.network().answer(2, 0.3F);
  CHECK_FALSE(remote.collect());
  remote.network().answer(4, 0.8F);
  found = remote.collect();
  REQUIRE(found);
  CHECK(found->first == 0);
  CHECK(found->second == doctest::Approx(0.8));
}

TEST_CASE("RemoteEvaluator: answers of one that is gone go nowhere") {
  std::shared_ptr<PatientNetwork> network;
  {
    Asked remote;
    remote.submit(0, "a");
    network = remote.service->opened;
  }
  CHECK_NOTHROW(network->answer(0, 0.5F));
}

TEST_CASE("RemoteEvaluator: who evaluates what no server answers, and what none has") {
  struct Row {
    const char* options;
    bool falls_back;
    bool is_refused;
    bool is_local;
  };
  for (const auto& [options, falls_back, is_refused, is_local] :
       {Row{"evaluator=remote", false, false, false}, Row{"evaluator=remote", true, false, true},
        Row{"evaluator=remote", false, true, false}, Row{"evaluator=remote", true, true, false},
        Row{"evaluator=auto", false, false, false}, Row{"evaluator=auto", true, false, true},
        Row{"evaluator=auto", false, true, true}, Row{"evaluator=auto", true, true, true}}) {
    CAPTURE(options);
    CAPTURE(falls_back);
    CAPTURE(is_refused);
    Asked remote(options, falls_back);
    remote.submit(0, "a");
    remote.network().refuse(0, is_refused);
    if (!is_local) {
      CHECK_THROWS_WITH_AS(static_cast<void>(remote.collect()), "no server answers", BadOption);
      continue;
    }
    CHECK(remote.collect());
    CHECK(remote.evaluator.network()->local() == 1);
  }
}
