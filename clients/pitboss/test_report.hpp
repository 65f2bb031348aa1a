#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "clients/pitboss/git_repository.hpp"
#include "clients/referee/ledger_contents.hpp"
#include "clients/results/document/document.hpp"

namespace pitboss::clients {

/// What a test of two commits comes to. The first player is the new commit's.
enum class TestVerdict : std::uint8_t {
  better,      ///< elo1 is accepted
  not_better,  ///< elo0 is accepted
  undecided,   ///< all games are played, or no game can decide
  failed,      ///< breakdowns leave no result, or an engine cannot be built or does not play
  unfinished   ///< the same command continues it
};
/// "better", "not better", ...
[[nodiscard]] std::string_view name_of(TestVerdict verdict);

/// A test of two commits and what has become of it.
struct CommitTest {
  std::array<Commit, 2> commits;  ///< the new one, the base
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<std::string> remarks;  ///< sentences without a full stop
  TestVerdict verdict = TestVerdict::unfinished;
  std::string why;  ///< a sentence, if the verdict needs one; perhaps with lines below it
};

/// Rounds of the only match all of whose games have the same moves, whoever sits where: they do not
/// tell its players apart.
[[nodiscard]] int rounds_alike(const LedgerContents& contents);

/// The verdict of the only match.
[[nodiscard]] TestVerdict verdict_of(const Results& results);

/// A comment for a pull request. `contents` is null before the first game.
[[nodiscard]] Document test_document(const CommitTest& test, const LedgerContents* contents);
/// The same for programs: both commits, settings, remarks, verdict, and in `match` what
/// summary.json has of the match, or null.
[[nodiscard]] nlohmann::ordered_json test_json(const CommitTest& test,
                                               const LedgerContents* contents);

}  // namespace pitboss::clients
