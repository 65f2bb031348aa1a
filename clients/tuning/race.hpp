#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clients/tuning/likeness.hpp"
#include "clients/tuning/method.hpp"
#include "clients/tuning/unit_space.hpp"

namespace pitboss::clients {

struct RaceSettings {
  std::int64_t games = 3000;  ///< at most
  /// Options that are known to be good elsewhere.
  std::vector<Values> answers = {};
  /// The player without the idea that is tuned.
  std::optional<Values> control = {};
};

/// Candidates that play the same openings against the same opponents: the options before tuning,
/// the control, the known answers, points that fill the space evenly, and those that a Gaussian
/// process over all scores expects most of (GP-UCB in batches: Srinivas et al. 2010; Desautels et
/// al. 2014). Half of the games are for new candidates, half for those that may be the best. Who is
/// beaten by the leader, by the differences of their scores from the same openings, is out, but the
/// options before tuning and the control. In self-play the opponent is the player as it was, whose
/// score of 1/2 is known.
///
/// The answer is the candidate whose lead over the options before tuning has the highest lower
/// bound; these themselves, if no bound is above 0. More games change none of those before.
class Race : public Method {
 public:
  /// A candidate.
  struct Racer {
    Values values;
    UnitPoint at;
    bool stays = false;               ///< to the end, whoever beats it
    bool is_out = false;              ///< beaten
    int begun = 0;                    ///< samples
    std::vector<double> scores = {};  ///< of the samples, each from its own openings
  };
  /// Over the options before tuning, in points per game, as the model sees it.
  struct Lead {
    double mean;
    double deviation;
  };

  /// The answers and the control must lie in the space. Throws UserError for a start that is no
  /// number in a range, and for fewer games than one sample has.
  Race(SearchSpace space, Conditions conditions, RaceSettings settings);

  [[nodiscard]] std::optional<Proposal> propose() override;
  void learn(const Outcome& outcome) override;
  [[nodiscard]] std::vector<Values> recommended() const override;
  [[nodiscard]] std::vector<std::string> remarks() const override;

  /// The options before tuning are the first.
  [[nodiscard]] const std::vector<Racer>& racers() const { return racers_; }
  /// Of the answer. It is computed anew after each round of proposals, not after each game.
  [[nodiscard]] Lead lead() const { return lead_; }

 private:
  struct Task {
    std::size_t racer;
    int sample;
  };
  /// All play but, in self-play, the options before tuning.
  [[nodiscard]] bool plays(const Racer& racer) const;
  [[nodiscard]] bool is_spent() const;
  [[nodiscard]] bool is_separated() const;
  [[nodiscard]] std::vector<double> leads(const Racer& one, const Racer& other) const;
  std::size_t enter(const Values& values, bool stays);
  void begin(std::size_t racer, int samples);
  void begin_design();
  void begin_round();
  [[nodiscard]] std::vector<Observation> observations() const;
  [[nodiscard]] std::vector<UnitPoint> new_points(games::Random& random) const;
  void look();
  void drop_beaten();

  UnitSpace space_;
  Conditions conditions_;
  RaceSettings settings_;
  Likeness likeness_;
  std::vector<Racer> racers_;
  std::map<Values, std::size_t> known_;  // the racers
  std::vector<Task> tasks_;              // all that were ever planned
  std::size_t design_ = 0;               // of these, the tasks of the first round
  std::size_t made_ = 0;
  std::size_t learned_ = 0;
  std::size_t fitted_ = 0;  // outcomes when the likeness was fitted last
  std::size_t leader_ = 0;
  Lead lead_{0, 0};
};

/// The candidates of the first round, in a space that has so many.
[[nodiscard]] int candidates_of_design(const SearchSpace& space, const RaceSettings& settings);

}  // namespace pitboss::clients
