#include "server/metrics/families.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace pitboss::server {

namespace {

using Json = nlohmann::ordered_json;
using Labels = std::vector<std::pair<std::string, std::string>>;

std::string number_text(double value) {
  constexpr double least = 1e-6;
  constexpr double most = 1e15;
  const double size = std::abs(value);
  const auto format = size == 0 || (size >= least && size < most) ? std::chars_format::fixed
                                                                  : std::chars_format::general;
  std::array<char, 64> text;
  const char* const end = std::to_chars(text.data(), text.data() + text.size(), value, format).ptr;
  return std::string(text.data(), static_cast<std::size_t>(end - text.data()));
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '"') result += '\\';
    c == '\n' ? result += "\\n" : result += c;
  }
  return result;
}

std::string line(const std::string& name, const Labels& labels, double value) {
  std::string text = name;
  for (const auto& [label, content] : labels) {
    text += (&label == &labels.front().first ? '{' : ',') + label + "=\"" + escaped(content) + '"';
  }
  if (!labels.empty()) text += '}';
  return text + ' ' + number_text(value) + '\n';
}

std::string histogram_lines(const std::string& name, const Labels& labels,
                            const Histogram& histogram) {
  std::string text;
  double all = 0;
  for (std::size_t i = 0; i <= Histogram::bounds.size(); ++i) {
    const bool is_last = i == Histogram::bounds.size();
    all = static_cast<double>(histogram.up_to(i));
    Labels with_bound = labels;
    with_bound.emplace_back("le", is_last ? "+Inf" : number_text(Histogram::bounds[i]));
    text += line(name + "_bucket", with_bound, all);
  }
  return text + line(name + "_sum", labels, histogram.seconds()) +
         line(name + "_count", labels, all);
}

Json json_number(double value) {
  constexpr double exact = 9e15;
  if (std::abs(value) < exact && value == std::floor(value)) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

Json json_of(const Family::Sample& sample) {
  if (sample.histogram == nullptr) return json_number(sample.value);
  Json buckets = Json::object();
  for (std::size_t i = 0; i < Histogram::bounds.size(); ++i) {
    buckets[number_text(Histogram::bounds[i])] = sample.histogram->up_to(i);
  }
  return {{"count", sample.histogram->up_to(Histogram::bounds.size())},
          {"sum", sample.histogram->seconds()},
          {"le", std::move(buckets)}};
}

}  // namespace

std::string prometheus_text(const std::vector<Family>& families) {
  constexpr std::array types{"counter", "gauge", "histogram"};
  std::string text;
  for (const Family& family : families) {
    text += "# HELP " + family.name + ' ' + family.help + '\n';
    text += "# TYPE " + family.name + ' ' + types[static_cast<std::size_t>(family.type)] + '\n';
    for (const Family::Sample& sample : family.samples) {
      const Labels labels = family.label.empty() ? Labels{} : Labels{{family.label, sample.label}};
      text += sample.histogram == nullptr ? line(family.name, labels, sample.value)
                                          : histogram_lines(family.name, labels, *sample.histogram);
    }
  }
  return text;
}

std::string json_text(const std::vector<Family>& families) {
  Json json = Json::object();
  for (const Family& family : families) {
    Json& entry = json[family.name] = Json::object();
    for (const Family::Sample& sample : family.samples) {
      family.label.empty() ? entry = json_of(sample) : entry[sample.label] = json_of(sample);
    }
  }
  // A URL of the configuration may hold any bytes.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pitboss::server
