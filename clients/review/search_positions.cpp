#include "clients/review/search_positions.hpp"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "clients/experiments/best_preset.hpp"
#include "clients/experiments/derived_seed.hpp"
#include "clients/experiments/match.hpp"
#include "clients/experiments/number_in.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/players/gtp_client.hpp"
#include "engine/sha256.hpp"
#include "environment/awake_clock.hpp"
#include "protocol/awaiting.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using environment::AwakeClock;

namespace {

constexpr auto first_connect_timeout = 5s;
constexpr auto set_up_timeout = 60s;
/// Of a search, which may wait for others to end theirs.
constexpr auto search_timeout = std::chrono::hours(24);
constexpr auto pause = 200ms;
constexpr auto tick = 100ms;
constexpr int searches_a_worker = 4;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// What is to become of a failure.
enum class Remedy : std::uint8_t {
  wait,       ///< the server may have room later
  reconnect,  ///< the connection is lost
  leave_out,  ///< these rules with these options cannot be searched
  give_up     ///< the server does not let us in
};

Remedy remedy_of(const EngineFailure& failure) {
  using enum protocol::FailureCode;
  if (failure.kind() != EngineFailure::Kind::refused) return Remedy::reconnect;
  const auto code = failure.code();
  if (code == needs_token || code == wrong_token || code == needs_right) return Remedy::give_up;
  if (code && protocol::row_of(*code).may_try_again) return Remedy::wait;
  return code ? Remedy::leave_out : Remedy::give_up;
}

class Searching {
 public:
  Searching(std::span<const GamePosition> questions, const ReviewSearch& search,
            const ReviewEvents& events)
      : questions_(questions), search_(search), events_(events) {
    for (std::size_t i = 0; i < questions.size(); ++i) todo_.push_back(i);
    for (const Address& server : search.servers) servers_.push_back({.address = server});
  }

  std::vector<std::string> run() {
    if (todo_.empty()) return {};
    asio::co_spawn(io_, begin(), protocol::rethrow);
    asio::co_spawn(io_, watch(), protocol::rethrow);
    io_.run();
    if (!is_stopped_ && !todo_.empty()) events_.gave_up("no server is left: " + last_failure_);
    std::vector<std::string> refused;
    for (const auto& [rules, why] : left_out_) refused.push_back(rules + ": " + why);
    return refused;
  }

 private:
  struct Server {
    Address address;
    std::set<std::string> refused{};  ///< rules
    int working = 0;                  ///< connections
    bool is_gone = false;
  };

  asio::awaitable<void> watch() {
    asio::steady_timer timer(io_);
    for (;;) {
      timer.expires_after(tick);
      co_await timer.async_wait(asio::use_awaitable);
      is_stopped_ = events_.is_stopped();
      if (!is_stopped_) continue;
      io_.stop();
    }
  }

  asio::awaitable<void> rest() {
    asio::steady_timer timer(io_, pause);
    co_await timer.async_wait(asio::use_awaitable);
  }

  /// Asks the servers how many searches they make at once, and the first one that answers for its
  /// networks.
  asio::awaitable<void> begin() {
    std::vector<std::string> failures;
    bool has_presets = false;
    for (Server& server : servers_) {
      std::optional<std::string> failure;
      int workers = 1;
      try {
        GtpClient client(io_.get_executor());
        co_await enter(client, server.address);
        const std::string told = co_await client.demand("workers", set_up_timeout);
        workers = number_in<int>(told).value_or(1);
        if (!has_presets) co_await choose_presets(client);
        has_presets = true;
      } catch (const EngineFailure& thrown) {
        failure = sentence_of(thrown, server.address.text());
      }
      if (failure) {
        failures.push_back(*failure);
        lose(server);
        continue;
      }
      const int usual = std::clamp(searches_a_worker * workers, 1, 1000);
      server.working = search_.connections > 0 ? search_.connections : usual;
      working_ += server.working;
      for (int i = server.working; i > 0; --i) {
        asio::co_spawn(io_, work(server), protocol::rethrow);
      }
    }
    if (failures.size() == servers_.size()) throw UserError(failures.front());
    for (const std::string& failure : failures) events_.note(failure + "; the others search");
    has_begun_ = true;
    if (working_ == 0) io_.stop();
  }

