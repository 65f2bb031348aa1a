#include "clients/training/train.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "clients/experiments/file_lock.hpp"
#include "clients/training/evaluation.hpp"
#include "clients/training/step_times.hpp"
#include "clients/training/training_document.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/training/tiny_run.hpp"

// The driver, with a learner that learns nothing: a script that stands for Python.

namespace pitboss::clients {

namespace {

const std::atomic<bool> never = false;

/// While it is there, `script` is run as the learner; in it $run and $g name the run's folder and
/// the generation, $before and $network the networks.
class ScriptedLearner {
 public:
  ScriptedLearner(const ScratchFolder& folder, const std::string& script)
      : path_(folder / "learner.sh") {
    write_text(path_,
               "#!/bin/sh\n[ $1 = -c ] && echo ready && exit\nrun=$4 "
               "g=$6\nbefore=$run/networks/$(printf %04d $((g - 1)))\n"
               "network=$run/networks/$(printf %04d $g)\n" +
                   script);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
    ::setenv("PITBOSS_TORCH_PYTHON", path_.c_str(), 1);
  }
  ~ScriptedLearner() { ::unsetenv("PITBOSS_TORCH_PYTHON"); }
  ScriptedLearner(const ScriptedLearner&) = delete;
  ScriptedLearner& operator=(const ScriptedLearner&) = delete;

 private:
  std::filesystem::path path_;
};

const std::string figures =
    R"({"steps":3,"rows_in_window":9,"learning_rate":0.001,"policy_loss":2,"value_loss":0.7,)"
    R"("held_out_rows":5,"held_out_policy_loss":2,"held_out_value_loss":0.7,"policy_entropy":1,)"
    R"("network_entropy":1,"policy_accuracy":0.5,"seconds":1,"processor_seconds":1.5,"samples_per_second":9})";

const std::string copying = "echo '" + figures + R"(' > $run/learner/$(printf %04d $g).json
echo '{"step":3,"steps":3}'
cp $before.safetensors $network.safetensors
)";

}  // namespace

TEST_CASE("train: times of steps add up") {
  CHECK(busy_share(15, 10, 2) == 0.75);
  CHECK(busy_share(0, 0, 2) == 0);
  const ScratchFolder folder;
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  CHECK(read_step_times(run, 1).self_play == 0);
  add_step_times(run, 1, {2, 2, 3, 0, 0});
  add_step_times(run, 1, {4, 1, 1, 5, 0});
  const StepTimes times = read_step_times(run, 1);
  CHECK(times.processors == 4);
  CHECK(times.self_play == 3);
  CHECK(times.self_play_busy == 4);
  CHECK(times.learning == 5);
  CHECK(times.evaluation == 0);
  write_text(folder / "run/times/0001.json", "{");
  CHECK(read_step_times(run, 1).learning == 0);
}

TEST_CASE("train: every so many generations are evaluated, and the last one in any case") {
  TrainingSettings settings = tiny();
  const auto evaluated = [&](int generations, int every) {
    settings.generations = generations;
    settings.evaluation.every = every;
    std::vector<int> found;
    for (int g = 1; g <= generations; ++g) {
      if (is_evaluated(settings, g)) found.push_back(g);
    }
    return found;
  };
  CHECK(evaluated(7, 3) == std::vector{3, 6, 7});
  CHECK(evaluated(6, 3) == std::vector{3, 6});
  CHECK(evaluated(3, 1) == std::vector{1, 2, 3});
  CHECK(evaluated(2, 5) == std::vector{2});
  CHECK(evaluated(2, 0).empty());
}

