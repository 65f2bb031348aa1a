#include "engine/leaf/remote/request_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pitboss::engine {

namespace {

constexpr std::uint64_t bit(std::size_t server) { return std::uint64_t{1} << server; }

}  // namespace

RequestQueue::RequestQueue(std::size_t servers, EvaluatorSettings settings, std::uint64_t seed)
    : settings_(std::move(settings)) {
  for (std::size_t i = 0; i < servers; ++i) servers_.push_back({Breaker(seed + i)});
}

bool RequestQueue::can_be_asked(std::size_t server, const QueuedNetwork& network,
                                const WaitingLeaf& leaf) const {
  return servers_[server].breaker.lets_through() &&
         ((network.refused | leaf.tried) & bit(server)) == 0;
}

std::size_t RequestQueue::servers_for(const QueuedNetwork& network, const WaitingLeaf& leaf) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < servers_.size(); ++i) count += can_be_asked(i, network, leaf) ? 1 : 0;
  return count;
}

void RequestQueue::reconsider(QueuedNetwork& network) {
  const std::scoped_lock lock(mutex_);
  network.refused = 0;
}

void RequestQueue::add(const std::shared_ptr<QueuedNetwork>& network, WaitingLeaf leaf) {
  Failed failed;
  {
    const std::scoped_lock lock(mutex_);
    const auto is_known = [&](const auto& known) { return known.lock() == network; };
    if (std::ranges::none_of(networks_, is_known)) {
      std::erase_if(networks_, [](const auto& known) { return known.expired(); });
      networks_.push_back(network);
    }
    network->leaves.push_back(std::move(leaf));
    if (is_stopped_ || servers_for(*network, network->leaves.back()) == 0) take_hopeless(failed);
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
    take_hopeless(failed);
    if (state.breaker.lets_through()) {
      find_request(server, now, task);
    } else if (!state.is_probing) {
      task.is_probe = state.is_probing = state.breaker.probe_at() <= now;
      if (!task.is_probe) task.wake = state.breaker.probe_at();
    }
  }
  tell(failed);
  return task;
}

/// Networks take turns: the one that is served goes to the end.
void RequestQueue::find_request(std::size_t server, TimePoint now, Task& task) {
  for (auto place = networks_.begin(); place != networks_.end(); ++place) {
    const auto network = place->lock();
    if (!network || network->leaves.empty()) continue;
    const bool is_full = network->leaves.size() >= static_cast<std::size_t>(settings_.batch);
    const TimePoint due = network->leaves.front().asked + settings_.linger;
    if (!is_full && due > now) {
      task.wake = std::min(task.wake, due);
      continue;
    }
    Request request{network, {}, (network->checked & bit(server)) != 0, settings_.deadline};
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
  auto rest = leaves.begin();  // those that stay
  for (WaitingLeaf& leaf : leaves) {
    const bool has_room = request.leaves.size() < static_cast<std::size_t>(settings_.batch);
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
    take_hopeless(failed);
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
        network->checked &= ~bit(server);
        network->refused &= ~bit(server);
      }
    }
    ++changes_;
  }
  changed_.notify_all();
}

void RequestQueue::checked(std::size_t server, const Request& request) {
  const std::scoped_lock lock(mutex_);
  request.network->checked |= bit(server);
}

void RequestQueue::answered(std::size_t server, Request&& request,
                            const std::vector<std::vector<float>>& logits,
                            Clock::duration latency) {
  {
    const std::scoped_lock lock(mutex_);
    servers_[server].breaker.succeeded();
    servers_[server].figures.answered(static_cast<int>(logits.size()), latency);
  }
  for (std::size_t i = 0; i < logits.size(); ++i) request.leaves[i].arrived({logits[i], {}});
}

void RequestQueue::failed(std::size_t server, std::optional<Request>&& request,
                          const std::string& error, bool was_late, TimePoint now) {
  Failed failed;
  {
    const std::scoped_lock lock(mutex_);
    ServerState& state = servers_[server];
    state.is_probing = false;
    // Several requests that were under way together are one failure.
    if (state.breaker.lets_through() || !request) state.breaker.failed(now);
    if (request) {
      state.figures.failed(was_late);
      for (WaitingLeaf& leaf : request->leaves) {
        leaf.tried |= bit(server);
        leaf.error = error;
      }
      put_back(std::move(*request));
    }
    take_hopeless(failed);
    ++changes_;
  }
  changed_.notify_all();
  tell(failed);
}

void RequestQueue::refused(std::size_t server, Request&& request, const std::string& error) {
  Failed failed;
  {
    const std::scoped_lock lock(mutex_);
    request.network->refused |= bit(server);
    request.network->refusal = error;
    put_back(std::move(request));
    take_hopeless(failed);
    ++changes_;
  }
  changed_.notify_all();
  tell(failed);
}

/// The request's leaves wait again, before all others, for servers that may still be asked.
void RequestQueue::put_back(Request&& request) {
  auto& leaves = request.network->leaves;
  leaves.insert(leaves.begin(), std::make_move_iterator(request.leaves.begin()),
                std::make_move_iterator(request.leaves.end()));
}

/// Takes out the leaves that no server can be asked for, or whose time is over.
void RequestQueue::take_hopeless(Failed& failed) {
  const TimePoint now = Clock::now();
  for (const auto& known : networks_) {
    const auto network = known.lock();
    if (!network) continue;
    const bool is_refused = network->refused == all();
    std::erase_if(network->leaves, [&](WaitingLeaf& leaf) {
      const bool is_hopeless =
          is_stopped_ || servers_for(*network, leaf) == 0 || leaf.asked + settings_.deadline <= now;
      if (!is_hopeless) return false;
      if (is_refused) leaf.error = network->refusal;
      if (leaf.error.empty()) leaf.error = "no evaluator can be reached";
      ++unanswered_;
      failed.emplace_back(std::move(leaf), is_refused);
      return true;
    });
  }
}

void RequestQueue::tell(Failed& failed) {
  for (auto& [leaf, is_refused] : failed) leaf.arrived({{}, leaf.error, is_refused});
}

std::pair<std::vector<RequestQueue::ServerState>, std::int64_t> RequestQueue::states() {
  const std::scoped_lock lock(mutex_);
  return {servers_, unanswered_};
}

}  // namespace pitboss::engine