  static asio::awaitable<void> enter(GtpClient& client, const Address& server) {
    co_await client.connect(server, first_connect_timeout);
    co_await client.ask_for_codes(true, set_up_timeout);
  }

  /// Without a preset among the options, each game has the best that it is known to have there.
  asio::awaitable<void> choose_presets(GtpClient& client) {
    if (std::ranges::count(search_.options, "preset", &engine::Assignment::name) > 0) co_return;
    for (const GamePosition& question : questions_) {
      auto& preset = presets_[question.rules];
      if (!preset.empty()) continue;
      const GtpAnswer game = co_await client.ask("game " + question.rules, set_up_timeout);
      std::vector<std::string> names;
      const GtpAnswer networks = co_await client.ask("networks", set_up_timeout);
      if (game.ok && networks.ok) names = lines_of(networks.text);
      Match match;
      set_game(match, question.rules);
      preset = best_preset(*match.initial_position(), names);
      events_.chose(question.rules, preset);
    }
  }

  /// To a server.
  struct Connection {
    GtpClient client;
    std::string rules{};  ///< for which its table is set up
    std::optional<AwakeClock::time_point> lost_since{};
  };
  struct Failure {
    Remedy remedy;
    std::string why;
  };

  /// Has one connection answer one question after the other.
  asio::awaitable<void> work(Server& server) {
    Connection at{GtpClient(io_.get_executor())};
    while (!todo_.empty() || under_way_ > 0) {
      const auto number = taken_for(server);
      if (!number) {  // another connection may be lost
        co_await rest();
        continue;
      }
      ++under_way_;
      const auto failure = co_await search(at, server.address, questions_[*number]);
      --under_way_;
      if (!failure) continue;
      todo_.push_front(*number);
      last_failure_ = failure->why;
      if (failure->remedy == Remedy::give_up) throw UserError(failure->why);
      if (failure->remedy == Remedy::leave_out) {
        refuse(server, questions_[*number].rules, failure->why);
        continue;
      }
      if (failure->remedy == Remedy::reconnect && gives_up(at)) break;
      co_await rest();
      if (failure->remedy == Remedy::wait) at.lost_since.reset();
    }
    if (--server.working == 0) lose(server);
    if (--working_ == 0 && (has_begun_ || todo_.empty())) io_.stop();
  }

  /// The next question that the server does not refuse; it is nobody else's then.
  std::optional<std::size_t> taken_for(const Server& server) {
    const auto next = std::ranges::find_if(
        todo_, [&](std::size_t i) { return !server.refused.contains(questions_[i].rules); });
    if (next == todo_.end()) return std::nullopt;
    const std::size_t number = *next;
    todo_.erase(next);
    return number;
  }

  /// Nothing if the question is answered.
  asio::awaitable<std::optional<Failure>> search(Connection& at, const Address& server,
                                                 const GamePosition& question) {
    std::optional<Failure> failed;
    try {
      if (!at.client.is_connected() || at.rules != question.rules) {
        at.client.close();
        at.rules.clear();
        co_await enter(at.client, server);
        co_await set_up(at.client, question.rules);
        at.rules = question.rules;
      }
      Finding finding = co_await answer(at.client, question);
      at.lost_since.reset();
      events_.found(question, std::move(finding));
    } catch (const EngineFailure& failure) {
      const Remedy remedy = remedy_of(failure);
      failed = Failure{remedy, remedy == Remedy::leave_out ? failure.what()
                                                           : sentence_of(failure, server.text())};
    }
    co_return failed;
  }

  /// Closes the connection, which is lost. Whether it has been so for longer than we are patient.
  bool gives_up(Connection& at) const {
    at.client.close();
    const auto now = AwakeClock::now();
    if (!at.lost_since) at.lost_since = now;
    return now - *at.lost_since > search_.patience;
  }

  void refuse(Server& server, const std::string& rules, const std::string& why) {
    server.refused.insert(rules);
    refused_.try_emplace(rules, why);
    leave_out();
  }

  void lose(Server& server) {
    server.is_gone = true;
    leave_out();
  }

