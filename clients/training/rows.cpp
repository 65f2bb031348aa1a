#include "clients/training/rows.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t length_bytes = 8;
constexpr std::uint64_t longest_header = 1 << 20;
constexpr std::uint16_t no_part = 65535;

/// Writes the tensors of a file one after the other.
class TensorWriter {
 public:
  explicit TensorWriter(const Metadata& metadata) { header_["__metadata__"] = metadata; }

  template <class T>
  void add(const char* name, const char* type, const std::vector<std::size_t>& shape,
           const std::vector<T>& numbers) {
    const std::size_t begin = data_.size();
    data_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
    header_[name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {begin, data_.size()}}};
  }

  [[nodiscard]] std::string bytes() const {
    std::string text = header_.dump();
    text.resize((text.size() + length_bytes - 1) / length_bytes * length_bytes, ' ');
    const std::uint64_t length = text.size();
    std::string all(length_bytes, '\0');
    std::memcpy(all.data(), &length, length_bytes);
    return all + text + data_;
  }

 private:
  Json header_;
  std::string data_;
};

/// One bit for each number, the lowest bit of a byte first.
void append_bits(const std::vector<float>& planes, std::vector<std::uint8_t>& out) {
  const std::size_t begin = out.size();
  out.resize(begin + (planes.size() + 7) / 8);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (planes[i] != 0) out[begin + i / 8] |= static_cast<std::uint8_t>(1U << (i % 8));
  }
}

/// The moves of all rows, in lists padded to equal length.
struct MoveLists {
  explicit MoveLists(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      length = std::max(length, std::min(row.moves.size(), most_row_moves));
      for (const Row::Choice& choice : row.moves) {
        parts = std::max(parts, static_cast<std::size_t>(choice.parts.size()));
      }
    }
    for (const Row& row : rows) append(row.moves);
  }

  std::size_t length = 1;
  std::size_t parts = 1;
  std::vector<std::uint16_t> moves;
  std::vector<std::uint16_t> visits;

 private:
  void append(std::vector<Row::Choice> choices) {
    if (choices.size() > most_row_moves) {
      std::ranges::stable_sort(choices, std::ranges::greater{}, &Row::Choice::visits);
      choices.erase(choices.begin() + most_row_moves, choices.end());
    }
    std::size_t place = moves.size();
    moves.resize(place + length * parts, no_part);
    for (const Row::Choice& choice : choices) {
      std::ranges::copy(choice.parts, moves.begin() + static_cast<std::ptrdiff_t>(place));
      place += parts;
      visits.push_back(choice.visits);
    }
    visits.resize(visits.size() + length - choices.size());
  }
};

[[noreturn]] void refuse(const std::string& what) {
  throw UserError("it is not a file of rows: " + what);
}

RowFileHead head_of(const Json& header, std::size_t data_size) {
  RowFileHead head;
  header.at("__metadata__").get_to(head.metadata);
  std::size_t end = 0;
  for (const auto& [name, entry] : header.items()) {
    if (name != "__metadata__")
      end = std::max(end, entry.at("data_offsets").at(1).get<std::size_t>());
  }
  if (end != data_size) refuse("it is cut off, or something follows it");
  head.rows = header.at("weight").at("shape").at(0).get<int>();
  return head;
}

}  // namespace

std::string row_file_bytes(const Metadata& metadata, const std::vector<Row>& rows) {
  std::vector<std::uint8_t> planes;
  std::vector<float> outcome;
  std::vector<float> root_value;
  std::vector<float> weight;
  std::vector<std::uint32_t> game;
  std::vector<std::uint16_t> ply;
  std::vector<std::uint16_t> plies_left;
  for (const Row& row : rows) {
    append_bits(row.planes, planes);
    outcome.insert(outcome.end(), row.outcome.begin(), row.outcome.end());
    root_value.insert(root_value.end(), row.root_value.begin(), row.root_value.end());
    weight.push_back(row.weight);
    game.push_back(row.game);
    ply.push_back(row.ply);
    plies_left.push_back(row.plies_left);
  }
  const MoveLists lists(rows);
  const std::size_t count = rows.size();
  const std::size_t colours = rows.empty() ? 0 : rows[0].outcome.size();
  TensorWriter writer(metadata);
  // The widest numbers first, so that each tensor is aligned to its numbers.
  writer.add("outcome", "F32", {count, colours}, outcome);
  writer.add("root_value", "F32", {count, colours}, root_value);
  writer.add("weight", "F32", {count}, weight);
  writer.add("game", "U32", {count}, game);
  writer.add("moves", "U16", {count, lists.length, lists.parts}, lists.moves);
  writer.add("visits", "U16", {count, lists.length}, lists.visits);
  writer.add("ply", "U16", {count}, ply);
  writer.add("plies_left", "U16", {count}, plies_left);
  writer.add("planes", "U8", {count, count == 0 ? 0 : planes.size() / count}, planes);
  return writer.bytes();
}

RowFileHead row_file_head(std::string_view bytes) {
  if (bytes.size() < length_bytes) refuse("it is cut off");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  if (length > longest_header) refuse("its header is too long");
  if (length > bytes.size() - length_bytes) refuse("it is cut off");
  try {
    const Json header = Json::parse(bytes.substr(length_bytes, length));
    return head_of(header, bytes.size() - length_bytes - length);
  } catch (const Json::exception&) {
    refuse("its header is damaged");
  }
}

}  // namespace pitboss::clients
