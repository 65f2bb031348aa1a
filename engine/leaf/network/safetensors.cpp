#include "engine/leaf/network/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

namespace pitboss::engine {

static_assert(std::endian::native == std::endian::little);

namespace {

using Json = nlohmann::json;

constexpr std::size_t length_bytes = 8;
constexpr std::size_t longest_header = longest_safetensors_beginning - length_bytes;
constexpr const char* metadata_key = "__metadata__";
constexpr std::size_t most_tensors = 4096;
constexpr std::size_t most_dimensions = 8;
constexpr int deepest_header = 4;
constexpr std::size_t longest_type = 20;

[[noreturn]] void refuse(const std::string& why) {
  throw BadNetwork("the file is not in safetensors format: " + why);
}

/// Where the numbers of a tensor lie, from the end of the header on.
struct Place {
  std::uint64_t begin;
  std::uint64_t end;
};

/// The text of the header at the beginning of a file.
std::string_view header_text(std::string_view bytes) {
  if (bytes.size() < length_bytes) refuse("it is shorter than 8 bytes");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  if (length > longest_header || length > bytes.size() - length_bytes) {
    refuse("its header is longer than the file or 1 MiB");
  }
  return bytes.substr(length_bytes, length);
}

/// A header, without recursion deeper than its format needs.
Json parse_header(std::string_view text) {
  int depth = 0;
  const auto is_shallow = [&](int at, Json::parse_event_t, Json&) {
    depth = std::max(depth, at);
    return depth <= deepest_header;
  };
  Json header = Json::parse(text, is_shallow, false);
  if (depth > deepest_header || !header.is_object()) refuse("its header is not a JSON object");
  return header;
}

std::uint64_t whole(const Json& number, const std::string& name) {
  if (!number.is_number_unsigned())
    refuse("tensor " + name + " has a length that is not a whole number");
  return number.get<std::uint64_t>();
}

/// The shape of a tensor whose numbers are `count`.
std::vector<int> shape_of(const Json& entry, const std::string& name, std::uint64_t count) {
  const auto found = entry.find("shape");
  if (found == entry.end() || !found->is_array() || found->size() > most_dimensions) {
    refuse("tensor " + name + " has no shape");
  }
  std::vector<int> shape;
  std::uint64_t product = 1;
  for (const Json& length : *found) {
    const std::uint64_t n = whole(length, name);
    if (n == 0 || n > count)
      refuse("tensor " + name + " has data of another size than its shape tells");
    product *= n;  // at most count * count, which is below 2^64: files are below 2^34 bytes
    if (product > count)
      refuse("tensor " + name + " has data of another size than its shape tells");
    shape.push_back(static_cast<int>(n));
  }
  if (product != count) refuse("tensor " + name + " has data of another size than its shape tells");
  return shape;
}

Place place_of(const Json& entry, const std::string& name, std::uint64_t size) {
  const auto found = entry.find("data_offsets");
  if (found == entry.end() || !found->is_array() || found->size() != 2) {
    refuse("tensor " + name + " has no data_offsets");
  }
  const Place place{whole((*found)[0], name), whole((*found)[1], name)};
  if (place.begin > place.end || place.end > size) {
    refuse("tensor " + name + " lies outside of the file");
  }
  return place;
}

std::map<std::string, std::string> metadata_of(const Json& entry) {
  std::map<std::string, std::string> metadata;
  if (!entry.is_object()) refuse("its __metadata__ is not a JSON object");
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) refuse("its __metadata__ has a value that is not a text");
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

Tensor read_tensor(const Json& entry, const std::string& name, std::string_view data,
                   std::vector<Place>& places) {
  const Json type = entry.is_object() ? entry.value("dtype", Json()) : Json();
  if (!type.is_string()) refuse("tensor " + name + " has no dtype");
  if (type != "F32") {
    throw BadNetwork("tensor " + name + " has numbers of the type " +
                     type.get<std::string>().substr(0, longest_type) +
                     "; a network for Pitboss has 32-bit floats (F32)");
  }
  const Place place = place_of(entry, name, data.size());
  const std::uint64_t bytes = place.end - place.begin;
  if (bytes % sizeof(float) != 0)
    refuse("tensor " + name + " has a size that is not a whole number of floats");
  Tensor tensor;
  tensor.shape = shape_of(entry, name, bytes / sizeof(float));
  tensor.data.resize(bytes / sizeof(float));
  std::memcpy(tensor.data.data(), data.data() + place.begin, bytes);
  places.push_back(place);
  return tensor;
}

void expect_no_gaps(std::vector<Place> places, std::uint64_t size) {
  std::ranges::sort(places, {}, &Place::begin);
  std::uint64_t at = 0;
  for (const Place& place : places) {
    if (place.begin != at) refuse("its tensors overlap or leave gaps");
    at = place.end;
  }
  if (at != size) refuse("its tensors do not fill the file");
}

}  // namespace

std::map<std::string, std::string> safetensors_metadata(std::string_view bytes) {
  const Json header = parse_header(header_text(bytes));
  const auto found = header.find(metadata_key);
  if (found == header.end()) return {};
  return metadata_of(*found);
}

SafeTensors parse_safetensors(std::string_view bytes) {
  const std::string_view text = header_text(bytes);
  const Json header = parse_header(text);
  if (header.size() > most_tensors + 1) refuse("it has more than 4096 tensors");
  const std::string_view data = bytes.substr(length_bytes + text.size());
  SafeTensors file;
  std::vector<Place> places;
  for (const auto& [name, entry] : header.items()) {
    if (name == metadata_key) {
      file.metadata = metadata_of(entry);
    } else {
      file.tensors[name] = read_tensor(entry, name, data, places);
    }
  }
  expect_no_gaps(std::move(places), data.size());
  return file;
}

std::string safetensors_bytes(const SafeTensors& file) {
  Json header = Json::object();
  if (!file.metadata.empty()) header[metadata_key] = file.metadata;
  std::string data;
  for (const auto& [name, tensor] : file.tensors) {
    const std::size_t begin = data.size();
    data.append(reinterpret_cast<const char*>(tensor.data.data()),
                tensor.data.size() * sizeof(float));
    header[name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.dump();
  text.resize((text.size() + length_bytes - 1) / length_bytes * length_bytes, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(length_bytes, '\0');
  std::memcpy(bytes.data(), &length, length_bytes);
  return bytes + text + data;
}

}  // namespace pitboss::engine
