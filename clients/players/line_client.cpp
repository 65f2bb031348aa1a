#include "clients/players/line_client.hpp"

#include <algorithm>
#include <utility>

#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

constexpr std::string_view blanks = " \t";
// Kept of an answer besides its last line; the answer to `uci` has a hundred lines.
constexpr std::size_t max_transcript_lines = 4;

}  // namespace

LineClient::LineClient(asio::any_io_executor executor, std::span<const Aside> asides)
    : stream_(std::move(executor)), asides_(asides) {}

asio::awaitable<void> LineClient::tell(std::string command, Duration timeout) {
  if (!stream_.is_open()) throw EngineFailure(EngineFailure::Kind::closed, "connection closed");
  stream_.transcript().sent(command);
  stream_.start_deadline(timeout);
  co_await stream_.write(command + "\n");
  stream_.stop_deadline();
}

asio::awaitable<std::vector<std::string>> LineClient::ask(std::string command, std::string last,
                                                          Duration timeout) {
  if (!stream_.is_open()) throw EngineFailure(EngineFailure::Kind::closed, "connection closed");
  stream_.transcript().sent(command);
  stream_.start_deadline(timeout);
  co_await stream_.write(command + "\n");
  std::vector<std::string> lines;
  told_ = {};
  std::string told;  // what the asides say together, for the transcript
  for (std::size_t bytes = 0; bytes <= max_answer_bytes;) {
    std::string line = co_await read_line();
    bytes += line.size() + 1;
    const std::string_view word = first_word(line);
    if (const Aside* const aside = aside_of(line)) {
      const std::string_view rest = std::string_view(line).substr(word.size());
      told_.hear(std::string(aside->lacks) + std::string(rest));
      const std::string sum = told_.text();
      told = sum.empty() ? line : std::string(word) + " " + sum;
      continue;
    }
    const bool is_last = last.empty() ? !word.empty() : word == last;
    if (is_last && !told.empty()) stream_.transcript().received(told);
    if (is_last || lines.size() < max_transcript_lines) stream_.transcript().received(line);
    lines.push_back(std::move(line));
    if (!is_last) continue;
    stream_.stop_deadline();
    co_return lines;
  }
  stream_.fail(EngineFailure::Kind::garbage, "garbage: an answer without end");
}

asio::awaitable<std::string> LineClient::read_line() {
  for (std::size_t searched = 0;;) {
    std::string& received = stream_.received();
    const std::size_t end = received.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = received.substr(0, end);
      received.erase(0, end + 1);
      line.erase(line.find_last_not_of(blanks) + 1);
      line.erase(0, line.find_first_not_of(blanks));
      co_return line;
    }
    searched = received.size();
    if (searched > max_line_bytes) {
      stream_.fail(EngineFailure::Kind::garbage, "garbage: an answer without end");
    }
    co_await stream_.read_more();
  }
}

const Aside* LineClient::aside_of(std::string_view line) const {
  const auto found = std::ranges::find_if(asides_, [&](const Aside& aside) {
    return games::same_ignoring_case(aside.word, first_word(line));
  });
  return found == asides_.end() ? nullptr : &*found;
}

std::string_view first_word(std::string_view line) {
  return line.substr(0, line.find_first_of(blanks));
}

}  // namespace pitboss::clients
