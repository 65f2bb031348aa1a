#include "clients/launch/slurm.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cctype>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string_view>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/players/child_program.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

constexpr std::string_view lower = "abcdefghijklmnopqrstuvwxyz";

/// A word of a line of options as Slurm reads it: like a shell, but a backslash is one in quotes,
/// too.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:;=@%+_/-";
  if (word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "\"";
  for (const char letter : word) {
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + '"';
}

std::string option_line(const std::string& option) { return "#SBATCH " + quoted(option) + "\n"; }

/// The lines of an option that the user has given: --name, --name=value, --name value, -N value,
/// -Nvalue. Throws UserError for all else, and for what this module says itself.
std::string lines_of(const std::string& option) {
  const bool is_long = option.starts_with("--");
  const std::size_t begin = std::min<std::size_t>(is_long ? 2 : 1, option.size());
  const std::size_t end = std::min(is_long ? option.find_first_of("= ", begin) : 2, option.size());
  const std::string name = option.substr(begin, end - begin);
  const bool is_one_line = std::ranges::none_of(option, [](char letter) {
    return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f';
  });
  const bool is_name =
      is_long
          ? !name.empty() && lower.find(name[0]) != std::string_view::npos &&
                name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos
          : name.size() == 1 && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  require(is_one_line && option.starts_with("-") && is_name,
          "\"" + option + "\" is no option of sbatch, such as --account=NAME");
  constexpr std::array own{"array",  "a",          "cpus-per-task", "c",         "ntasks",
                           "n",      "no-requeue", "parsable",      "partition", "p",
                           "signal", "test-only",  "time",          "t",         "wrap"};
  require(std::ranges::find(own, name) == own.end(),
          "--sbatch " + option + ": `launch slurm` decides that (see pitboss launch --help)");
  if (!is_long || end == option.size() || option[end] == '=') {
    const std::size_t value = option.find_first_not_of(' ', end);
    if (is_long || value == std::string::npos) return option_line(option);
    return "#SBATCH " + option.substr(0, end) + " " + quoted(option.substr(value)) + "\n";
  }
  return option_line(option.substr(0, end) + "=" +
                     option.substr(std::min(option.find_first_not_of(' ', end), option.size())));
}

/// The seconds in a time of sbatch: MINUTES[:SECONDS], HOURS:MINUTES:SECONDS or
/// DAYS-HOURS[:MINUTES[:SECONDS]]; nothing for what is none.
std::optional<std::int64_t> seconds_in(const std::string& time) {
  const std::size_t dash = time.find('-');
  const bool has_days = dash != std::string::npos;
  std::vector<std::int64_t> numbers;
  std::istringstream parts((has_days ? time.substr(0, dash) + ":" + time.substr(dash + 1) : time));
  for (std::string part; std::getline(parts, part, ':');) {
    const auto number = number_in<std::int64_t>(part);
    constexpr std::int64_t most = 1'000'000;
    if (!number || *number < 0 || *number > most || part[0] == '-') return std::nullopt;
    numbers.push_back(*number);
  }
  if (time.empty() || time.back() == ':' || time.back() == '-') return std::nullopt;
  const std::size_t count = numbers.size();
  if (has_days ? count < 2 || count > 4 : count < 1 || count > 3) return std::nullopt;
  // Days, hours, minutes, seconds.
  if (!has_days && count == 3) numbers.insert(numbers.begin(), 0);
  if (!has_days && count < 3) numbers.insert(numbers.begin(), {0, 0});
  numbers.resize(4);
  return ((numbers[0] * 24 + numbers[1]) * 60 + numbers[2]) * 60 + numbers[3];
}

/// Throws UserError unless tasks can play for some time before they are told to drain.
void check_walltime(const SlurmJob& job) {
  const auto seconds = seconds_in(job.walltime);
  require(seconds.has_value(), "--walltime " + job.walltime +
                                   " is no time as sbatch takes it: MINUTES, HOURS:MINUTES:SECONDS "
                                   "or DAYS-HOURS");
  require(*seconds > job.drain_seconds,
          "--walltime " + job.walltime + " leaves no time to play: tasks are told to drain " +
              std::to_string(job.drain_seconds) +
              " s before its end; give more, or less by --drain-seconds");
}

/// Throws UserError unless a text is names of partitions.
void check_partition(const std::string& text) {
  const bool is_plain = text.find_first_of(" \t\n\r\"'\\#=") == std::string::npos;
  require(is_plain && text[0] != '-', "--partition: \"" + text + "\" is no name of a partition");
}

/// A name that squeue can show and file names may have.
std::string job_name(const std::string& experiment) {
  std::string out = "pitboss-" + experiment;
  constexpr std::string_view kept =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  std::ranges::replace_if(
      out, [&](char letter) { return kept.find(letter) == std::string_view::npos; }, '-');
  return out;
}

/// Writes a text to a program, reads all that it answers, and waits for its end.
asio::awaitable<void> exchange(ChildProgram& program, LineStream::Socket& streams,
                               const std::string& text, std::string& answer) {
  boost::system::error_code error;
  co_await asio::async_write(streams, asio::buffer(text),
                             asio::redirect_error(asio::use_awaitable, error));
  streams.shutdown(LineStream::Socket::shutdown_send, error);
  std::array<char, 4096> some{};
  for (;;) {
    const std::size_t size = co_await streams.async_read_some(
        asio::buffer(some), asio::redirect_error(asio::use_awaitable, error));
    if (error) break;
    answer.append(some.data(), size);
  }
  co_await program.wait_for_end(std::chrono::minutes(2));
}

}  // namespace