TEST_CASE("train: a run begins with the network of a file") {
  const ScratchFolder folder;
  TrainingSettings settings = tiny();
  settings.seed = 7;
  const RunFolder earlier = RunFolder::make(folder / "earlier", settings);
  const auto file = earlier.network(0);
  settings.seed = 8;
  const RunFolder run = RunFolder::make(folder / "run", settings, file);
  CHECK(read_text(run.network(0)) == read_text(file));
  // The same command goes on with it; another network is refused, no network is not asked for.
  CHECK(RunFolder::make(folder / "run", settings, file).path() == run.path());
  CHECK(RunFolder::make(folder / "run", settings).path() == run.path());
  const RunFolder other = RunFolder::make(folder / "other", settings);
  CHECK(read_text(other.network(0)) != read_text(file));
  CHECK(error_of([&] { (void)RunFolder::make(folder / "run", settings, other.network(0)); }) ==
        "the run in " + (folder / "run").string() + " began with another network than " +
            other.network(0).string() +
            "; leave --from out to go on with it, or name another folder");
  CHECK(read_text(run.network(0)) == read_text(file));
}

TEST_CASE("train: a network that does not fit a run begins none") {
  const ScratchFolder folder;
  TrainingSettings settings = tiny();
  const auto fitting = RunFolder::make(folder / "earlier", settings).network(0);
  const auto refusal = [&](const std::filesystem::path& file) {
    const std::string error =
        error_of([&] { (void)RunFolder::make(folder / "run", settings, file); });
    CHECK_FALSE(std::filesystem::exists(folder / "run"));
    return error;
  };
  settings.game = "hex size=4";
  CHECK(refusal(fitting) == fitting.string() +
                                " is a network for hex size=3 swap=off; the run needs one for hex "
                                "size=4, of the settings' architecture");
  settings = tiny();
  settings.architecture = "tower";
  CHECK(refusal(fitting).find("of the settings' architecture") != std::string::npos);
  settings = tiny();
  CHECK(refusal(folder / "missing").find((folder / "missing").string()) == 0);
  write_text(folder / "short", read_text(fitting).substr(0, 2000));
  CHECK(refusal(folder / "short").find((folder / "short").string()) == 0);
}

TEST_CASE("train: generations, an evaluation, a report") {
  const ScratchFolder folder;
  const ScriptedLearner learner(folder, copying);
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  std::vector<int> done;
  double learned = 0;
  TrainingListener listener;
  listener.on_generation = [&](int generation) { done.push_back(generation); };
  listener.on_learning = [&](int, double share) { learned = share; };
  CHECK(train(run, {2}, never, listener));
  CHECK(done == std::vector{1, 2});
  CHECK(learned == 1);
  CHECK(read_manifest(run, 2)->games == 12);
  CHECK_FALSE(read_evaluation(run, 1));
  const auto evaluation = read_evaluation(run, 2);
  REQUIRE(evaluation);
  REQUIRE(evaluation->size() == 2);
  CHECK((*evaluation)[0].opponent == "anchor");
  CHECK((*evaluation)[1].opponent == "g0001");
  CHECK((*evaluation)[1].score == 0.5);  // it plays itself
  const StepTimes times = read_step_times(run, 2);
  CHECK(times.processors == 2);
  CHECK(times.self_play > 0);
  CHECK(times.self_play_busy > 0);
  CHECK(times.self_play_busy <= 2.5 * times.self_play);  // of two threads, and the one that waits
  CHECK(times.learning > 0);
  CHECK(times.evaluation > 0);
  CHECK(read_step_times(run, 1).evaluation == 0);
  CHECK(read_learned(run, 2)->processor_seconds == 1.5);
  write_training_report(run);
  CHECK(read_text(folder / "run/report.html").find("Score against the anchor") !=
        std::string::npos);
  CHECK(read_text(folder / "run/run.json").find("\"generations\":2") != std::string::npos);
  // A run that is over stays as it is.
  CHECK(train(run, {1}, never, {}));

  const auto outline = [&] {
    return training_kind().follow("a", LedgerPlace(folder / "run"))->look().outline;
  };
  CHECK(outline().words.ends_with(" games an hour of self-play"));
  CHECK_FALSE(outline().seconds_left);
  // Two more are to come, which take as long as those before.
  std::string settings = read_text(folder / "run/settings.toml");
  settings.replace(settings.find("generations = 2"), 15, "generations = 4");
  write_text(folder / "run/settings.toml", settings);
  CHECK(outline().state == "running");
  CHECK(outline().seconds_left.value_or(0) > 0);
}

