#include <string>

#include "engine/policy/features/feature_set.hpp"
#include "tests/fuzz/fuzzing.hpp"

/// A file of features. What is read is written, and read again as the same.
namespace pitboss::fuzzing {

void read_bytes(std::string_view bytes) {
  try {
    const auto set = engine::parse_features(bytes);
    require(engine::parse_features(engine::file_text(set)) == set, "features are written as read");
    static_cast<void>(engine::feature_game(set));
  } catch (const engine::BadFeatures& error) {
    require(error.what()[0] != '\0', "what is wrong is said");
  }
}

}  // namespace pitboss::fuzzing
