#include "clients/players/search_value.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace pitboss::clients {

namespace {

/// Follows {"move": M, "moves": [{"move": M, "value": V, ...}, ...]}, and stops at V.
class SearchReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::optional<double> value;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t number) override {
    return take(static_cast<double>(number));
  }
  bool number_unsigned(number_unsigned_t number) override {
    return take(static_cast<double>(number));
  }
  bool number_float(number_float_t number, const string_t&) override { return take(number); }
  bool string(string_t& text) override {
    if (key_ == "move" && depth_ == 1) chosen_ = text;
    if (key_ == "move" && depth_ == 2 && in_moves_) is_chosen_ = text == chosen_;
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    ++depth_;
    is_chosen_ = false;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ == 1) in_moves_ = key_ == "moves";
    return true;
  }
  bool end_array() override { return true; }
  bool key(string_t& name) override {
    key_ = name;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  bool take(double number) {
    if (key_ != "value" || depth_ != 2 || !is_chosen_) return true;
    if (number >= 0 && number <= 1) value = number;
    return false;
  }

  int depth_ = 0;
  bool in_moves_ = false;
  bool is_chosen_ = false;
  std::string key_;
  std::string chosen_;
};

}  // namespace

std::optional<double> value_in_search(std::string_view json) {
  SearchReader reader;
  nlohmann::json::sax_parse(json, &reader);
  return reader.value;
}

}  // namespace pitboss::clients
