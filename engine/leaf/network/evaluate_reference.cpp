#include "engine/leaf/network/evaluate_reference.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/leaf/network/folded_layer.hpp"

namespace pitboss::engine {
namespace {

/// Channel by channel, each row by row; or the numbers of a dense layer.
using Numbers = std::vector<double>;

Numbers rectified(Numbers x) {
  for (double& number : x) number = number < 0 ? 0 : number;
  return x;
}

class Reference {
 public:
  Reference(const NetworkShape& shape, const Tensors& tensors) : shape_(shape), tensors_(tensors) {}

  /// Residual blocks, behind the stem if there is one.
  [[nodiscard]] Numbers body(Numbers x) const {
    if (shape_.stem) x = rectified(normalised("stem.bn", convolved("stem.conv", x)));
    for (int i = 0; i < shape_.blocks(); ++i) x = block(i, x);
    return x;
  }
  [[nodiscard]] Numbers value(const Numbers& x) const {
    if (shape_.heads == Heads::dense) return dense_head("value", x);
    const Numbers flat = rectified(normalised("value.bn", convolved("value.conv", x)));
    return dense("value.fc2", rectified(dense("value.fc1", flat)));
  }
  [[nodiscard]] Numbers policy(const Numbers& x) const {
    if (shape_.heads == Heads::dense) return dense_head("policy", x);
    return dense("policy.fc", rectified(normalised("policy.bn", convolved("policy.conv", x))));
  }

 private:
  [[nodiscard]] const Tensor& tensor(const std::string& name) const {
    return tensors_.find(name)->second;
  }

  [[nodiscard]] Numbers block(int i, const Numbers& x) const {
    const std::string name = "blocks." + std::to_string(i);
    const Numbers half = rectified(normalised(name + ".bn1", convolved(name + ".conv1", x)));
    Numbers sum = normalised(name + ".bn2", convolved(name + ".conv2", half));
    const Numbers skip = shape_.has_skip_convolution(i)
                             ? normalised(name + ".skip_bn", convolved(name + ".skip", x))
                             : x;
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += skip[p];
    return rectified(std::move(sum));
  }

  [[nodiscard]] Numbers dense_head(const std::string& name, const Numbers& x) const {
    return dense(name + ".fc2", rectified(normalised(name + ".bn", dense(name + ".fc1", x))));
  }

  [[nodiscard]] Numbers dense(const std::string& name, const Numbers& x) const {
    const auto& weights = tensor(name + ".weight").data;
    const auto& bias = tensor(name + ".bias").data;
    Numbers y(bias.begin(), bias.end());
    auto weight = weights.begin();
    for (double& sum : y) {
      for (const double number : x) sum += number * *weight++;
    }
    return y;
  }

  [[nodiscard]] Numbers convolved(const std::string& name, const Numbers& x) const {
    const auto& sizes = tensor(name + ".weight").shape;
    const auto& weights = tensor(name + ".weight").data;
    const int inputs = sizes[1];
    const int side = sizes[2];
    const auto inside = [&](int row, int column) {
      return row >= 0 && row < shape_.rows && column >= 0 && column < shape_.columns;
    };
    Numbers y;
    for (int o = 0; o < sizes[0]; ++o) {
      for (int p = 0; p < shape_.points(); ++p) {
        double sum = tensor(name + ".bias").data[o];
        auto weight = weights.begin() + o * inputs * side * side;
        for (int i = 0; i < inputs; ++i) {
          for (int k = 0; k < side * side; ++k, ++weight) {
            const int row = p / shape_.columns + k / side - side / 2;
            const int column = p % shape_.columns + k % side - side / 2;
            if (!inside(row, column)) continue;
            sum += *weight * x[i * shape_.points() + row * shape_.columns + column];
          }
        }
        y.push_back(sum);
      }
    }
    return y;
  }

  [[nodiscard]] Numbers normalised(const std::string& name, Numbers x) const {
    const std::size_t channels = tensor(name + ".weight").data.size();
    const std::size_t each = x.size() / channels;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t c = i / each;
      const double deviation = std::sqrt(tensor(name + ".running_var").data[c] + norm_epsilon);
      x[i] = (x[i] - tensor(name + ".running_mean").data[c]) / deviation *
                 tensor(name + ".weight").data[c] +
             tensor(name + ".bias").data[c];
    }
    return x;
  }

  const NetworkShape& shape_;
  const Tensors& tensors_;
};

float* write(const Numbers& numbers, float* out) {
  return std::ranges::transform(numbers, out, [](double x) { return static_cast<float>(x); }).out;
}

}  // namespace

void evaluate_reference(const NetworkShape& shape, const Tensors& tensors, const float* planes,
                        int batch, float* values, float* policy) {
  check(shape, tensors);
  const Reference reference(shape, tensors);
  const int inputs = shape.planes * shape.points();
  for (int b = 0; b < batch; ++b, planes += inputs) {
    const Numbers body = reference.body(Numbers(planes, planes + inputs));
    values = write(reference.value(body), values);
    policy = write(reference.policy(body), policy);
  }
}

}  // namespace pitboss::engine
