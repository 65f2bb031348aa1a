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
#include <string_view>

#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/players/child_program.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// Slurm reads a line of options up to its end.
std::string option_line(const std::string& option) {
  const bool is_one_line = std::ranges::none_of(
      option, [](char letter) { return static_cast<unsigned char>(letter) < ' '; });
  require(is_one_line && option.starts_with("-"),
          "\"" + option + "\" is no option of sbatch, such as --account=NAME");
  return "#SBATCH " + option + "\n";
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
  if (!job.walltime.empty()) out += option_line("--time=" + job.walltime);
  if (!job.partition.empty()) out += option_line("--partition=" + job.partition);
  out += option_line("--signal=B:USR1@" + std::to_string(job.drain_seconds));
  out += option_line("--requeue");
  out += option_line("--open-mode=append");
  for (const std::string& option : job.options) out += option_line(option);
  return out + R"(
# USR1 comes before the end of the walltime: the worker finishes its rounds in play, and the task is queued again.
# After TERM, of scancel, it is not.
requeue=
trap 'requeue=yes; kill -TERM "$worker"' USR1
trap 'requeue=; kill -TERM "$worker"' TERM

)" + shell_text(job.command) +
         R"( &
worker=$!
wait "$worker"
code=$?
while kill -0 "$worker" 2>/dev/null; do  # a signal has come
  wait "$worker"
  code=$?
done

# 0: the experiment is finished; 2: the worker has been refused.
if [[ -n $requeue && $code != 0 && $code != 2 ]]; then scontrol requeue "$SLURM_JOB_ID"; fi
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
