#include "tests/peers/peer.hpp"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "games/any_game.hpp"
#include "protocol/awaiting.hpp"

namespace pitboss::peers {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

/// What a peer counts in all its conversations, and whether it is held.
struct Counts {
  std::atomic<int>& asked;
  std::atomic<int>& duels;
  std::atomic<int>& connections;
  std::atomic<int>& games;
  std::atomic<int>& refused;
  const std::atomic<bool>& is_held;
};

/// A conversation: what the peer knows of the game, and its answers.
class Conversation {
 public:
  Conversation(tcp::socket socket, const PeerConduct& conduct, tcp::acceptor& acceptor,
               Counts counts)
      : socket_(std::move(socket)), conduct_(conduct), acceptor_(acceptor), counts_(counts) {}

  asio::awaitable<void> talk() {
    std::string input;
    for (;;) {
      auto [error, size] = co_await asio::async_read_until(socket_, asio::dynamic_buffer(input),
                                                           '\n', protocol::awaiting);
      if (error) co_return;
      const std::string line = input.substr(0, size);
      input.erase(0, size);
      const std::optional<std::string> answer = handle(line);
      if (line.find(" genmove ") != std::string::npos) {
        asio::steady_timer timer(socket_.get_executor(), conduct_.lateness);
        co_await timer.async_wait(protocol::awaiting);
        while (counts_.is_held) {
          timer.expires_after(std::chrono::milliseconds(2));
          co_await timer.async_wait(protocol::awaiting);
        }
      }
      if (!answer) {
        // Silence, but not death: that would be noticed at once.
        asio::steady_timer never(socket_.get_executor(), std::chrono::hours(1));
        co_await never.async_wait(protocol::awaiting);
        co_return;
      }
      auto [write_error, written] =
          co_await asio::async_write(socket_, asio::buffer(*answer), protocol::awaiting);
      if (write_error || closes_) co_return;
    }
  }

 private:
  /// The bytes to send; nothing for silence.
  std::optional<std::string> handle(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    words >> id_ >> command;
    try {
      if (command == "protocol_version") return good("2");
      if (command == "name") return good("Peer");
      if (command == "error_codes") return tell_codes(words);
      if (command == "version" && !version().empty()) return good(version());
      if (command == "about" && !conduct_.about.empty()) return good(conduct_.about);
      if (command == "kata-get-params" && !conduct_.params_code.empty()) {
        return bad("not now", conduct_.params_code);
      }
      if (command == "kata-get-params" && !conduct_.params.empty()) return good(conduct_.params);
      if (command == "games") return good(list_games());
      if (command == "game") return good(new_game(words));
      if (command == "setoption") return set_option(words);
      const bool has_clock = conduct_.lateness.count() > 0;
      if (has_clock && command == "kata-time_settings") return good("");
      if (has_clock && command == "time_left") return good("");
      if (command == "last_time" && !conduct_.move_time.empty()) return good(conduct_.move_time);
      if (command == "play") return play(words);
      if (command == "genmove") return generate(words);
      if (command == "known_command") return good(conduct_.in_duels ? "true" : "false");
      if (command == "duel" && conduct_.in_duels) {
        return duel(words, seed_ % conduct_.one_in == 0 ? *conduct_.in_duels : Manner::plays);
      }
    } catch (const games::BadGame& e) {
      return bad(e.what());
    }
    return bad("unknown command", "unknown-command");
  }

  std::string tell_codes(std::istringstream& words) {
    std::string wanted;
    words >> wanted;
    tells_codes_ = wanted == "on";
    return good("");
  }

  [[nodiscard]] std::string good(const std::string& text) const {
    return "=" + id_ + " " + text + "\n\n";
  }
  [[nodiscard]] std::string bad(const std::string& text,
                                const std::string& code = "bad-argument") const {
    return "?" + id_ + " " + (tells_codes_ ? code + ": " : "") + text + "\n\n";
  }

  [[nodiscard]] std::string list_games() const {
    std::string out;
    if (!conduct_.has_game) return "patience";
    for (const std::string_view name : games::game_names()) {
      out += (out.empty() ? "" : "\n") + std::string(name);
    }
    return out;
  }

  [[nodiscard]] const std::string& version() const {
    const bool is_later = !conduct_.later_version.empty() && counts_.games >= conduct_.changes_at;
    return is_later ? conduct_.later_version : conduct_.version;
  }

  std::string new_game(std::istringstream& words) {
    ++counts_.games;
    std::string name;
    words >> name;
    games::Parameters parameters;
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      parameters.set(word.substr(0, equals), word.substr(equals + 1));
    }
    position_ = games::make_game(name, parameters);
    plies_ = 0;
    return "";
  }

  std::string set_option(std::istringstream& words) {
    std::string skip;
    std::string name;
    std::string value;
    words >> skip >> name >> skip >> value;
    if (misbehaves(Manner::refuses_options)) return bad("not here");
    if (name == "seed") seed_ = std::stoll(value);
    return good("");
  }

  std::string play(std::istringstream& words) {
    std::string colour;
    std::string move;
    words >> colour >> move;
    if (misbehaves(Manner::refuses_play)) return bad("cannot");
    if (!is_turn_of(colour)) return bad("not its turn");
    position_->play(move);
    ++plies_;
    return good("");
  }

  [[nodiscard]] bool is_turn_of(const std::string& colour) const {
    return !position_->result().finished() && colour == position_->letter_of(position_->to_move());
  }

