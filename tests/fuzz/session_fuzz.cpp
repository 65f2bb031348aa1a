#include <chrono>
#include <memory>
#include <string>

#include "server/session/tables.hpp"
#include "tests/folders.hpp"
#include "tests/fuzz/fuzzing.hpp"
#include "tests/server/session/stepped_session.hpp"

/// Lines of a client, whatever they are: each gets one answer in GTP's form, or none.
namespace pitboss::fuzzing {

namespace {

using tests::SteppedSession;
using Status = SteppedSession::Status;
using namespace std::chrono_literals;

constexpr std::size_t most_lines = 40;
/// A command that takes longer is interrupted.
constexpr int most_slices = 4;

/// The whole answer. Lines about options reach the command while it runs.
std::string ask(SteppedSession& session, std::string_view line, std::string_view next,
                Status& status) {
  std::string out;
  status = session.handle(line, out, false);
  for (int slices = 0; status == Status::running; ++slices) {
    if (slices == 1) session.handle_while_running(next);
    if (slices >= most_slices) session.interrupt();
    if (session.step(100us, out) == Status::ready) status = session.begin_next(out);
  }
  session.end_job();
  return out;
}

}  // namespace

void read_bytes(std::string_view bytes) {
  server::SessionConfig config;
  config.options.simulations = 20;
  config.options.tree_mb = 1;
  config.tree_mb_limit = 4;
  config.sgf_folder = tests::tests_folder() + "/golden/games";
  config.tables = std::make_shared<server::Tables>(server::TableLimits{4, 0ms});
  SteppedSession session(config);
  auto lines = lines_of(bytes);
  if (lines.size() > most_lines) lines.resize(most_lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto next = i + 1 < lines.size() ? lines[i + 1] : std::string_view();
    auto status = Status::ready;
    const std::string answer = ask(session, lines[i], next, status);
    require(status == Status::ready || status == Status::closed,
            "a session that is alone waits for nobody");
    if (!answer.empty()) {
      require(answer[0] == '=' || answer[0] == '?', "an answer begins with its status");
      require(answer.find("\n\n") == answer.size() - 2, "an answer ends with its only empty line");
    }
    if (status == Status::closed) break;
  }
  session.leave();
}

}  // namespace pitboss::fuzzing
