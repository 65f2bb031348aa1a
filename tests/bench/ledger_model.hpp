#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

/// A model of referees that play one experiment: how many rounds a second their ledger takes.
namespace pitboss::clients {

/// What a transaction costs, in seconds of one processor of those that referees and database share.
struct LedgerCosts {
  double transaction = 0;  ///< whatever it holds
  double own_round = 0;    ///< to claim a round and to write it
  double other_round = 0;  ///< to read a round that another referee has finished
  int processors = 1;
};

struct Referees {
  int count = 1;
  int in_play = 1;         ///< rounds that a referee plays at a time
  double round_time = 1;   ///< seconds that a round lasts
  double gathering = 0.1;  ///< seconds that a finished round waits for others, see BatchWriter
};

/// Rounds a second that no number of referees exceeds: a transaction then holds so many rounds
/// that its own cost does not count, and each round is written once and read by all others.
inline double bound(const LedgerCosts& costs, int referees) {
  return costs.processors / (costs.own_round + (referees - 1) * costs.other_round);
}

/// The formula: rounds a second of referees that wait for nobody, at most the bound.
inline double predicted(const LedgerCosts& costs, const Referees& of) {
  const double all = static_cast<double>(of.count) * of.in_play;
  return std::min(all / (of.round_time + of.gathering + costs.transaction), bound(costs, of.count));
}

/// The same by simulation: each referee collects the rounds that it finishes while its last
/// transaction is under way, and each place in play begins a round when its last one is written.
class LedgerSimulation {
 public:
  LedgerSimulation(const LedgerCosts& costs, const Referees& of)
      : costs_(costs), of_(of), referees_(static_cast<std::size_t>(of.count)) {}

  /// Rounds a second in the second half of that many seconds.
  double run(double seconds) {
    // Begun one after the other, so that they do not all end at once.
    const double step = of_.round_time / (of_.count * of_.in_play);
    for (int i = 0; i < of_.count * of_.in_play; ++i) {
      push(of_.round_time + i * step, Kind::round_ends, i % of_.count);
    }
    double counted = 0;
    while (!events_.empty() && events_.top().when < seconds) {
      const Event event = events_.top();
      events_.pop();
      const double written = handle(event);
      if (event.when >= seconds / 2) counted += written;
    }
    return counted / (seconds / 2);
  }

 private:
  enum class Kind { round_ends, has_gathered, is_written };
  struct Event {
    double when;
    Kind kind;
    int referee;
    friend bool operator<(const Event& a, const Event& b) { return a.when > b.when; }
  };
  struct Referee {
    int finished = 0;      // rounds that wait for a transaction
    int in_writing = 0;    // rounds in the transaction under way
    double unread = 0;     // rounds of others
    bool is_busy = false;  // gathering or writing
  };

  void push(double when, Kind kind, int referee) { events_.push({when, kind, referee}); }

  /// Returns the rounds that it has brought into the ledger.
  double handle(const Event& event) {
    Referee& referee = referees_[static_cast<std::size_t>(event.referee)];
    switch (event.kind) {
      case Kind::round_ends:
        ++referee.finished;
        if (!std::exchange(referee.is_busy, true)) {
          push(event.when + of_.gathering, Kind::has_gathered, event.referee);
        }
        return 0;
      case Kind::has_gathered:
        referee.in_writing = std::exchange(referee.finished, 0);
        waiting_.push(event.referee);
        serve(event.when);
        return 0;
      case Kind::is_written:
        break;
    }
    ++idle_;
    const int written = std::exchange(referee.in_writing, 0);
    for (Referee& other : referees_) {
      if (&other != &referee) other.unread += written;
    }
    for (int i = 0; i < written; ++i) {
      push(event.when + of_.round_time, Kind::round_ends, event.referee);
    }
    referee.is_busy = referee.finished > 0;
    if (referee.is_busy) push(event.when + of_.gathering, Kind::has_gathered, event.referee);
    serve(event.when);
    return written;
  }

  /// Gives idle processors to the transactions that have waited longest.
  void serve(double now) {
    for (; idle_ > 0 && !waiting_.empty(); waiting_.pop(), --idle_) {
      Referee& referee = referees_[static_cast<std::size_t>(waiting_.front())];
      const double cost = costs_.transaction + costs_.own_round * referee.in_writing +
                          costs_.other_round * std::exchange(referee.unread, 0);
      push(now + cost, Kind::is_written, waiting_.front());
    }
  }

  LedgerCosts costs_;
  Referees of_;
  std::vector<Referee> referees_;
  std::priority_queue<Event> events_;
  std::queue<int> waiting_;
  int idle_ = costs_.processors;
};

}  // namespace pitboss::clients
