#include "engine/leaf/remote/request_queue.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace pitboss::engine {

namespace {

constexpr std::uint64_t bit(std::size_t server) { return std::uint64_t{1} << server; }

/// A reason as one short line of printable characters. It may be what a server has sent.
std::string one_line(std::string_view reason) {
  constexpr std::size_t most = 300;
  std::string text(reason.substr(0, most));
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return text.empty() ? "no reason told" : text;
}

}  // namespace

RequestQueue::RequestQueue(EvaluatorSettings settings, std::uint64_t seed)
    : settings_(std::move(settings)) {
  for (std::size_t i = 0; i < settings_.urls.size(); ++i) servers_.push_back({Breaker(seed + i)});
}

bool RequestQueue::can_be_asked(std::size_t server, const QueuedNetwork& network,
                                const WaitingLeaf& leaf) const {
  return servers_[server].breaker.lets_through() &&
         network.offers[server].may_be_asked(Clock::now()) && (leaf.tried & bit(server)) == 0;
}

std::size_t RequestQueue::servers_for(const QueuedNetwork& network, const WaitingLeaf& leaf) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < servers_.size(); ++i) count += can_be_asked(i, network, leaf) ? 1 : 0;
  return count;
}

void RequestQueue::reconsider(QueuedNetwork& network) {
  const std::scoped_lock lock(mutex_);
  for (Offer& offer : network.offers) offer.is_refused = false;
}

void RequestQueue::add(const std::shared_ptr<QueuedNetwork>& network, WaitingLeaf leaf) {
  Failed failed;
  {
    const std::scoped_lock lock(mutex_);
    while (network->offers.size() < servers_.size()) {
      network->offers.push_back({Breaker(network->offers.size())});
    }
    const auto is_known = [&](const auto& known) { return known.lock() == network; };
    if (std::ranges::none_of(networks_, is_known)) {
      std::erase_if(networks_, [](const auto& known) { return known.expired(); });
      networks_.push_back(network);
    }
    network->leaves.push_back(std::move(leaf));
    if (is_stopped_ || servers_for(*network, network->leaves.back()) == 0) {
      static_cast<void>(take_hopeless(Clock::now(), failed));
    }
    ++changes_;
  }
  changed_.notify_all();
  tell(failed);
}

RequestQueue::Task RequestQueue::next(std::size_t server, TimePoint now) {
  Failed failed;
  Task task;
  {
    const std::scoped_lock lock(mutex_);
    ServerState& state = servers_[server];
    const TimePoint next_end = take_hopeless(now, failed);
    if (state.breaker.lets_through()) {
      find_request(server, now, task);
    } else if (!state.is_probing) {
      task.is_probe = state.is_probing = state.breaker.probe_at() <= now;
      if (!task.is_probe) task.wake = state.breaker.probe_at();
    }
    task.wake = std::min(task.wake, next_end);
  }
  tell(failed);
  return task;
}

/// Networks take turns: the one that is served goes to the end.
void RequestQueue::find_request(std::size_t server, TimePoint now, Task& task) {
  for (auto place = networks_.begin(); place != networks_.end(); ++place) {
    const auto network = place->lock();
    if (!network || network->leaves.empty()) continue;
    const Offer& offer = network->offers[server];
    const bool is_full = network->leaves.size() >= static_cast<std::size_t>(settings_.batch);
    const TimePoint due = network->leaves.front().asked + settings_.linger;
    if (!is_full && due > now) {
      task.wake = std::min(task.wake, due);
      continue;
    }
    Request request{network, {}, offer.checked + recheck > now, offer.terms, settings_.deadline};
    fill(request, server, now);
    if (request.leaves.empty()) continue;
    std::rotate(place, place + 1, networks_.end());
    task.request = std::move(request);
    return;
  }
}

