#include "clients/experiments/sprt_settings.hpp"

#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/experiments/setting_rows.hpp"
#include "clients/experiments/user_error.hpp"
#include "games/bad_game.hpp"
#include "games/parameters.hpp"

namespace pitboss::clients {

namespace {

constexpr std::array sprt_rows{
    setting("elo0", &SprtPlan::elo0, -1000, 1000),
    setting("elo1", &SprtPlan::elo1, -1000, 1000),
    setting("alpha", &SprtPlan::alpha, 0, 1),
    setting("beta", &SprtPlan::beta, 0, 1),
};

}  // namespace

SprtPlan sprt_of(const Setting& table) {
  std::vector<std::string_view> keys{"model"};
  add_keys(sprt_rows, keys);
  table.expect_keys(keys);
  for (const char* const needed : {"elo0", "elo1"}) static_cast<void>(table.at(needed));
  SprtPlan plan;
  read_rows(table, sprt_rows, plan);
  if (const Setting* const s = table.find("model")) {
    std::string model;
    read_value(*s, {.choices = "normalized, logistic"}, model);
    plan.model = *elo_model_named(model);
  }
  return plan;
}

Setting sprt_words(const std::string& words) {
  const auto source = std::make_shared<const std::string>("--sprt");
  Setting::Table table;
  try {
    const games::Parameters given = games::parse_parameters(words);
    for (const auto& [name, value] : given.values()) {
      table.emplace_back(source, Setting::no_line, name, typed_value(value));
    }
  } catch (const games::BadGame& e) {
    throw UserError(*source + ": " + e.what());
  }
  return Setting::of_command_line("sprt", std::move(table));
}

}  // namespace pitboss::clients
