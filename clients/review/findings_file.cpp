#include "clients/review/findings_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "games/text_file.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t longest_file = std::size_t{8} << 30;

Json line_of(const GamePosition& question, const Finding& finding) {
  Json line{{"rules", question.rules}, {"position", question.position}};
  line.update(json_of(finding));
  return line;
}

/// Where an exact solver has found the move, no network was asked.
bool tells_network(const Finding& finding) { return finding.exact.empty(); }

}  // namespace

FindingsFile::FindingsFile(const fs::path& path, const Json& asked) : path_(path) {
  std::string text;
  try {
    if (fs::exists(path)) text = games::read_text_file(path, longest_file);
  } catch (const games::UnreadableFile& bad) {
    throw UserError(bad.what());
  }
  // What comes behind the last end of a line was cut off.
  text.resize(text.rfind('\n') + 1);
  if (!text.empty()) read(text, asked);
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(text.size())) != 0 ||
      ::lseek(file_, 0, SEEK_END) < 0) {
    const int error = errno;
    if (file_ >= 0) ::close(file_);
    throw UserError("cannot write " + path.string() + ": " + games::system_reason(error));
  }
  if (text.empty()) append(asked.dump());
}

FindingsFile::~FindingsFile() { ::close(file_); }

void FindingsFile::read(const std::string& text, const Json& asked) {
  std::string_view rest = text;
  int number = 0;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    ++number;
    try {
      if (number == 1) {
        const Json there = Json::parse(line);
        if (there == asked) continue;
        throw UserError(path_.string() + " has what was found with other settings, " +
                        there.dump() + ", not " + asked.dump() +
                        ": name another folder, or remove the file");
      }
      const auto json = nlohmann::json::parse(line);
      if (json.contains("preset")) {
        presets_.insert_or_assign(json.at("rules").get<std::string>(),
                                  json.at("preset").get<std::string>());
        continue;
      }
      const GamePosition question{json.at("rules").get<std::string>(),
                                  json.at("position").get<std::string>()};
      Finding finding = finding_of(json);
      if (tells_network(finding)) networks_.try_emplace(question.rules, finding.network);
      findings_.insert_or_assign(question, std::move(finding));
    } catch (const nlohmann::json::exception&) {
      throw UserError(path_.string() + ", line " + std::to_string(number) +
                      ": this is no finding of a review; remove the file to begin anew");
    }
  }
}

void FindingsFile::set_preset(const std::string& rules, const std::string& preset) {
  const auto [known, is_new] = presets_.try_emplace(rules, preset);
  if (is_new) return append(Json{{"rules", rules}, {"preset", preset}}.dump());
  require(known->second == preset, "the best preset for " + rules + " (" + preset +
                                       ") is not that of the positions in " + path_.string() +
                                       " (" + known->second + ")");
}

void FindingsFile::add(const GamePosition& question, Finding finding) {
  if (tells_network(finding)) {
    const auto& network = networks_.try_emplace(question.rules, finding.network).first->second;
    const auto named = [](const std::string& hash) { return hash.empty() ? "none" : hash; };
    require(network == finding.network, "the server's network for " + question.rules + " (" +
                                            named(finding.network) +
                                            ") is not that of the positions in " + path_.string() +
                                            " (" + named(network) + ")");
  }
  append(line_of(question, finding).dump());
  findings_.insert_or_assign(question, std::move(finding));
}

void FindingsFile::append(std::string line) {
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      throw UserError("cannot write " + path_.string() + ": " + games::system_reason(errno));
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace pitboss::clients
