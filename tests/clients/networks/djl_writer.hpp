#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/leaf/network/network_shape.hpp"
#include "engine/leaf/network/tensor.hpp"

namespace pitboss::clients {

/// Writes a network's tensors as the novelty authors' program does: what the reader is tested with.
class DjlWriter {
 public:
  /// What programs of different years, or for other tensors, write differently.
  struct Habits {
    int sequential = 3;  ///< the version; from 3 on a flag follows
    bool flag = false;   ///< that a sequence gives what is between its blocks too
    bool array_names = false;
    char initialised = 'P';
    char order = '<';
    std::string type = "FLOAT32";
    std::string layout = "DENSE";
  };

  explicit DjlWriter(Habits habits) : habits_(std::move(habits)) {}

  [[nodiscard]] std::string network(const engine::NetworkShape& shape,
                                    const engine::Tensors& tensors) {
    tensors_ = &tensors;
    // What later shapes say is of no use to the reader: some have letters, some none, some no
    // sizes.
    const std::vector<int> input{1, shape.planes, shape.rows, shape.columns};
    sequential({input});
    sequential({input});
    for (int i = 0; i < shape.blocks(); ++i) block("blocks." + std::to_string(i), input);
    plain({input});
    plain({{1, -1}, {}});
    head("value");
    head("policy");
    return bytes_;
  }

  /// A number of so many bytes.
  void number(std::uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) bytes_ += static_cast<char>(value >> 8 * i);
  }
  void text(std::string_view text) {
    number(text.size(), 2);
    bytes_ += text;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  using Shape = std::vector<int>;

  void block(const std::string& name, const Shape& input) {
    plain({input});
    plain({input, input});
    sequential({input});
    convolution(name + ".conv1");
    normalisation(name + ".bn1");
    plain({});
    convolution(name + ".conv2");
    normalisation(name + ".bn2");
    sequential({input});
    convolution(name + ".skip");
    normalisation(name + ".skip_bn");
  }
  void head(const std::string& name) {
    sequential({{1, 16}});
    dense(name + ".fc1");
    normalisation(name + ".bn");
    plain({{}});
    dense(name + ".fc2");
  }

  void sequential(const std::vector<Shape>& inputs) {
    number(habits_.sequential, 1);
    shapes(inputs);
    if (habits_.sequential >= 3) number(habits_.flag ? 1 : 0, 1);
  }
  void plain(const std::vector<Shape>& inputs) {
    number(2, 1);
    shapes(inputs);
  }
  void convolution(const std::string& name) {
    number(3, 1);
    shapes({{1, 4, 8, 8}});
    parameter(name + ".weight", "weight");
    parameter(name + ".bias", "bias");
  }
  void normalisation(const std::string& name) {
    number(2, 1);
    shapes({{1, 4, 8, 8}});
    number(tensor(name + ".weight").data.size(), 8);
    parameter(name + ".weight", "gamma");
    parameter(name + ".bias", "beta");
    parameter(name + ".running_mean", "runningMean");
    parameter(name + ".running_var", "runningVar");
  }
  void dense(const std::string& name) {
    const Shape& sizes = tensor(name + ".weight").shape;
    number(4, 1);  // no shapes follow, as they do in other blocks
    number(sizes[0], 8);
    number(sizes[1], 8);
    shape({1});
    parameter(name + ".weight", "weight");
    parameter(name + ".bias", "bias");
  }

  void parameter(const std::string& name, std::string_view theirs) {
    number(static_cast<unsigned char>(habits_.initialised), 2);
    number(1, 1);
    text(theirs);
    text("NDAR");
    number(3, 4);
    number(habits_.array_names ? 1 : 0, 1);
    if (habits_.array_names) text("an array");
    text(habits_.layout);
    text(habits_.type);
    const engine::Tensor& numbers = tensor(name);
    shape(numbers.shape);
    bytes_ += habits_.order;
    const std::size_t length = numbers.data.size() * sizeof(float);
    number(length, 4);
    bytes_.append(reinterpret_cast<const char*>(numbers.data.data()), length);
  }

  void shapes(const std::vector<Shape>& all) {
    number(all.size(), 4);
    for (const Shape& one : all) shape(one);
  }
  void shape(const Shape& sizes) {
    number(sizes.size(), 4);
    for (const int size : sizes) number(static_cast<std::uint64_t>(std::int64_t{size}), 8);
    number(sizes.size(), 4);
    for (std::size_t i = 0; i < sizes.size(); ++i) number('?', 2);
  }

  [[nodiscard]] const engine::Tensor& tensor(const std::string& name) const {
    return tensors_->at(name);
  }

  Habits habits_;
  const engine::Tensors* tensors_ = nullptr;
  std::string bytes_;
};

}  // namespace pitboss::clients
