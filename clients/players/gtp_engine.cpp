#include "clients/players/gtp_engine.hpp"

#include <sstream>

namespace pitboss::clients {

namespace asio = boost::asio;
using games::Colour;

asio::awaitable<void> GtpEngine::greet() {
  const std::string version = co_await demand("protocol_version");
  if (version != "2") {
    stream().fail(EngineFailure::Kind::refused, "the engine does not speak GTP 2");
  }
}

std::string GtpEngine::hear_program(std::span<const GtpAnswer> answers) {
  std::string program;
  for (std::size_t i = 0; i < program_questions.size(); ++i) {
    const std::string text = text_if_known(program_questions[i], answers[i]).value_or("");
    if (!text.empty()) program += (program.empty() ? "" : " ") + text;
  }
  return program;
}

asio::awaitable<void> GtpEngine::play(Colour mover, std::string move) {
  tell(play_command(mover, move));
  co_return;
}

void GtpEngine::tell_time_left(Colour mover) {
  const auto& left = time_left(mover);
  if (!clock_ || !left) return;
  std::string command = clock_->time_left(letter_of(mover), *left);
  if (!command.empty()) tell(std::move(command));
}

asio::awaitable<std::string> GtpEngine::genmove(Colour mover, std::chrono::milliseconds timeout) {
  tell_time_left(mover);
  co_return co_await ask_next(genmove_command(mover), timeout);
}

asio::awaitable<std::string> GtpEngine::ask_next(std::string command,
                                                 std::chrono::milliseconds timeout) {
  std::vector<std::string> commands = take_untold();
  commands.push_back(std::move(command));
  std::vector<std::string> texts = co_await watch(client_.demand_all(std::move(commands), timeout));
  co_return std::move(texts.back());
}

bool has_line(const std::string& text, std::string_view line) {
  std::istringstream lines(text);
  for (std::string l; std::getline(lines, l);) {
    if (l == line) return true;
  }
  return false;
}

}  // namespace pitboss::clients