/// Takes the leaves that have waited longest, of those that the server can be asked for.
void RequestQueue::fill(Request& request, std::size_t server, TimePoint now) {
  auto& leaves = request.network->leaves;
  const std::size_t most = std::min(static_cast<std::size_t>(settings_.batch), request.terms.most);
  auto rest = leaves.begin();  // those that stay
  for (WaitingLeaf& leaf : leaves) {
    const bool has_room = request.leaves.size() < most;
    if (!has_room || !can_be_asked(server, *request.network, leaf)) {
      if (&*rest != &leaf) *rest = std::move(leaf);
      ++rest;
      continue;
    }
    // What is left of its time is shared by the servers that it may still go to.
    const auto left = (leaf.asked + settings_.deadline - now) /
                      static_cast<std::int64_t>(servers_for(*request.network, leaf));
    request.time_left = std::min<Clock::duration>(request.time_left, left);
    request.leaves.push_back(std::move(leaf));
  }
  leaves.erase(rest, leaves.end());
}

bool RequestQueue::wait_until(TimePoint time, std::uint64_t seen) {
  std::unique_lock lock(mutex_);
  const auto is_called = [&] { return is_stopped_ || changes_ != seen; };
  if (time == TimePoint::max()) {
    changed_.wait(lock, is_called);
  } else {
    changed_.wait_until(lock, time, is_called);
  }
  return !is_stopped_;
}

std::uint64_t RequestQueue::changes() {
  const std::scoped_lock lock(mutex_);
  return changes_;
}

void RequestQueue::stop() {
  Failed failed;
  {
    const std::scoped_lock lock(mutex_);
    is_stopped_ = true;
    static_cast<void>(take_hopeless(Clock::now(), failed));
  }
  changed_.notify_all();
  tell(failed);
}

void RequestQueue::probed(std::size_t server) {
  {
    const std::scoped_lock lock(mutex_);
    servers_[server].is_probing = false;
    servers_[server].breaker.probed();
    // It may be another one, with other networks.
    for (const auto& known : networks_) {
      if (const auto network = known.lock()) {
        network->offers[server].checked = {};
        network->offers[server].is_refused = false;
      }
    }
    ++changes_;
  }
  changed_.notify_all();
}

void RequestQueue::checked(std::size_t server, const Request& request) {
  const std::scoped_lock lock(mutex_);
  Offer& offer = request.network->offers[server];
  offer.checked = Clock::now();
  offer.terms = request.terms;
}

void RequestQueue::answered(std::size_t server, Request&& request,
                            const std::vector<std::vector<float>>& logits,
                            Clock::duration latency) {
  bool was_out = false;
  bool was_out_for_network = false;
  {
    const std::scoped_lock lock(mutex_);
    Breaker& breaker = servers_[server].breaker;
    was_out = breaker.state() != Breaker::State::closed;
    breaker.succeeded();
    Offer& offer = request.network->offers[server];
    was_out_for_network = std::exchange(offer.is_out, false);
    offer.breaker.succeeded();
    servers_[server].figures.answered(static_cast<int>(logits.size()), latency);
  }
  if (was_out) tell_change(server, nullptr, {});
  if (was_out_for_network) tell_change(server, request.network.get(), {});
  for (std::size_t i = 0; i < logits.size(); ++i) request.leaves[i].arrived({logits[i], {}});
}

void RequestQueue::failed(std::size_t server, std::optional<Request>&& request,
                          const std::string& error, bool was_late, TimePoint now) {
  const std::string why = one_line(error);
  std::unique_lock lock(mutex_);
  ServerState& state = servers_[server];
  if (!request) state.is_probing = false;
  const bool was_asked = state.breaker.state() == Breaker::State::closed;
  // Several requests that were under way together are one failure.
  if (state.breaker.lets_through() || !request) state.breaker.failed(now);
  state.figures.last_error = "evaluator " + settings_.urls[server] + ": " + why;
  if (request) {
    state.figures.failed(was_late);
    put_back(server, std::move(*request), state.figures.last_error);
  }
  end(std::move(lock), now);
  if (was_asked) tell_change(server, nullptr, why);
}

void RequestQueue::network_failed(std::size_t server, Request&& request, const std::string& error,
                                  TimePoint now) {
  std::unique_lock lock(mutex_);
  Offer& offer = request.network->offers[server];
  if (offer.may_be_asked(now)) offer.breaker.failed(now);
  offer.checked = {};
  servers_[server].figures.failed(false);
  leave_out(std::move(lock), server, std::move(request), one_line(error), now);
}

