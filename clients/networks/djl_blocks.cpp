#include "clients/networks/djl_blocks.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace pitboss::clients {

using engine::BadNetwork;
using engine::Tensor;
using engine::Tensors;

static_assert(std::endian::native == std::endian::little);

namespace {

constexpr int most_shapes = 64;
constexpr int most_dimensions = 8;
constexpr int most_blocks = 256;

/// The versions of the kinds of blocks.
constexpr int sequential_without_flag = 2;
constexpr int sequential_with_flag = 3;
constexpr int plain = 2;  ///< a block without parameters, or a batch normalisation
constexpr int convolution = 3;
constexpr int dense = 4;
constexpr int parameter = 1;
constexpr int array = 3;

using Sizes = std::vector<std::int64_t>;

[[noreturn]] void refuse(const std::string& why) {
  throw BadNetwork("the file is not a network of the novelty authors' program: " + why);
}

/// Reads a file from its beginning. Numbers are big-endian.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes), length_(bytes.size()) {}

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size()) refuse("it ends too early, or has a length that is too large");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  template <class Number>
  Number number() {
    std::uint64_t bits = 0;
    for (const char c : take(sizeof(Number))) bits = bits << 8 | static_cast<unsigned char>(c);
    return static_cast<Number>(bits);
  }
  int byte() { return number<std::uint8_t>(); }
  std::string_view text() { return take(number<std::uint16_t>()); }

  [[nodiscard]] int next() const {
    return bytes_.empty() ? -1 : static_cast<unsigned char>(bytes_.front());
  }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  /// The place of the next byte.
  [[nodiscard]] std::size_t place() const { return length_ - bytes_.size(); }

 private:
  std::string_view bytes_;  ///< not yet taken
  std::size_t length_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  DjlBlocks network() {
    std::vector<Sizes> inputs = sequential();  // the body, then the heads
    if (inputs.size() != 1 || inputs[0].size() != 4) refuse("its input is not planes of a board");
    sequential();  // the body's blocks
    for (int block = 0;; ++block) {
      container();  // a residual block; or the flattening of the body's output
      container();  // the block's two branches; or the two heads
      sequential();
      if (bytes_.next() == dense) break;
      if (block == most_blocks) refuse("it has more than 256 residual blocks");
      branches("blocks." + std::to_string(block));
    }
    head("value");
    sequential();
    head("policy");
    if (!bytes_.empty()) refuse("something follows its policy head");
    return {std::move(inputs[0]), std::move(tensors_)};
  }

 private:
  /// Reads both branches; the first branch's sequence has begun.
  void branches(const std::string& name) {
    layer(name + ".conv1");
    normalisation(name + ".bn1");
    container();  // relu
    layer(name + ".conv2");
    normalisation(name + ".bn2");
    sequential();
    layer(name + ".skip");
    normalisation(name + ".skip_bn");
  }
  /// Reads a head, whose sequence has begun.
  void head(const std::string& name) {
    dense_layer(name + ".fc1");
    normalisation(name + ".bn");
    container();  // relu
    dense_layer(name + ".fc2");
  }

  /// Returns the shapes of its inputs.
  std::vector<Sizes> sequential() {
    const std::size_t place = bytes_.place();
    const int version = bytes_.byte();
    if (version != sequential_without_flag && version != sequential_with_flag) {
      refuse_version("a sequence", place, version);
    }
    std::vector<Sizes> inputs = shapes();
    if (version == sequential_with_flag && bytes_.byte() != 0) {
      refuse("a sequence gives what is between its blocks too");
    }
    return inputs;
  }
  /// Reads a block without parameters: a wrapper, branches side by side, a function.
  void container() {
    expect_version("a block without parameters", plain);
    shapes();
  }
  void layer(const std::string& name) {
    expect_version("the convolution " + name, convolution);
    shapes();
    add(name + ".weight", "weight", 4);
    add(name + ".bias", "bias", 1);
  }
  void dense_layer(const std::string& name) {
    expect_version("the dense layer " + name, dense);
    const auto outputs = bytes_.number<std::int64_t>();
    const auto inputs = bytes_.number<std::int64_t>();
    shape();  // the shape before the inputs
    const Tensor& weight = add(name + ".weight", "weight", 2);
    if (weight.shape[0] != outputs || weight.shape[1] != inputs) {
      refuse("the weights of " + name + " have another shape than the layer");
    }
    add(name + ".bias", "bias", 1);
  }
  void normalisation(const std::string& name) {
    expect_version("the batch normalisation " + name, plain);
    shapes();
    const auto channels = bytes_.number<std::int64_t>();
    for (const auto& [ours, theirs] : {std::pair{".weight", "gamma"},
                                       {".bias", "beta"},
                                       {".running_mean", "runningMean"},
                                       {".running_var", "runningVar"}}) {
      if (add(name + ours, theirs, 1).shape[0] != channels) {
        refuse(name + ours + " has another length than its batch normalisation");
      }
    }
  }

  /// Reads the parameter that their program names `theirs` in its block.
  const Tensor& add(const std::string& name, std::string_view theirs, std::size_t dimensions) {
    Tensor tensor = read_parameter(name, theirs);
    if (tensor.shape.size() != dimensions) {
      refuse(name + " has " + std::to_string(tensor.shape.size()) + " dimensions instead of " +
             std::to_string(dimensions));
    }
    return tensors_[name] = std::move(tensor);
  }

  Tensor read_parameter(const std::string& name, std::string_view theirs) {
    const int kind = bytes_.number<std::uint16_t>();
    if (kind == 'N') refuse(name + " is not initialised: the network has never been made ready");
    if (kind != 'P') refuse("the parameter " + name + " is missing");
    expect_version("the parameter " + name, parameter);
    if (bytes_.text() != theirs) refuse(name + " is not named " + std::string(theirs));
    expect_text("NDAR", name);
    if (bytes_.number<std::int32_t>() != array) refuse(name + " is in another version of arrays");
    const int has_name = bytes_.byte();
    if (has_name > 1) refuse(name + " has a wrong mark of whether it has a name");
    if (has_name == 1) bytes_.text();
    expect_text("DENSE", name);
    expect_text("FLOAT32", name);
    const Sizes sizes = shape();
    if (bytes_.byte() != '<') refuse(name + " has numbers that are not little-endian");
    return numbers(name, sizes);
  }

  Tensor numbers(const std::string& name, const Sizes& sizes) {
    const auto length = bytes_.number<std::int32_t>();
    const auto data = bytes_.take(static_cast<std::uint32_t>(length));
    const std::uint64_t count = data.size() / sizeof(float);
    Tensor tensor;
    std::uint64_t product = 1;  // at most count, which is below 2^30
    for (const std::int64_t size : sizes) {
      if (size < 1 || static_cast<std::uint64_t>(size) > count / product) {
        refuse(name + " has data of another size than its shape tells");
      }
      product *= static_cast<std::uint64_t>(size);
      tensor.shape.push_back(static_cast<int>(size));
    }
    if (product * sizeof(float) != data.size())
      refuse(name + " has data of another size than its shape tells");
    tensor.data.resize(count);
    std::memcpy(tensor.data.data(), data.data(), data.size());
    return tensor;
  }

  /// A shape may have no dimensions, and unknown or zero lengths; `add` checks the shapes of
  /// arrays.
  Sizes shape() {
    Sizes sizes(count("dimensions", most_dimensions));
    for (std::int64_t& size : sizes) size = bytes_.number<std::int64_t>();
    bytes_.take(2 * count("letters for dimensions", most_dimensions));
    return sizes;
  }
  /// The input shapes that the block was initialised for; every block but a dense layer has them.
  std::vector<Sizes> shapes() {
    std::vector<Sizes> all(count("shapes", most_shapes));
    for (Sizes& sizes : all) sizes = shape();
    return all;
  }
  std::size_t count(const std::string& what, int most) {
    const std::size_t place = bytes_.place();
    const auto count = bytes_.number<std::int32_t>();
    if (count < 0 || count > most) {
      refuse("it has " + std::to_string(count) + " " + what + at(place));
    }
    return static_cast<std::size_t>(count);
  }

  void expect_text(std::string_view text, const std::string& name) {
    if (bytes_.text() != text) refuse(name + " is not a dense array of 32-bit floats");
  }
  void expect_version(const std::string& what, int version) {
    const std::size_t place = bytes_.place();
    const int found = bytes_.byte();
    if (found != version) refuse_version(what, place, found);
  }
  [[noreturn]] static void refuse_version(const std::string& what, std::size_t place, int found) {
    refuse("expected " + what + at(place) + ", but not of version " + std::to_string(found));
  }
  static std::string at(std::size_t place) { return " at byte " + std::to_string(place); }

  Bytes bytes_;
  Tensors tensors_;
};

}  // namespace

DjlBlocks read_djl_blocks(std::string_view bytes) { return Reader(bytes).network(); }

}  // namespace pitboss::clients
