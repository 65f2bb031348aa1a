#include "clients/players/stream_engine.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

#include "environment/awake_clock.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// How long a program that has closed its streams may take to end.
constexpr std::chrono::milliseconds last_words_limit(250);
constexpr std::size_t max_excerpt = 4096;

/// The last lines of a program's output.
std::string tail_of(std::string_view text, std::size_t max_bytes) {
  std::string out;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  if (text.size() > max_bytes) text.remove_prefix(text.size() - max_bytes);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += printable(text.substr(begin, end - begin), max_bytes) + "\n";
    begin = end + 1;
  }
  return out;
}

}  // namespace

asio::awaitable<void> StreamEngine::open() {
  close();
  co_await watch(start());
  opened_ = environment::AwakeClock::now();
}

asio::awaitable<void> StreamEngine::start() {
  has_begun_ = false;
  if (const auto* const address = std::get_if<Address>(&player_.location)) {
    co_await stream().connect(*address, connect_timeout);
  } else {
    program_.reset();
    program_ = std::make_unique<ChildProgram>(std::get<Program>(player_.location).command);
    stream().adopt(program_->take_streams(executor_));
  }
  try {
    co_await greet();
  } catch (const EngineFailure& failure) {
    throw EngineFailure(failure.kind(), failure.what() + doubt(failure), failure.code());
  }
}

/// The end of a sentence about an engine whose first answer is missing or makes no sense.
std::string StreamEngine::doubt(const EngineFailure& failure) const {
  using enum EngineFailure::Kind;
  if (failure.kind() != garbage && failure.kind() != silent) return {};
  return "; does it speak \"" + std::string(name_of(player_.language)) + "\"" +
         (failure.kind() == silent ? ", and in less than its start_timeout?" : "?");
}

asio::awaitable<void> StreamEngine::begin(const Match& match, std::int64_t seed) {
  co_await watch(set_up(match, seed));
  has_begun_ = true;
  static_cast<void>(was_stopped());  // before the game
}

asio::awaitable<void> StreamEngine::clear_away() {
  if (is_open() || !program_) co_return;
  co_await program_->wait_for_end(last_words_limit);
  program_->close();
}

void StreamEngine::close() {
  stream().close();
  if (program_) program_->close();
}

std::string StreamEngine::excerpt() const {
  std::string out = stream().transcript().text();
  const std::string words = program_ ? program_->last_words() : "";
  if (words.empty()) return out;
  out += "standard error:\n";
  return out + tail_of(words, max_excerpt - out.size() - 1);
}

}  // namespace pitboss::clients
