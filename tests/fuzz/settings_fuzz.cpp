#include <string>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/settings.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/training/training_settings.hpp"
#include "tests/fuzz/fuzzing.hpp"

/// A file of settings in TOML, read as an experiment and as the settings of a training run.
namespace pitboss::fuzzing {

namespace {

template <class Read>
void attempt(Read read) {
  try {
    read();
  } catch (const clients::UserError& error) {
    const std::string sentence = error.what();
    require(!sentence.empty(), "what is wrong is said");
  }
}

}  // namespace

void read_bytes(std::string_view bytes) {
  // They walk through up to a million positions, which is their purpose, open files, and look for
  // those that a pattern matches.
  if (bytes.find("all:") != std::string_view::npos) return;
  if (bytes.find("file:") != std::string_view::npos) return;
  if (bytes.find_first_of("*?") != std::string_view::npos) return;
  attempt([&] { static_cast<void>(clients::parse_experiment(bytes, "experiment.toml")); });
  attempt([&] {
    const auto settings = clients::training_settings(clients::parse_settings(bytes, "train.toml"));
    const std::string text = clients::settings_text(settings);
    const auto again = clients::training_settings(clients::parse_settings(text, "again.toml"));
    require(clients::settings_text(again) == text, "settings are written as they were read");
  });
}

}  // namespace pitboss::fuzzing
