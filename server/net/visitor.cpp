#include "server/net/visitor.hpp"

#include <utility>

namespace pitboss::server {

void Visitor::come(const protocol::Identity& client, std::function<void()> on_turn) {
  client_ = client;
  on_turn_ = std::move(on_turn);
  is_counted_ = true;
  ++shared_.gauges.sessions;
  ++address_->sessions;
}

void Visitor::identify(const protocol::Identity& client) {
  client_ = client;
  account_ = shared_.accounts.of(client_);
  ++account_->sessions;
}

void Visitor::go() {
  if (!std::exchange(is_counted_, false)) return;
  --shared_.gauges.sessions;
  --address_->sessions;
  if (account_ != address_) --account_->sessions;
}

bool Visitor::is_delayed() {
  const auto now = AwakeClock::now();
  if (token_due_ == never) {
    const bool are_many =
        shared_.guesses.are_many(client_.address, protocol::Guesses::TimePoint::clock::now());
    if (are_many) shared_.counters.met(protocol::Limit::guesses);
    token_due_ = are_many ? now + protocol::Guesses::delay : now;
  }
  return now < token_due_;
}

bool Visitor::takes_turn(bool is_for_update) {
  if (turn_ == Turn::none && (is_for_update || account_->lines->any_waits())) join_turns();
  if (turn_ == Turn::awaited) return false;
  turn_ = Turn::none;
  return true;
}

void Visitor::join_turns() {
  if (turn_ == Turn::awaited) return;
  turn_ = Turn::awaited;
  account_->lines->join(shared_.io, on_turn_);
}

}  // namespace pitboss::server
