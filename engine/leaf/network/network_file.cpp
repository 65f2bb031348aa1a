#include "engine/leaf/network/network_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "engine/leaf/network/safetensors.hpp"
#include "games/text_file.hpp"

namespace pitboss::engine {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;
using Metadata = std::map<std::string, std::string>;

constexpr const char* format_name = "pitboss network";
constexpr const char* format_version = "1";
constexpr std::uintmax_t largest_network_file = std::uintmax_t{1} << 30;

constexpr std::array heads_names{"dense", "convolutional"};

/// The numbers of a shape by their names in a file.
constexpr std::array<std::pair<const char*, int NetworkShape::*>, 9> shape_numbers{{
    {"planes", &NetworkShape::planes},
    {"rows", &NetworkShape::rows},
    {"columns", &NetworkShape::columns},
    {"policy", &NetworkShape::policy},
    {"values", &NetworkShape::values},
    {"value_hidden", &NetworkShape::value_hidden},
    {"policy_hidden", &NetworkShape::policy_hidden},
    {"value_filters", &NetworkShape::value_filters},
    {"policy_filters", &NetworkShape::policy_filters},
}};

std::string shape_text(const NetworkShape& shape) {
  Json json{{"stem", shape.stem},
            {"filters", shape.filters},
            {"heads", heads_names.at(static_cast<std::size_t>(shape.heads))}};
  for (const auto& [name, number] : shape_numbers) json[name] = shape.*number;
  return json.dump();
}

/// A number that fits; `check` looks at the rest.
int small_number(const Json& json) {
  const auto number = json.get<std::int64_t>();
  constexpr std::int64_t most = 1'000'000;
  if (!json.is_number_integer() || number < 0 || number > most) {
    throw BadNetwork(
        "the numbers of the network's architecture must be whole and from 0 to 1000000");
  }
  return static_cast<int>(number);
}

/// A text of the metadata that goes into sentences.
void check_text(const std::string& text) {
  constexpr std::size_t longest = 200;
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
  if (text.size() > longest || !std::ranges::all_of(text, is_plain)) {
    throw BadNetwork(
        "the game in the network's metadata must be a printable text of at most 200 characters");
  }
}

NetworkShape parse_shape(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    NetworkShape shape;
    shape.stem = json.at("stem").get<bool>();
    for (const Json& filters : json.at("filters")) {
      shape.filters.push_back(small_number(filters));
    }
    const std::string heads = json.at("heads").get<std::string>();
    if (heads == heads_names[1]) {
      shape.heads = Heads::convolutional;
    } else if (heads != heads_names[0]) {
      throw BadNetwork("the network's heads must be dense or convolutional, not \"" + heads + "\"");
    }
    for (const auto& [name, number] : shape_numbers) {
      shape.*number = small_number(json.at(name));
    }
    check(shape);
    return shape;
  } catch (const Json::exception&) {
    throw BadNetwork("the network's metadata has no architecture");
  }
}

std::string entry(const Metadata& metadata, const std::string& key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? "" : found->second;
}

NetworkGame game_of(const Metadata& metadata) {
  if (entry(metadata, "format") != format_name) {
    throw BadNetwork("the file's metadata does not say that the file holds a network for Pitboss");
  }
  if (entry(metadata, "version") != format_version) {
    throw BadNetwork("the network's file has the format version \"" + entry(metadata, "version") +
                     "\"; this program reads version " + format_version);
  }
  NetworkGame game{entry(metadata, "game"), entry(metadata, "parameters")};
  check_text(game.game);
  check_text(game.parameters);
  return game;
}

/// The first bytes of a file, `most` of them if there are so many.
std::string read_beginning(const fs::path& path, std::uintmax_t most) {
  const auto refuse = [&](const std::string& why) {
    throw BadNetwork("cannot read " + path.string() + ": " + why);
  };
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) refuse(error.message());
  if (!fs::is_regular_file(status)) refuse("it is not a regular file");
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) refuse(error.message());
  if (size > largest_network_file) refuse("it is longer than 1 GiB");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(games::system_reason(errno));
  std::string bytes(std::min(size, most), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (in.gcount() != static_cast<std::streamsize>(bytes.size()))
    refuse("it became shorter while it was read");
  return bytes;
}

}  // namespace

std::map<std::string, std::string> network_metadata(const NetworkFile& file) {
  Metadata metadata{{"format", format_name},
                    {"version", format_version},
                    {"game", file.game},
                    {"parameters", file.parameters},
                    {"architecture", shape_text(file.shape)},
                    {"layout", file.rereads_planes ? "reread" : "natural"}};
  for (const auto& [key, text] : {std::pair{"trainer", &file.trainer},
                                  {"procedure", &file.procedure},
                                  {"parent", &file.parent}}) {
    if (!text->empty()) metadata[key] = *text;
  }
  return metadata;
}

std::string network_bytes(const NetworkFile& file) {
  return safetensors_bytes({network_metadata(file), file.tensors});
}

NetworkFile parse_network(std::string_view bytes) {
  SafeTensors contents = parse_safetensors(bytes);
  const Metadata& metadata = contents.metadata;
  NetworkFile file;
  static_cast<NetworkGame&>(file) = game_of(metadata);
  file.shape = parse_shape(entry(metadata, "architecture"));
  file.trainer = entry(metadata, "trainer");
  file.procedure = entry(metadata, "procedure");
  file.parent = entry(metadata, "parent");
  const std::string layout = entry(metadata, "layout");
  if (layout != "natural" && layout != "reread") {
    throw BadNetwork("the network's planes have the unknown layout \"" + layout + "\"");
  }
  file.rereads_planes = layout == "reread";
  file.tensors = std::move(contents.tensors);
  return file;
}

std::string read_network_bytes(const fs::path& path) {
  return read_beginning(path, largest_network_file);
}

NetworkGame read_network_game(const fs::path& path) {
  return game_of(safetensors_metadata(read_beginning(path, longest_safetensors_beginning)));
}

}  // namespace pitboss::engine
