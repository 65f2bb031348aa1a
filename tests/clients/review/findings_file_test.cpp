#include "clients/review/findings_file.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "clients/experiments/user_error.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace {

using Json = nlohmann::ordered_json;

const Json asked{{"version", 1}, {"options", "simulations=1 "}};
const GamePosition first{"othello size=8", "... b"};
const GamePosition second{"othello size=8", "... w"};

Finding finding(const std::string& move) {
  return {.values = {0.25, 0.75},
          .visits = 200,
          .lines = {{150, 0.25, {move, "c4"}}, {50, 0.2, {"f6"}}},
          .exact = "win",
          .points = 12,
          .network = "abc"};
}

}  // namespace

TEST_CASE("what was found is there after a restart, also when the last line was cut off") {
  const ScratchFolder folder;
  const auto path = folder / "positions.jsonl";
  {
    FindingsFile file(path, asked);
    CHECK(file.findings().empty());
    file.add(first, finding("d3"));
    file.add(second, finding("e3"));
  }
  const std::string whole = read_text(path);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    write_text(path, whole.substr(0, size));
    FindingsFile file(path, asked);
    if (file.findings().contains(first)) CHECK(file.findings().at(first) == finding("d3"));
    if (!file.findings().contains(first)) file.add(first, finding("d3"));
    if (!file.findings().contains(second)) file.add(second, finding("e3"));
    REQUIRE(read_text(path) == whole);
  }
}

TEST_CASE("a file of findings of something else is refused, and stays") {
  const ScratchFolder folder;
  const auto path = folder / "positions.jsonl";
  {
    Finding searched = finding("d3");
    searched.exact.clear();
    FindingsFile(path, asked).add(first, searched);
  }
  const std::string whole = read_text(path);
  const auto refusal = [&](const Json& other) {
    return error_of([&] { const FindingsFile file(path, other); });
  };
  CHECK(refusal({{"version", 1}, {"options", "simulations=2 "}}).find("other settings") !=
        std::string::npos);
  CHECK(read_text(path) == whole);
  {
    FindingsFile file(path, asked);
    Finding proven = finding("e3");
    proven.network.clear();  // a solver asks no network
    Finding other = finding("e3");
    other.exact.clear();
    other.network = "def";
    const std::string failure = error_of([&] { file.add(second, other); });
    CHECK(failure.find("network") != std::string::npos);
    CHECK(read_text(path) == whole);
    file.add(second, proven);
  }
  // A search without a move, and a line without one.
  const std::string begun = R"({"rules":"a","position":"b","values":[0.5],"visits":1,"lines":)";
  for (const std::string& bad : {R"({"rules":1})" + std::string(), begun + "[]}",
                                 begun + R"([{"visits":1,"value":0.5,"moves":[]}]})"}) {
    CAPTURE(bad);
    write_text(path, whole + bad + "\n");
    CHECK(refusal(asked).find("line 3: this is no finding") != std::string::npos);
  }
  CHECK(error_of([&] {
          const FindingsFile file(folder.path() / "no" / "file", asked);
        }).find("cannot write") != std::string::npos);
}

TEST_CASE("which presets were chosen is there after a restart; another one is refused") {
  const ScratchFolder folder;
  const auto path = folder / "positions.jsonl";
  FindingsFile(path, asked).set_preset("othello size=8", "reference");
  const std::string whole = read_text(path);
  FindingsFile file(path, asked);
  CHECK(file.findings().empty());
  CHECK(file.presets().at("othello size=8") == "reference");
  file.set_preset("othello size=8", "reference");
  CHECK(error_of([&] { file.set_preset("othello size=8", "network"); }).find("(reference)") !=
        std::string::npos);
  CHECK(read_text(path) == whole);
}

}  // namespace pitboss::clients
