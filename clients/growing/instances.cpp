#include "clients/growing/instances.hpp"

#include <algorithm>
#include <utility>

#include "engine/policy/features/feature_set.hpp"

namespace pitboss::clients {

using engine::MoveFeature;
using engine::Walk;

void Instances::add(MoveFeature feature) {
  std::set<MoveFeature> forms;
  for (const engine::Placement& placement : engine::placements(game_.rotations())) {
    MoveFeature form = engine::placed(feature, placement);
    std::ranges::sort(form.elements);
    forms.insert(std::move(form));
  }
  forms_.emplace_back(forms.begin(), forms.end());
  known_.insert(feature);
  features_.push_back(std::move(feature));
}

std::vector<Instance> Instances::matching(const Sample& sample, std::size_t move) const {
  std::vector<Instance> all;
  for (const std::uint32_t feature : sample.active[move]) {
    const auto& forms = forms_[feature];
    for (std::uint32_t i = 0; i < forms.size(); ++i) {
      if (engine::matches(game_, sample.contents, sample.moves[move], forms[i], {})) {
        all.push_back({feature, i});
      }
    }
  }
  return all;
}

std::optional<std::uint32_t> Instances::merged(const Instance& one, const Instance& other,
                                               const engine::MovePoints& move) {
  const bool is_apart = form(one).to.has_value() != form(other).to.has_value();
  const auto [first, second] = std::minmax(one, other);
  const auto [entry, is_unknown] = merged_.try_emplace(
      {first, second, is_apart ? move.to : -1, is_apart ? move.from : -1}, std::nullopt);
  if (is_unknown) {
    if (auto feature = merge(first, second, move)) {
      const auto [number, is_new] =
          numbers_.try_emplace(*std::move(feature), static_cast<std::uint32_t>(candidates_.size()));
      if (is_new) candidates_.push_back(&number->first);
      entry->second = number->second;
    }
  }
  if (entry->second && has(candidate(*entry->second))) return std::nullopt;
  return entry->second;
}

void Instances::forget_candidates() {
  merged_.clear();
  candidates_.clear();
  numbers_.clear();
}

std::optional<MoveFeature> Instances::merge(const Instance& one, const Instance& other,
                                            const engine::MovePoints& move) const {
  // The anchor is the target, if one of the two has a target.
  const bool swaps = !form(one).to && form(other).to;
  MoveFeature result = form(swaps ? other : one);
  const MoveFeature& added = form(swaps ? one : other);
  Walk way;
  if (result.to && !added.to) {
    way = engine::shortest_walk(game_.graph, move.to, move.from);
    result.from = way;
  } else if (!result.from) {
    result.from = result.to ? added.from : result.from;
  }
  for (engine::Element element : added.elements) {
    element.walk = engine::joined(way, element.walk);
    result.elements.push_back(std::move(element));
  }
  const auto is_long = [](const Walk& walk) { return walk.turns.size() > engine::longest_walk; };
  auto form = engine::canonical(result, game_.rotations());
  if (!form || form->elements.size() > engine::most_elements ||
      (form->from && is_long(*form->from)) ||
      std::ranges::any_of(form->elements, is_long, &engine::Element::walk)) {
    return std::nullopt;
  }
  return form;
}

}  // namespace pitboss::clients
