#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "clients/tuning/candidates.hpp"
#include "clients/tuning/method.hpp"
#include "clients/tuning/n_tuple_bandit.hpp"
#include "clients/tuning/race.hpp"
#include "clients/tuning/spsa.hpp"
#include "clients/tuning/ucb_bandit.hpp"

/// A tuning from its search space to its answer. `Proposals` plays it.
namespace pitboss::clients {

/// The N-tuple bandit's runs, and how their candidates are compared.
struct NTupleTuning {
  NTupleSettings runs;
  ComparisonSettings comparison;
};

using MethodSettings = std::variant<RaceSettings, UcbSettings, NTupleTuning, SpsaSettings>;

struct TuningSettings {
  MethodSettings method;
  /// After the method; none with 0 games.
  DeviationSettings deviations;
  Conditions conditions;
  /// Of `Proposals`, at most `most_lag`; nothing: `lag_of` says.
  std::optional<int> lag;
};

/// The proposals that may be in flight: all of a race's, and of a bandit's, which takes what is
/// open for losses; of SPSA's a twentieth of the time constant, which costs nothing.
[[nodiscard]] std::int64_t most_lag(const SearchSpace& space, const TuningSettings& settings);
/// The given lag, or 16 or `most_lag`, whichever is less.
[[nodiscard]] int lag_of(const SearchSpace& space, const TuningSettings& settings);
/// The games of a proposal of the method.
[[nodiscard]] int games_per_proposal(const TuningSettings& settings);

/// The games of the method alone, at most.
[[nodiscard]] std::int64_t games_of(const SearchSpace& space, const TuningSettings& settings);

/// What a tuning costs, and what its answer loses against the best in the search space.
struct Prediction {
  std::int64_t games;           ///< at most
  std::optional<EloLoss> loss;  ///< in Elo; nothing: unknown
  std::string basis;            ///< a sentence: what the loss rests on, or why it is unknown
  /// A sentence, if the answer is expected to lose no less than the player before tuning.
  std::string warning = {};
};
/// `start_loss` is a guess of what the player loses before tuning, in Elo; of the losses only
/// SPSA's depends on it. Throws as `make_tuning` does.
[[nodiscard]] Prediction predict(const SearchSpace& space, const TuningSettings& settings,
                                 double start_loss = 50);

/// What is lost by taking the best score of `candidates` with `games` each, at an expected score
/// near 1/2: at most this on average, and below the bound with 95 %, however unequal they are.
[[nodiscard]] EloLoss loss_of_selection(int candidates, double games);

/// A method, or what comes after it.
using Stage = std::variant<Race, UcbBandit, NTupleRuns, Spsa, FinalComparison, OneStepDeviations>;

/// Stages one after the other, each made from the recommendations of the one before. A stage begins
/// when the one before has all its outcomes, and with openings that have not been played.
class Stages : public Method {
 public:
  using Next = std::function<Stage(const std::vector<Values>& recommended)>;

  Stages(Stage first, std::vector<Next> later);

  [[nodiscard]] std::optional<Proposal> propose() override;
  void learn(const Outcome& outcome) override;
  [[nodiscard]] std::vector<Values> recommended() const override;
  [[nodiscard]] std::vector<std::string> remarks() const override;

 private:
  std::vector<Stage> stages_;
  std::vector<Next> later_;
  int first_opening_ = 0;  // of this stage
  int next_opening_ = 0;   // after all that were proposed
  std::int64_t open_ = 0;
};

/// Throws UserError for settings that do not fit the space, each other, or the budget. The sentence
/// begins with the key.
[[nodiscard]] std::unique_ptr<Stages> make_tuning(const SearchSpace& space,
                                                  const TuningSettings& settings);

}  // namespace pitboss::clients
