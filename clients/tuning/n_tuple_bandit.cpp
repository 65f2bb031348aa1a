#include "clients/tuning/n_tuple_bandit.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <utility>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

constexpr int unset = -1;

Values values_of(const SearchSpace& space, const Places& places) {
  Values values;
  for (std::size_t i = 0; i < space.size(); ++i) values.push_back(space[i].values[places[i]]);
  return values;
}

}  // namespace

NTupleModel::NTupleModel(std::vector<int> sizes, double factor) : sizes_(std::move(sizes)) {
  const int n = static_cast<int>(sizes_.size());
  const auto add = [&](const std::vector<int>& parameters) {
    std::int64_t arms = 1;
    for (const int parameter : parameters) arms *= sizes_[parameter];
    tuples_.push_back({parameters, Bandit(arms, factor, 1)});
  };
  for (int i = 0; i < n; ++i) add({i});
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) add({i, j});
  }
  if (n > 2) {
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    add(all);
  }
}

std::int64_t NTupleModel::arm_of(const Tuple& tuple, const Places& places) const {
  std::int64_t arm = 0;
  for (const int parameter : tuple.parameters) arm = arm * sizes_[parameter] + places[parameter];
  return arm;
}

void NTupleModel::fill(Places& places, const Tuple& tuple, games::Random& random) const {
  std::int64_t arm = tuple.bandit.choose(random);
  for (const int parameter : std::views::reverse(tuple.parameters)) {
    places[parameter] = static_cast<int>(arm % sizes_[parameter]);
    arm /= sizes_[parameter];
  }
}

Places NTupleModel::choose(games::Random& random) const {
  Places places(sizes_.size(), unset);
  const std::size_t dimensions = random.below(2) == 0 ? 1 : 2;
  while (true) {
    std::vector<int> left;
    for (int i = 0; i < static_cast<int>(places.size()); ++i) {
      if (places[i] == unset) left.push_back(i);
    }
    if (left.empty()) return places;
    const int next = games::random_element(left, random);
    std::vector<const Tuple*> fitting;
    const Tuple* left_over = nullptr;
    for (const Tuple& tuple : tuples_) {
      const bool is_free =
          std::ranges::all_of(tuple.parameters, [&](int i) { return places[i] == unset; });
      const bool has_next = std::ranges::find(tuple.parameters, next) != tuple.parameters.end();
      if (is_free && has_next && tuple.parameters.size() == dimensions) fitting.push_back(&tuple);
      if (tuple.parameters == left) left_over = &tuple;
    }
    fill(places, fitting.empty() ? *left_over : *games::random_element(fitting, random), random);
  }
}

void NTupleModel::begin(const Places& places) {
  for (Tuple& tuple : tuples_) tuple.bandit.begin(arm_of(tuple, places));
  if (std::ranges::find(seen_, places) == seen_.end()) seen_.push_back(places);
}

void NTupleModel::learn(const Places& places, double score) {
  for (Tuple& tuple : tuples_) tuple.bandit.learn(arm_of(tuple, places), score);
}

double NTupleModel::predicted(const Places& places) const {
  double sum = 0;
  for (const Tuple& tuple : tuples_) sum += tuple.bandit.mean(arm_of(tuple, places));
  return sum / static_cast<double>(tuples_.size());
}

Places NTupleModel::recommended() const {
  if (seen_.empty()) return {};
  return *std::ranges::max_element(seen_, {}, [&](const Places& p) { return predicted(p); });
}

NTupleRuns::NTupleRuns(SearchSpace space, Conditions conditions, const NTupleSettings& settings)
    : space_(std::move(space)), conditions_(std::move(conditions)) {
  check_values(space_);
  std::vector<int> sizes;
  for (const auto& parameter : space_) sizes.push_back(static_cast<int>(parameter.values.size()));
  const int per_sample = games_per_sample(conditions_);
  require_games("games_per_run", settings.games_per_run,
                static_cast<std::int64_t>(std::ranges::max(sizes)) * per_sample,
                "to try each value of the longest list once");
  samples_per_run_ = static_cast<std::size_t>(settings.games_per_run / per_sample);
  models_.assign(static_cast<std::size_t>(settings.runs), {sizes, settings.factor});
}

std::optional<Proposal> NTupleRuns::propose() {
  const std::size_t number = begun_.size();
  if (number == samples_per_run_ * models_.size()) return std::nullopt;
  auto random = random_of(conditions_, static_cast<std::int64_t>(number));
  NTupleModel& model = models_[number / samples_per_run_];
  begun_.push_back(model.choose(random));
  model.begin(begun_.back());
  return sample_of(values_of(space_, begun_.back()), conditions_,
                   static_cast<std::int64_t>(number));
}

void NTupleRuns::learn(const Outcome& outcome) {
  models_[learned_ / samples_per_run_].learn(begun_[learned_], score_of(outcome));
  ++learned_;
}

std::vector<Values> NTupleRuns::recommended() const {
  std::vector<Values> candidates;
  for (const NTupleModel& model : models_) {
    const Places places = model.recommended();
    if (!places.empty()) candidates.push_back(values_of(space_, places));
  }
  if (candidates.empty()) candidates.push_back(conditions_.start);
  return candidates;
}

}  // namespace pitboss::clients
