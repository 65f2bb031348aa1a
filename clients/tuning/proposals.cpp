#include "clients/tuning/proposals.hpp"

#include <stdexcept>
#include <utility>

namespace pitboss::clients {

std::optional<Proposals::Numbered> Proposals::next() {
  while (!is_over_ && has_learned(needs_all_ ? made_ : made_ + 1 - lag_)) {
    if (auto games = method_.propose()) {
      needs_all_ = false;
      open_.emplace(made_, games->size());
      return Numbered{made_++, std::move(*games)};
    }
    is_over_ = learned_ == made_;
    needs_all_ = true;
  }
  return std::nullopt;
}

void Proposals::add(std::int64_t number, Outcome outcome) {
  const auto found = open_.find(number);
  if (found == open_.end() || found->second != outcome.size()) {
    throw std::invalid_argument("no proposal " + std::to_string(number) + " of " +
                                std::to_string(outcome.size()) + " games is open");
  }
  open_.erase(found);
  arrived_.emplace(number, std::move(outcome));
}

bool Proposals::has_learned(std::int64_t outcomes) {
  while (learned_ < outcomes) {
    const auto found = arrived_.find(learned_);
    if (found == arrived_.end()) return false;
    method_.learn(found->second);
    arrived_.erase(found);
    ++learned_;
  }
  return true;
}

}  // namespace pitboss::clients
