#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/leaf/batch_evaluator.hpp"
#include "engine/leaf/network/leaf_batch.hpp"
#include "engine/leaf/network/network_reader.hpp"
#include "engine/leaf/remote/remote_service.hpp"
#include "engine/progress.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// Evaluates a search's leaves by a network on other machines. What no server answers it evaluates
/// by the local kernels, or throws, as the service has it.
template <games::HasPolicy G>
class RemoteEvaluator final : public BatchEvaluator<G> {
 public:
  RemoteEvaluator(std::shared_ptr<HeldNetworks> networks, std::shared_ptr<RemoteService> service,
                  const Options& options, Waker waker)
      : networks_(networks),
        reader_(std::move(networks), options),
        service_(std::move(service)),
        needs_remote_(options.evaluator == EvaluatorPlace::remote),
        mail_(std::make_shared<Mail>(std::move(waker))) {}
  RemoteEvaluator(const RemoteEvaluator&) = delete;
  RemoteEvaluator& operator=(const RemoteEvaluator&) = delete;
  ~RemoteEvaluator() override { drop(); }

  void prepare(const G& root, const std::string& parameters) override {
    reader_.prepare(root, parameters);
    const auto& network = reader_.network();
    remote_ = service_->open(network, samples(root));
    networks_->hold(remote_);
    logits_.assign(static_cast<std::size_t>(network->network.shape().outputs()), 0);
    use_ = {network->name, network->sha256};
  }

  void submit(Ticket ticket, const Trajectory<G>& trajectory) override {
    if (leaves_.size() <= static_cast<std::size_t>(ticket)) {
      leaves_.resize(static_cast<std::size_t>(ticket) + 1, Leaf{trajectory.leaf, {}, 0});
    }
    Leaf& leaf = leaves_[static_cast<std::size_t>(ticket)];
    leaf.position = trajectory.leaf;
    leaf.views.assign(reader_.look(trajectory.leaf), {});
    leaf.missing = leaf.views.size();
    for (std::size_t i = 0; i < leaf.views.size(); ++i) ask(ticket, leaf, i);
  }

  [[nodiscard]] bool collect(Ticket& ticket, Evaluation<G>& evaluation) override {
    Arrival arrival;
    while (take(arrival)) {
      Leaf& leaf = leaves_[static_cast<std::size_t>(arrival.ticket)];
      accept(leaf.views[arrival.view], arrival);
      if (--leaf.missing > 0) continue;
      reader_.begin();
      for (View& view : leaf.views) reader_.read(leaf.position, view.symmetry, view.logits);
      reader_.finish(evaluation);
      ticket = arrival.ticket;
      return true;
    }
    return false;
  }

  void drop() override {
    const std::scoped_lock lock(mail_->mutex);
    ++mail_->round;
    mail_->arrivals.clear();
  }
  [[nodiscard]] bool has_priors() const override { return true; }
  [[nodiscard]] const NetworkUse* network() const override { return &use_; }

 private:
  struct View {
    std::size_t symmetry = 0;
    std::vector<float> planes{};
    std::vector<std::uint64_t> key{};
    std::vector<float> logits{};
  };
  struct Leaf {
    G position;
    std::vector<View> views;
    std::size_t missing;  ///< views without an answer
  };
  struct Arrival {
    Ticket ticket = 0;
    std::size_t view = 0;
    std::vector<float> logits{};  ///< empty: see the error
    std::string error{};
    bool is_refused = false;
    bool is_cached = false;
  };
  /// What the service's threads reach, even when the search is gone.
  struct Mail {
    explicit Mail(Waker call) : waker(std::move(call)) {}

    const Waker waker;
    std::mutex mutex;
    std::deque<Arrival> arrivals;
    std::uint64_t round = 0;  ///< answers of rounds before are dropped

    void put(std::uint64_t of_round, Arrival arrival) {
      {
        const std::scoped_lock lock(mutex);
        if (of_round != round) return;
        arrivals.push_back(std::move(arrival));
      }
      if (waker) waker();
    }
  };

  void ask(Ticket ticket, Leaf& leaf, std::size_t i) {
    View& view = leaf.views[i];
    view.symmetry = reader_.symmetry_of(i);
    view.planes = reader_.see(view.symmetry);
    view.key.assign(reader_.key().begin(), reader_.key().end());
    std::uint64_t round = 0;
    {
      const std::scoped_lock lock(mail_->mutex);
      round = mail_->round;
    }
    if (remote_->cache.find(view.key, logits_)) {
      mail_->put(round, {ticket, i, logits_, {}, false, true});
      return;
    }
    remote_->ask(view.planes, [mail = mail_, round, ticket, i](const RemoteAnswer& answer) {
      mail->put(round, {ticket,
                        i,
                        {answer.logits.begin(), answer.logits.end()},
                        answer.error,
                        answer.is_refused,
                        false});
    });
  }

  bool take(Arrival& arrival) {
    const std::scoped_lock lock(mail_->mutex);
    if (mail_->arrivals.empty()) return false;
    arrival = std::move(mail_->arrivals.front());
    mail_->arrivals.pop_front();
    return true;
  }

  void accept(View& view, Arrival& arrival) {
    ++use_.evaluations;
    view.logits = std::move(arrival.logits);
    if (arrival.is_cached) {
      ++use_.cached;
    } else if (!view.logits.empty()) {
      ++use_.remote;
      remote_->cache.put(view.key, view.logits);
    } else {
      // A network that no server has is a mistake, unless the servers were only a proposal.
      const bool may_fall_back = arrival.is_refused ? !needs_remote_ : service_->falls_back();
      if (!may_fall_back && arrival.is_refused) throw BadOption(arrival.error);
      if (!may_fall_back) throw NoEvaluator(arrival.error);
      view.logits.resize(logits_.size());
      local_.add(reader_.network(), view.planes, view.logits);
      local_.evaluate();
      check_logits(*reader_.network(), view.logits);
    }
  }

  /// The root, and where random moves lead from there.
  [[nodiscard]] std::vector<std::vector<float>> samples(const G& root) {
    std::vector<std::vector<float>> planes;
    games::Random random(1);
    G position = root;
    for (int i = 0; i < 3; ++i) {
      reader_.look(position);
      planes.push_back(reader_.see(0));
      if (!position.result().finished()) position.play(games::random_move(position, random));
      if (position.result().finished()) position = root;
    }
    return planes;
  }

  std::shared_ptr<HeldNetworks> networks_;
  NetworkReader<G> reader_;
  std::shared_ptr<RemoteService> service_;
  bool needs_remote_;
  std::shared_ptr<RemoteNetwork> remote_;
  LeafBatch local_{1};
  std::vector<Leaf> leaves_;  ///< by ticket
  std::shared_ptr<Mail> mail_;
  std::vector<float> logits_;
  NetworkUse use_;
};

}  // namespace pitboss::engine