std::string slurm_script(const SlurmJob& job) {
  std::string out = "#!/bin/bash\n# Workers of " + job_name(job.name) + ".\n";
  out += option_line("--job-name=" + job_name(job.name));
  out += option_line("--array=0-" + std::to_string(job.tasks - 1));
  out += option_line("--ntasks=1");
  out += option_line("--cpus-per-task=" + std::to_string(job.threads));
  if (!job.walltime.empty()) {
    check_walltime(job);
    out += option_line("--time=" + job.walltime);
  }
  if (!job.partition.empty()) {
    check_partition(job.partition);
    out += option_line("--partition=" + job.partition);
  }
  out += option_line("--signal=B:USR1@" + std::to_string(job.drain_seconds));
  out += option_line("--requeue");
  out += option_line("--open-mode=append");
  for (const std::string& option : job.options) out += lines_of(option);
  return out + R"(
# USR1 comes before the end of the walltime: the worker finishes its rounds in play, and the task is queued again.
# After TERM, of scancel, it is not, whichever comes first.
requeue=
trap 'requeue=${requeue:-yes}; kill -TERM "$worker"' USR1
trap 'requeue=no; kill -TERM "$worker"' TERM

)" + shell_text(job.command) +
         R"( &
worker=$!
wait "$worker"
code=$?
while kill -0 "$worker" 2>/dev/null; do  # a signal has come
  wait "$worker"
  code=$?
done

# 0: the experiment is finished; 2: the worker has been refused. The number of the task that began last is the array's,
# too, so SLURM_JOB_ID there means all tasks.
if [[ $requeue == yes && $code != 0 && $code != 2 ]]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit "$code"
)";
}

std::string submit(const std::string& script) {
  std::string answer;
  std::string words;
  try {
    ChildProgram sbatch({"sbatch", "--parsable"});
    asio::io_context io{1};
    auto streams = sbatch.take_streams(io.get_executor());
    asio::co_spawn(io, exchange(sbatch, streams, script, answer), asio::detached);
    io.run();
    words = sbatch.last_words();
    if (sbatch.exit_code() == 0) return answer.substr(0, answer.find_first_of(";\n"));
  } catch (const EngineFailure& failure) {
    throw UserError(std::string(failure.what()) +
                    ": this machine submits no jobs to Slurm; --print shows the script");
  }
  std::ranges::replace(words, '\n', ' ');
  throw UserError("sbatch has not taken the job: " + words);
}

}  // namespace pitboss::clients