  std::optional<std::string> generate(std::istringstream& words) {
    ++counts_.asked;
    std::string colour;
    words >> colour;
    if (!is_turn_of(colour)) return bad("not its turn");
    if (counts_.refused < conduct_.refusals) {
      ++counts_.refused;
      return bad("not now", conduct_.refusal_code);
    }
    if (misbehaves(Manner::falls_silent)) return std::nullopt;
    if (misbehaves(Manner::crashes)) return hang_up("");
    if (misbehaves(Manner::stops_listening)) {
      acceptor_.close();
      return hang_up("");
    }
    if (misbehaves(Manner::half_answers)) return hang_up("=" + id_ + " d");
    if (misbehaves(Manner::plays_illegal)) return good("e9");
    if (misbehaves(Manner::plays_nothing)) return good("");
    if (misbehaves(Manner::talks_garbage)) return "Segmentation \"fault\", sorry\x80\n";
    if (misbehaves(Manner::never_ends)) return "=" + id_ + " " + std::string(3U << 20, 'a');
    if (misbehaves(Manner::refuses)) return bad("I do not feel like it");
    if (misbehaves(Manner::resigns)) return good("RESIGN");

    games::Random random(games::mix(static_cast<std::uint64_t>(seed_)) + plies_);
    std::string move = position_->random_move(random);
    position_->play(move);
    ++plies_;
    if (misbehaves(Manner::forgets_id)) return "= " + move + "\n\n";
    if (misbehaves(Manner::answers_twice)) return good(move) + good(move);
    if (misbehaves(Manner::writes_windows)) {
      for (char& c : move) c = static_cast<char>(std::toupper(c));
      return "\r\n=" + id_ + " " + move + "  \r\n\r\n\r\n";
    }
    return good(move);
  }

  std::string duel(std::istringstream& words, Manner manner) {
    ++counts_.duels;
    std::string engines;
    int plies = 0;
    words >> engines >> plies;
    games::Random random(games::mix(static_cast<std::uint64_t>(seed_)) + plies_ + conduct_.style);
    std::string moves;
    for (int i = 0; i < std::min(plies, conduct_.moves_of_duel) && !position_->result().finished();
         ++i) {
      if (plies_ >= static_cast<std::uint64_t>(conduct_.from_ply) && manner != Manner::plays) {
        switch (manner) {
          case Manner::crashes:
            return hang_up("");
          case Manner::plays_illegal:
            return good("0.1 0.1 0.1 0.1\n" + moves + "e9");
          case Manner::plays_nothing:
            return good("0.1 0.1 0.1 0.1");
          case Manner::takes_long:
            return good("4000 0.1 3600 0.1\n" + position_->random_move(random));
          case Manner::talks_garbage:
            return "Segmentation fault\n";
          case Manner::forgets_id:
            return good("soon enough");
          case Manner::is_interrupted:
            return bad("interrupted", "interrupted");
          case Manner::is_busy:
            return bad("others search", "busy");
          case Manner::plays_on:
            break;
          default:
            return bad("not here");
        }
      }
      const std::string move = position_->random_move(random);
      position_->play(move);
      ++plies_;
      moves += move + " ";
    }
    if (manner == Manner::plays_on && position_->result().finished()) moves += "a1";
    return good("0.05 0.05 0.05 0.05\n" + moves);
  }

  [[nodiscard]] bool misbehaves(Manner manner) const {
    return conduct_.manner == manner && seed_ % conduct_.one_in == 0 &&
           plies_ >= static_cast<std::uint64_t>(conduct_.from_ply);
  }
  std::string hang_up(std::string last_words) {
    closes_ = true;
    return last_words;
  }

  tcp::socket socket_;
  const PeerConduct& conduct_;
  tcp::acceptor& acceptor_;
  Counts counts_;
  std::string id_;
  std::unique_ptr<games::AnyGame> position_ = games::make_game("connect4");
  std::int64_t seed_ = 1;
  std::uint64_t plies_ = 0;
  bool closes_ = false;
  bool tells_codes_ = false;
};

asio::awaitable<void> serve(std::unique_ptr<Conversation> conversation,
                            std::shared_ptr<int> open_connections) {
  ++*open_connections;
  co_await conversation->talk();
  --*open_connections;
}

asio::awaitable<void> accept_all(tcp::acceptor& acceptor, const PeerConduct& conduct,
                                 Counts counts) {
  const auto open = std::make_shared<int>(0);
  for (;;) {
    auto [error, socket] = co_await acceptor.async_accept(protocol::awaiting);
    if (error) co_return;
    ++counts.connections;
    if (*open >= conduct.max_connections) continue;
    auto conversation =
        std::make_unique<Conversation>(std::move(socket), conduct, acceptor, counts);
    asio::co_spawn(acceptor.get_executor(), serve(std::move(conversation), open), asio::detached);
  }
}

}  // namespace

Peer::Peer(PeerConduct conduct)
    : conduct_(conduct), acceptor_(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
  address_ = {"127.0.0.1", acceptor_.local_endpoint().port()};
  asio::co_spawn(
      io_,
      accept_all(acceptor_, conduct_, {asked_, duels_, connections_, games_, refused_, is_held_}),
      asio::detached);
  thread_ = std::thread([this] { io_.run(); });
}

Peer::~Peer() {
  io_.stop();
  thread_.join();
}

}  // namespace pitboss::peers