  /// Leaves out the rules that every server has refused which is not gone.
  void leave_out() {
    for (const auto& [rules, why] : refused_) {
      const bool is_refused = std::ranges::all_of(servers_, [&](const Server& server) {
        return server.is_gone || server.refused.contains(rules);
      });
      const auto erased =
          is_refused
              ? std::erase_if(todo_, [&](std::size_t i) { return questions_[i].rules == rules; })
              : 0;
      if (erased > 0) left_out_.try_emplace(rules, why);
    }
  }

  asio::awaitable<void> set_up(GtpClient& client, const std::string& rules) {
    std::vector<std::string> commands{"game " + rules};
    const auto preset = presets_.find(rules);
    if (preset != presets_.end()) commands.push_back("setoption preset " + preset->second);
    for (const auto& [name, value] : search_.options) {
      commands.push_back("setoption name " + name + " value " + value);
    }
    co_await client.demand_all(std::move(commands), set_up_timeout);
  }

  asio::awaitable<Finding> answer(GtpClient& client, const GamePosition& question) {
    const std::string seed = std::to_string(seed_of(question, search_.seed));
    // The tree of another position must have no effect.
    std::vector<std::string> commands{"position " + question.position, "clear_cache",
                                      "setoption seed " + seed, "reg_genmove", "last_search"};
    const auto answers = co_await client.demand_all(std::move(commands), search_timeout);
    Finding finding;
    try {
      const auto told = nlohmann::json::parse(answers.back());
      finding = finding_in(told, search_.lines, colours_of(question.rules));
      if (finding.lines.size() > 1) co_await follow(client, finding);
    } catch (const nlohmann::json::exception& bad) {
      client.stream().fail(EngineFailure::Kind::garbage,
                           std::string("last_search tells no search: ") + bad.what());
    }
    co_return finding;
  }

  /// Asks how the game may go on behind the other moves.
  static asio::awaitable<void> follow(GtpClient& client, Finding& finding) {
    std::vector<std::string> commands;
    for (std::size_t i = 1; i < finding.lines.size(); ++i) {
      commands.push_back("last_search " + finding.lines[i].moves.front());
    }
    const auto answers = co_await client.ask_all(commands, set_up_timeout);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const auto told = nlohmann::json::parse(answers[i].text, nullptr, false);
      if (!answers[i].ok || !told.is_object() || !told.contains("pv")) continue;
      for (const auto& move : told["pv"]) {
        finding.lines[i + 1].moves.push_back(move.get<std::string>());
      }
    }
  }

  const std::vector<std::string>& colours_of(const std::string& rules) {
    auto& colours = colours_[rules];
    if (colours.empty()) {
      Match match;
      set_game(match, rules);
      colours.assign(match.colours.begin(), match.colours.end());
    }
    return colours;
  }

  std::span<const GamePosition> questions_;
  const ReviewSearch& search_;
  const ReviewEvents& events_;
  std::vector<Server> servers_;  ///< whose places stay
  asio::io_context io_{1};
  std::deque<std::size_t> todo_;
  std::map<std::string, std::string> presets_;  ///< by the rules; empty: the options have one
  std::map<std::string, std::vector<std::string>> colours_;
  std::map<std::string, std::string> refused_;   ///< why a server does, by the rules
  std::map<std::string, std::string> left_out_;  ///< why, by the rules
  std::string last_failure_;
  int under_way_ = 0;
  int working_ = 0;         ///< connections
  bool has_begun_ = false;  ///< all servers were asked
  bool is_stopped_ = false;
};

}  // namespace

std::vector<std::string> search_positions(std::span<const GamePosition> questions,
                                          const ReviewSearch& search, const ReviewEvents& events) {
  return Searching(questions, search, events).run();
}

std::int64_t seed_of(const GamePosition& question, std::int64_t seed) {
  const std::string hash = engine::sha256(question.rules + "\n" + question.position);
  const std::uint64_t derived =
      derived_seed(seed, use_review, std::stoull(hash.substr(0, 16), nullptr, 16));
  constexpr std::uint64_t most = 2147483647;
  return static_cast<std::int64_t>(1 + derived % most);
}

}  // namespace pitboss::clients
