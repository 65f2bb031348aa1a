#include "clients/pitboss/engine_builds.hpp"

#include <chrono>
#include <deque>
#include <fstream>
#include <optional>
#include <system_error>
#include <thread>

#include "clients/experiments/file_lock.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/players/engine_failure.hpp"
#include "clients/results/record_files.hpp"
#include "clients/training/child_lines.hpp"
#include "engine/sha256.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

/// Made when a build has succeeded.
constexpr const char* built_mark = "built";

bool is_built(const EngineBuild& engine) {
  return fs::exists(engine.folder / built_mark) && fs::is_directory(engine.tree());
}

/// The lock of a build; nothing if `stop` came first.
std::optional<FileLock> wait_for_lock(const EngineBuild& engine, const std::atomic<bool>& stop,
                                      const std::function<void(const std::string&)>& note) {
  fs::path path = engine.folder;
  path += ".lock";
  for (bool is_first = true; !stop; is_first = false) {
    if (auto lock = try_lock(path)) return lock;
    if (is_first) note("another process builds " + engine.commit.short_id() + "; waiting for it");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return std::nullopt;
}

/// Runs a shell command in the work tree; its standard error goes to `on_line`, too, if
/// `is_joined`.
EndedProgram run_in(const EngineBuild& engine, const std::string& command, bool is_joined,
                    const std::atomic<bool>& stop,
                    const std::function<void(const std::string&)>& on_line) {
  const std::string script = (is_joined ? "exec </dev/null 2>&1\n" : "exec </dev/null\n") + command;
  try {
    std::vector<std::string> words = without_repository();
    words.insert(words.end(), {"-C", engine.tree().string(), "sh", "-c", script});
    return run_program(words, stop, on_line);
  } catch (const EngineFailure& failure) {
    throw UserError(failure.what());
  }
}

std::string joined(const std::deque<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += "\n  " + line;
  return out;
}

}  // namespace

EngineBuild build_of(const Commit& commit, const BuildSettings& settings) {
  // What the work tree held has the same name as long as it holds the same.
  return {commit, settings.cache / (commit.id.substr(0, 20) + "-" +
                                    engine::sha256(settings.command).substr(0, 8))};
}

bool build(const EngineBuild& engine, const BuildSettings& settings,
           const GitRepository& repository, const std::atomic<bool>& stop,
           const std::function<void(const std::string&)>& note) {
  std::error_code error;
  fs::create_directories(settings.cache, error);
  require(!error, "cannot make the folder " + settings.cache.string() + ": " + error.message());
  const std::optional<FileLock> lock = wait_for_lock(engine, stop, note);
  if (!lock) return false;
  if (is_built(engine)) {
    note("built before: " + engine.commit.text());
    return true;
  }
  note("building " + engine.commit.text());
  fs::remove_all(engine.folder, error);
  fs::create_directories(engine.folder, error);
  require(!error, "cannot make the folder " + engine.folder.string() + ": " + error.message());
  repository.check_out(engine.commit, engine.tree());
  if (!settings.command.empty()) {
    constexpr std::size_t shown = 20;
    std::deque<std::string> last;
    std::ofstream log(engine.log());
    const EndedProgram end =
        run_in(engine, settings.command, true, stop, [&](const std::string& line) {
          log << line << "\n";
          last.push_back(line);
          if (last.size() > shown) last.pop_front();
        });
    log.close();
    if (stop) return false;
    if (!end.is_good()) {
      throw EngineUnfit("the build of " + engine.commit.text() + " has failed " + end.ending +
                        "; its log is " + engine.log().string() + joined(last));
    }
  }
  if (stop) return false;
  replace_file(engine.folder / built_mark, settings.command + "\n");
  return true;
}

std::string output_in(const EngineBuild& engine, const std::string& command,
                      const std::atomic<bool>& stop) {
  std::string out;
  const EndedProgram end =
      run_in(engine, command, false, stop, [&](const std::string& line) { out += line + "\n"; });
  if (!stop && !end.is_good()) {
    throw EngineUnfit("--bench has failed for " + engine.commit.text() + ": " + end.why());
  }
  return out;
}

std::vector<std::string> command_in(const EngineBuild& engine,
                                    const std::vector<std::string>& words) {
  std::vector<std::string> command{"env", "-C", engine.tree().string()};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

}  // namespace pitboss::clients