TEST_CASE("train: a learner that fails ends the run with its sentence, and the run goes on later") {
  const ScratchFolder folder;
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  const auto train_it = [&] { static_cast<void>(train(run, {1}, never, {})); };
  {
    const ScriptedLearner learner(folder, "echo 'needs PyTorch' >&2; exit 1\n");
    CHECK(error_of(train_it).starts_with("the learner has failed: needs PyTorch;"));
  }
  {
    ::setenv("PITBOSS_TORCH_PYTHON", "/nowhere/python", 1);
    CHECK(error_of(train_it).find("it needs PyTorch") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(run.rows(2)));
    const ScriptedLearner learner(folder, "kill -9 $$\n");
    CHECK(error_of(train_it).starts_with("the learner has failed: [signal 9 (Killed)];"));
  }
  CHECK(run.last_generation() == 0);
  {  // killed once, it is started again
    const ScriptedLearner learner(
        folder, "test -e $run/once || { touch $run/once; kill -9 $$; }\n" + copying);
    CHECK(error_of(train_it).empty());
  }
  CHECK(run.last_generation() == 2);
}

TEST_CASE("train: rows that were removed are played again before the run goes on") {
  const ScratchFolder folder;
  // Like the real one, this learner reads the manifests of all generations.
  const ScriptedLearner learner(folder,
                                "cat $run/generations/*/manifest.json > $run/read-$g\n" + copying);
  TrainingSettings settings = tiny();
  settings.evaluation.every = 0;
  const RunFolder run = RunFolder::make(folder / "run", settings);
  CHECK(train(run, {2}, never, {}));
  const auto rows = run.rows_file(1, 5);
  for (const auto& file : {rows, run.manifest(1)}) REQUIRE(std::filesystem::remove(file));
  CHECK(train(run, {2}, never, {}));  // the run is over: nobody needs them
  CHECK_FALSE(std::filesystem::exists(rows));
  settings.generations = 3;
  write_text(folder / "run/settings.toml", settings_text(settings));
  const RunFolder longer = RunFolder::open(folder / "run");
  CHECK(train(longer, {2}, never, {}));
  CHECK(std::filesystem::exists(rows));
  CHECK(read_manifest(longer, 1)->games == 12);
  const std::string read = read_text(folder / "run/read-3");
  for (const int generation : {1, 2, 3}) {
    CHECK(read.find(read_text(longer.manifest(generation))) != std::string::npos);
  }
}

TEST_CASE("train: one driver at a time") {
  const ScratchFolder folder;
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  const auto lock = try_lock(run.path() / "train.lock");
  CHECK(error_of([&] {
          static_cast<void>(train(run, {1}, never, {}));
        }).find("another pitboss train") != std::string::npos);
}

TEST_CASE("train: the abort rules") {
  AbortSettings rules;
  GenerationFigures played;
  played.games = 100;
  played.distinct_openings = 0.9;
  LearnedFigures learned;
  learned.network_entropy = 1;
  CHECK(abort_reason(rules, played, learned).empty());
  learned.network_entropy = 0.01;
  CHECK(abort_reason(rules, played, learned).find("entropy") != std::string::npos);
  learned.network_entropy = 1;
  played.draws = 95;
  CHECK(abort_reason(rules, played, learned).find("draws") != std::string::npos);
  played.draws = 0;
  played.distinct_openings = 0.1;
  CHECK(abort_reason(rules, played, learned).find("openings") != std::string::npos);
  played.distinct_openings = 1;
  learned.held_out_value_loss = 0.2;
  learned.held_out_rows = 100;  // too few
  CHECK(abort_reason(rules, played, learned).empty());
  learned.held_out_rows = 10'000;
  CHECK(abort_reason(rules, played, learned).find("held-out") != std::string::npos);
}

}  // namespace pitboss::clients