void RequestQueue::refused(std::size_t server, Request&& request, const std::string& error) {
  std::unique_lock lock(mutex_);
  request.network->offers[server].is_refused = true;
  leave_out(std::move(lock), server, std::move(request), one_line(error), Clock::now());
}

void RequestQueue::leave_out(std::unique_lock<std::mutex> lock, std::size_t server,
                             Request&& request, const std::string& why, TimePoint now) {
  const auto network = request.network;
  const bool was_asked = !std::exchange(network->offers[server].is_out, true);
  const std::string error =
      "evaluator " + settings_.urls[server] + ", network " + network->network->name + ": " + why;
  servers_[server].figures.last_error = error;
  if (network->offers[server].is_refused) network->refusal = error;
  put_back(server, std::move(request), error);
  end(std::move(lock), now);
  if (was_asked) tell_change(server, network.get(), why);
}

void RequestQueue::tell_change(std::size_t server, const QueuedNetwork* network,
                               const std::string& why) const {
  if (!settings_.on_change) return;
  settings_.on_change(settings_.urls[server], network != nullptr ? network->network->name : "",
                      why);
}

void RequestQueue::put_back(std::size_t server, Request&& request, const std::string& error) {
  for (WaitingLeaf& leaf : request.leaves) {
    leaf.tried |= bit(server);
    leaf.error = error;
  }
  auto& leaves = request.network->leaves;
  leaves.insert(leaves.begin(), std::make_move_iterator(request.leaves.begin()),
                std::make_move_iterator(request.leaves.end()));
}

/// Something has changed: who cannot be helped is told, and all servers look again.
void RequestQueue::end(std::unique_lock<std::mutex> lock, TimePoint now) {
  Failed failed;
  static_cast<void>(take_hopeless(now, failed));
  ++changes_;
  lock.unlock();
  changed_.notify_all();
  tell(failed);
}

/// When a leaf has to be on its way at the latest: a server gets half of its time at least, since a
/// request that has too little would look like a failure of the server.
RequestQueue::TimePoint RequestQueue::latest(const WaitingLeaf& leaf) const {
  return leaf.asked + (leaf.tried == 0 ? settings_.deadline / 2 : settings_.deadline);
}

/// Takes out the leaves that no server can be asked for, or whose time is over; when that of the
/// next one is.
RequestQueue::TimePoint RequestQueue::take_hopeless(TimePoint now, Failed& failed) {
  TimePoint next_end = TimePoint::max();
  for (const auto& known : networks_) {
    const auto network = known.lock();
    if (!network) continue;
    const bool is_refused = std::ranges::all_of(network->offers, &Offer::is_refused);
    std::erase_if(network->leaves, [&](WaitingLeaf& leaf) {
      const bool has_server = servers_for(*network, leaf) > 0;
      if (!is_stopped_ && has_server && latest(leaf) > now) {
        next_end = std::min(next_end, latest(leaf));
        return false;
      }
      if (is_refused) leaf.error = network->refusal;
      if (leaf.error.empty()) {
        leaf.error =
            has_server ? "the evaluators are too busy" : "no evaluator can be reached" + cause();
      }
      ++unanswered_;
      failed.emplace_back(std::move(leaf), is_refused);
      return true;
    });
  }
  return next_end;
}

/// " (what a server has said last)", if one has failed.
std::string RequestQueue::cause() const {
  for (const ServerState& state : servers_) {
    if (!state.figures.last_error.empty()) return " (" + state.figures.last_error + ")";
  }
  return "";
}

void RequestQueue::tell(Failed& failed) {
  for (auto& [leaf, is_refused] : failed) leaf.arrived({{}, leaf.error, is_refused});
}

std::pair<std::vector<RequestQueue::ServerState>, std::int64_t> RequestQueue::states() {
  const std::scoped_lock lock(mutex_);
  return {servers_, unanswered_};
}

}  // namespace pitboss::engine
