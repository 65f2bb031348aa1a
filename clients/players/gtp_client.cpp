#include "clients/players/gtp_client.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// How long after it has greeted an engine may take for its first answer: one that speaks another
/// language gives none.
constexpr std::chrono::seconds greeting_limit(1);

}  // namespace

GtpClient::GtpClient(asio::any_io_executor executor) : stream_(std::move(executor)) {}

asio::awaitable<void> GtpClient::connect(Address address, Duration timeout) {
  last_id_ = 0;
  hears_codes_ = false;
  co_await stream_.connect(std::move(address), timeout);
}

void GtpClient::adopt(LineStream::Socket socket) {
  last_id_ = 0;
  hears_codes_ = false;
  stream_.adopt(std::move(socket));
}

asio::awaitable<GtpAnswer> GtpClient::ask(std::string command, Duration timeout) {
  if (!is_connected()) throw EngineFailure(EngineFailure::Kind::closed, "connection closed");
  stream_.transcript().sent(command);
  told_ = {};
  stream_.start_deadline(timeout);
  const std::uint32_t id = ++last_id_;
  co_await stream_.write(std::to_string(id) + " " + command + "\n");
  GtpAnswer answer = co_await read_answer(id);
  stream_.stop_deadline();
  co_return answer;
}

/// Takes line feeds and a whole line from before an answer, a comment or a greeting; false if there
/// is no such line.
bool GtpClient::skip_line(std::uint32_t id, Prelude& prelude) {
  std::string& received = stream_.received();
  received.erase(0, std::min(received.find_first_not_of('\n'), received.size()));
  const std::size_t line_end = received.find('\n');
  if (line_end == std::string::npos || received[0] == '=' || received[0] == '?') return false;
  const std::string line = received.substr(0, line_end);
  if (line[0] == '#') {
    told_.hear(std::string_view(line).substr(1));
    prelude.has_comments = true;
  } else {
    if (id > 1) stream_.fail(EngineFailure::Kind::garbage, "garbage: " + printable(line));
    if (prelude.greeting.empty()) {
      prelude.greeting = printable(line);
      stream_.start_deadline(greeting_limit);
    }
    stream_.transcript().received(printable(line));
  }
  received.erase(0, line_end);
  return true;
}

asio::awaitable<GtpAnswer> GtpClient::read_answer(std::uint32_t id) {
  Prelude prelude;
  for (std::size_t searched = 0;;) {
    std::string& received = stream_.received();
    if (skip_line(id, prelude)) {
      searched = 0;
      continue;
    }
    const std::size_t end = received.find("\n\n", searched);
    if (end <= max_answer_bytes) {  // otherwise the answer is not complete
      const std::string block = received.substr(0, end);
      received.erase(0, end + 2);
      if (prelude.has_comments) stream_.transcript().received("# " + told_.text());
      stream_.transcript().received(block);
      try {
        co_return parse_answer(block, id, hears_codes_);
      } catch (const EngineFailure&) {
        close();
        throw;
      }
    }
    if (received.size() > max_answer_bytes) {
      stream_.fail(EngineFailure::Kind::garbage, "garbage: an answer without end");
    }
    searched = received.empty() ? 0 : received.size() - 1;
    try {
      co_await stream_.read_more();
    } catch (const EngineFailure&) {
      if (prelude.greeting.empty()) throw;
      throw EngineFailure(EngineFailure::Kind::garbage, "garbage: " + prelude.greeting);
    }
  }
}

asio::awaitable<std::string> GtpClient::demand(std::string command, Duration timeout) {
  std::vector<std::string> commands;
  commands.push_back(std::move(command));
  std::vector<std::string> texts = co_await demand_all(std::move(commands), timeout);
  co_return std::move(texts[0]);
}

asio::awaitable<void> GtpClient::ask_for_codes(bool wanted, Duration timeout) {
  const auto answer = co_await ask(std::string("error_codes ") + (wanted ? "on" : "off"), timeout);
  if (answer.ok) hears_codes_ = wanted;
}

asio::awaitable<std::vector<GtpAnswer>> GtpClient::ask_all(std::span<const std::string> commands,
                                                           Duration timeout) {
  if (!is_connected()) throw EngineFailure(EngineFailure::Kind::closed, "connection closed");
  std::string lines;
  told_ = {};
  for (const std::string& command : commands) {
    stream_.transcript().sent(command);
    lines += std::to_string(++last_id_) + " " + command + "\n";
  }
  stream_.start_deadline(timeout);
  co_await stream_.write(std::move(lines));
  std::vector<GtpAnswer> answers;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (i > 0 && stream_.received().empty()) stream_.acknowledge();
    answers.push_back(
        co_await read_answer(last_id_ - static_cast<std::uint32_t>(commands.size() - 1 - i)));
  }
  stream_.stop_deadline();
  co_return answers;
}

asio::awaitable<std::vector<std::string>> GtpClient::demand_all(std::vector<std::string> commands,
                                                                Duration timeout) {
  std::vector<GtpAnswer> answers = co_await ask_all(commands, timeout);
  expect_success(commands, answers);
  std::vector<std::string> texts;
  for (GtpAnswer& answer : answers) texts.push_back(std::move(answer.text));
  co_return texts;
}

std::optional<std::string> text_if_known(const std::string& command, const GtpAnswer& answer) {
  if (answer.is_unknown()) return std::nullopt;
  expect_success({&command, 1}, {&answer, 1});
  return answer.text;
}

void expect_success(std::span<const std::string> commands, std::span<const GtpAnswer> answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].ok) continue;
    throw EngineFailure(
        EngineFailure::Kind::refused,
        "refused: " + commands[i] + ": " + printable(answers[i].text, Transcript::max_line),
        answers[i].code);
  }
}

GtpAnswer parse_answer(std::string_view block, std::uint32_t id, bool has_codes) {
  const EngineFailure garbage(EngineFailure::Kind::garbage,
                              "garbage: " + printable(block.substr(0, block.find('\n'))));
  if (block.empty() || (block[0] != '=' && block[0] != '?')) throw garbage;

  std::uint32_t echoed = 0;
  const char* const last = block.data() + block.size();
  const auto [rest, error] = std::from_chars(block.data() + 1, last, echoed);
  if (error != std::errc{} || echoed != id) {
    throw EngineFailure(
        EngineFailure::Kind::garbage,
        std::string(garbage.what()) + ": the answer lacks its id, " + std::to_string(id));
  }
  if (rest != last && *rest != ' ' && *rest != '\t' && *rest != '\n') throw garbage;

  std::string_view text(rest, static_cast<std::size_t>(last - rest));
  const std::size_t begin = text.find_first_not_of(" \t");
  text.remove_prefix(std::min(begin, text.size()));
  const std::size_t end = text.find_last_not_of(" \t\n");
  text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  const bool is_ok = block[0] == '=';
  std::optional<protocol::FailureCode> code;
  if (has_codes && !is_ok) {
    constexpr std::string_view between = ": ";
    const std::size_t colon = text.find(between);
    code = protocol::failure_code_named(text.substr(0, colon));
    if (code) text.remove_prefix(std::min(text.size(), colon + between.size()));
  }
  return {is_ok, std::string(text), code};
}

}  // namespace pitboss::clients
