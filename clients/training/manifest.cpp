#include "clients/training/manifest.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/results/record_files.hpp"
#include "clients/training/rows.hpp"
#include "engine/leaf/network/network_file.hpp"
#include "engine/sha256.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A file exists, but has wrong contents.
class WrongContents : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class WrongNetwork : public UserError {
 public:
  using UserError::UserError;
};

/// A manifest while files are added to it.
class Manifest {
 public:
  Manifest(const RunFolder& run, int generation)
      : start_(run.start()),
        generation_(generation),
        network_file_(run.network(generation - 1)),
        network_(engine::sha256(bytes_of(network_file_))),
        games_(games_of(run.settings(), generation)),
        step_(run.settings().self_play.games_per_file) {}

  /// Throws WrongContents if the file does not belong here, UserError if it cannot be read.
  void add(const fs::path& path, int first_game) {
    const std::string bytes = bytes_of(path);
    try {
      add(path.filename().string(), bytes, row_file_head(bytes), first_game);
    } catch (const WrongNetwork&) {
      throw;  // the rows are not at fault
    } catch (const UserError& e) {
      throw WrongContents(e.what());
    } catch (const std::logic_error&) {
      throw WrongContents("its metadata has a figure that is not a number");
    }
  }

  [[nodiscard]] std::string text() const {
    const double distinct = static_cast<double>(openings_.size()) / std::max(figures_.games, 1);
    const Json json{{"format", "pitboss generation"},
                    {"version", 1},
                    {"generation", generation_},
                    {"network", network_},
                    {"files", files_},
                    {"rows", figures_.rows},
                    {"games", figures_.games},
                    {"plies", figures_.plies},
                    {"simulations", figures_.simulations},
                    {"draws", figures_.draws},
                    {"distinct_openings", distinct},
                    {"thread_seconds", figures_.thread_seconds}};
    return json.dump(1) + "\n";
  }

 private:
  static std::string bytes_of(const fs::path& path) {
    try {
      return engine::read_network_bytes(path);
    } catch (const engine::BadNetwork& e) {
      throw UserError(e.what());
    }
  }

  void add(const std::string& name, const std::string& bytes, const RowFileHead& head,
           int first_game) {
    expect(head, "game", std::string(start_->name()));
    expect(head, "parameters", start_->parameters().line());
    expect(head, "generation", std::to_string(generation_));
    expect(head, "first_game", std::to_string(first_game));
    const int games = games_from(first_game);
    expect(head, "games", std::to_string(games));
    if (told(head, "network") != network_) {
      throw WrongNetwork(name + " of generation " + std::to_string(generation_) +
                         " was played by another network than " + network_file_.string() +
                         "; put that back, or remove the files of the generation");
    }
    figures_.games += games;
    figures_.rows += head.rows;
    figures_.plies += std::stoll(told(head, "plies"));
    figures_.simulations += std::stoll(told(head, "simulations"));
    figures_.draws += std::stoi(told(head, "draws"));
    figures_.thread_seconds += std::stod(told(head, "seconds"));
    std::istringstream openings(told(head, "openings"));
    for (std::string opening; openings >> opening;) openings_.insert(opening);
    files_.push_back(
        {{"name", name}, {"sha256", engine::sha256(bytes)}, {"rows", head.rows}, {"games", games}});
  }

  [[nodiscard]] int games_from(int first_game) const {
    return std::min(step_, games_ - first_game);
  }
  static std::string told(const RowFileHead& head, const std::string& key) {
    const auto found = head.metadata.find(key);
    if (found == head.metadata.end()) throw UserError("its metadata lacks " + key);
    return found->second;
  }
  static void expect(const RowFileHead& head, const std::string& key, const std::string& value) {
    const std::string there = told(head, key);
    if (there != value) throw UserError("its " + key + " is " + there + ", not " + value);
  }

  const std::unique_ptr<games::AnyGame> start_;
  const int generation_;
  const fs::path network_file_;
  const std::string network_;  ///< the network's hash
  const int games_;
  const int step_;
  GenerationFigures figures_;
  std::set<std::string> openings_;
  Json files_ = Json::array();
};

/// Removes the locks that killed processes have left.
void remove_locks(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".lock") fs::remove(entry.path());
  }
}

}  // namespace

bool write_manifest(const RunFolder& run, int generation,
                    const std::function<void(const std::string&)>& on_note) {
  Manifest manifest(run, generation);
  const int step = run.settings().self_play.games_per_file;
  bool is_whole = true;
  for (int first = 0; first < games_of(run.settings(), generation); first += step) {
    const fs::path file = run.rows_file(generation, first);
    try {
      manifest.add(file, first);
    } catch (const WrongContents& e) {
      fs::rename(file, file.string() + ".damaged");
      on_note(file.string() + " is damaged (" + e.what() +
              "): it is set aside, and its games are played again");
      is_whole = false;
    }
  }
  if (!is_whole) return false;
  replace_file(run.manifest(generation), manifest.text());
  remove_locks(run.rows(generation));
  return true;
}

std::optional<GenerationFigures> read_manifest(const RunFolder& run, int generation) {
  const fs::path file = run.manifest(generation);
  if (!fs::exists(file)) return std::nullopt;
  try {
    const Json json = Json::parse(read_text_file(file));
    GenerationFigures figures;
    json.at("generation").get_to(figures.generation);
    json.at("games").get_to(figures.games);
    json.at("rows").get_to(figures.rows);
    json.at("plies").get_to(figures.plies);
    json.at("simulations").get_to(figures.simulations);
    json.at("draws").get_to(figures.draws);
    json.at("distinct_openings").get_to(figures.distinct_openings);
    json.at("thread_seconds").get_to(figures.thread_seconds);
    return figures;
  } catch (const Json::exception&) {
    throw UserError(file.string() +
                    " is damaged; remove it, and the generation's files are listed anew");
  }
}

}  // namespace pitboss::clients
