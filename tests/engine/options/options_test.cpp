#include "engine/options/options.hpp"

#include <doctest/doctest.h>

#include <iomanip>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>

#include "tests/documents.hpp"

using namespace pitboss::engine;

TEST_CASE("option_rows: every default is within its row's range and reads back") {
  const Options defaults;
  for (const OptionRow& row : option_rows()) {
    CAPTURE(row.name);
    Options changed;
    CHECK_NOTHROW(set_option(changed, row.name, get_option(defaults, row.name)));
    CHECK(get_option(changed, row.name) == get_option(defaults, row.name));
    CHECK_FALSE(row.help.empty());
    CHECK_FALSE(row.source.empty());
  }
}

TEST_CASE("simulation_bound: time lifts the default, and nothing that was set") {
  const auto bound = [](std::string_view assignments, bool has_clock = false) {
    Options options;
    for (const auto& [name, value] : parse_assignments(assignments)) {
      set_option(options, name, value);
    }
    if (!has_clock) {  // what is told is what holds
      CHECK(get_option(options, "simulations") == std::to_string(simulation_bound(options, false)));
    }
    return simulation_bound(options, has_clock);
  };
  CHECK(bound("") == 5000);
  CHECK(bound("movetime=0") == 5000);
  CHECK(bound("movetime=25") == 0);
  CHECK(bound("cputime=25") == 0);
  CHECK(bound("", true) == 0);
  for (const bool has_clock : {false, true}) {
    CHECK(bound("simulations=5000 movetime=25", has_clock) == 5000);
    CHECK(bound("movetime=25 simulations=7", has_clock) == 7);
    CHECK(bound("simulations=0", has_clock) == 0);
    for (const PresetRow& preset : preset_rows()) {
      CAPTURE(preset.name);
      CHECK(bound("movetime=25 preset=" + std::string(preset.name), has_clock) == 0);
    }
  }
  Options options;
  set_option(options, "movetime", "25");
  set_option(options, "movetime", "0");
  CHECK(simulation_bound(options, false) == 5000);
}

TEST_CASE("set_option") {
  Options o;
  CHECK(set_option(o, "alpha", "0.25") == Effect::live);
  CHECK(o.alpha == 0.25);
  CHECK(set_option(o, "ALPHA", "1e-3") == Effect::live);
  CHECK(o.alpha == 0.001);
  CHECK(set_option(o, "novelty", "Threshold") == Effect::next_search);
  CHECK(o.novelty == Novelty::threshold);
  CHECK(set_option(o, "virtual_samples", "off") == Effect::next_search);
  CHECK_FALSE(o.virtual_samples);
  CHECK(set_option(o, "movetime", "86400000") == Effect::live);
  CHECK(o.movetime_ms == 86400000);
}

TEST_CASE("set_option refuses and changes nothing") {
  struct Row {
    const char *name, *value, *expected;
  };
  for (const Row& r :
       {Row{"alpha", "-1", "from 0 to 1000"}, Row{"alpha", "1001", "from 0 to 1000"},
        Row{"alpha", "nan", "a number"}, Row{"alpha", "inf", "a number"},
        Row{"alpha", "1x", "a number"}, Row{"alpha", "", "a number"},
        Row{"alpha", "0x10", "a number"}, Row{"gamma", "1.5", "from 0 to 1"},
        Row{"simulations", "12.5", "a whole number"}, Row{"simulations", "-5", "from 0 to"},
        Row{"simulations", "99999999999999999999", "a whole number"},
        Row{"tree_mb", "0", "from 1 to"}, Row{"novelty", "very", "one of none"},
        Row{"virtual_samples", "maybe", "true or false"}, Row{"preset", "best", "one of reference"},
        Row{"kappa", "1", "unknown option 'kappa'"}}) {
    CAPTURE(r.name);
    CAPTURE(r.value);
    Options o;
    o.alpha = 0.5;
    const Options before = o;
    try {
      set_option(o, r.name, r.value);
      FAIL("accepted");
    } catch (const BadOption& bad) {
      CHECK(std::string(bad.what()).find(r.expected) != std::string::npos);
    }
    CHECK(o == before);
  }
}

TEST_CASE("presets") {
  Options o;
  set_option(o, "preset", "paper");
  CHECK(o.selection == Selection::ucb1);
  CHECK(o.final_move == FinalMove::value);
  CHECK_FALSE(o.virtual_samples);
  set_option(o, "preset", "reference");
  CHECK(o.selection == Selection::ucb1_tuned);
  CHECK(o.final_move == FinalMove::visits);
  CHECK(o.virtual_samples);
  CHECK(o == Options{});  // the defaults are the reference
  CHECK(preset_rows().front().name == "reference");
  set_option(o, "k", "0.7");
  set_option(o, "preset", "control");
  CHECK(o.novelty == Novelty::pseudocount);
  CHECK(o.alpha == 0);
  CHECK(o.k == 0.7);
  set_option(o, "preset", "quality-rewards");
  CHECK(o.selection == Selection::ucb1);
  CHECK(o.evaluation == EvaluatorKind::playout);
  CHECK(o.solver);
  CHECK_FALSE(o.relative_bonus);
}

namespace {

/// Options of which none is as in the others that this makes for `is_last`: of words the first or
/// the last, of numbers the least or the greatest.
Options extremes(bool is_last) {
  Options o;
  for (const OptionRow& row : option_rows()) {
    if (row.name == "preset") continue;
    if (std::holds_alternative<std::string Options::*>(row.field)) {
      set_option(o, row.name, is_last ? "last" : "first");
    } else if (std::holds_alternative<bool Options::*>(row.field)) {
      set_option(o, row.name, is_last ? "true" : "false");
    } else if (!row.choices.empty()) {
      set_option(o, row.name, is_last ? row.choices.back() : row.choices.front());
    } else {
      std::ostringstream number;
      number << std::setprecision(17) << (is_last ? row.max : row.min);
      set_option(o, row.name, number.str());
    }
  }
  return o;
}

/// "name=value" of the options that are the same in both, separated by blanks.
std::string in_common(const Options& one, const Options& other) {
  std::string text;
  for (const OptionRow& row : option_rows()) {
    const std::string value = get_option(one, row.name);
    if (value != get_option(other, row.name)) continue;
    text += (text.empty() ? "" : " ") + std::string(row.name) + "=" + value;
  }
  return text;
}

}  // namespace

TEST_CASE("a preset sets these options, whatever they were, and no other") {
  struct Row {
    std::string_view preset, sets;
  };
  const Row rows[] = {
      {"reference",
       "novelty_mix=convex selection=ucb1-tuned evaluation_noise=0 prior=network mast=0 "
       "relative_bonus=false "
       "qualitative_bonus=false solver=false knowledge=0 exact=false estimators=none "
       "final_move=visits "
       "virtual_samples=true virtual_value=0.5 split_moves=false "
       "reuse_tree=false"},
      {"paper",
       "novelty_mix=convex selection=ucb1 evaluation_noise=0 prior=network mast=0 "
       "relative_bonus=false "
       "qualitative_bonus=false solver=false knowledge=0 exact=false estimators=none "
       "final_move=value "
       "virtual_samples=false split_moves=false"},
      {"control",
       "alpha=0 novelty=pseudocount novelty_mix=convex selection=ucb1-tuned evaluation_noise=0 "
       "prior=network mast=0 "
       "relative_bonus=false qualitative_bonus=false solver=false knowledge=0 exact=false "
       "estimators=none "
       "final_move=visits virtual_samples=true virtual_value=0.5 split_moves=false "
       "reuse_tree=false"},
      {"quality-rewards",
       "novelty=none novelty_mix=convex selection=ucb1 evaluation=playout evaluation_noise=0 "
       "prior=network mast=0 "
       "relative_bonus=false qualitative_bonus=false solver=true knowledge=0 exact=false "
       "estimators=none "
       "final_move=visits virtual_samples=false split_moves=false reuse_tree=false"},
      {"reference-network",
       "novelty_mix=convex selection=puct evaluation=network evaluation_noise=0 prior=network "
       "prior_mask=all "
       "prior_temperature=1 network_symmetry=none root_noise=0 mast=0 relative_bonus=false "
       "qualitative_bonus=false solver=false knowledge=0 exact=false estimators=none "
       "final_move=visits "
       "virtual_samples=true virtual_value=0.5 split_moves=false "
       "reuse_tree=false"},
      {"uct",
       "k=1.4142135623730951 novelty=none novelty_mix=convex selection=ucb1 evaluation=playout "
       "evaluation_noise=0 "
       "prior=network playout=uniform mast=0 relative_bonus=false qualitative_bonus=false "
       "solver=false knowledge=0 exact=true estimators=none final_move=visits "
       "virtual_samples=false "
       "split_moves=false "
       "reuse_tree=false"},
      {"network",
       "novelty=none novelty_mix=convex selection=puct c_puct=0.7 fpu_reduction=0.1 "
       "evaluation=network evaluation_noise=0 network=auto prior=network prior_mask=legal "
       "prior_temperature=1 "
       "network_symmetry=none root_noise=0 mast=0 relative_bonus=false qualitative_bonus=false "
       "solver=false knowledge=0 exact=true estimators=none final_move=visits "
       "virtual_samples=false "
       "split_moves=false "
       "reuse_tree=false"},
  };
  const Options first = extremes(false);
  const Options last = extremes(true);
  CHECK(in_common(first, last) == "preset=reference");
  CHECK(option_row("preset").choices.size() == std::size(rows));
  for (const auto& [preset, sets] : rows) {
    Options from_first = first;
    Options from_last = last;
    set_option(from_first, "preset", preset);
    set_option(from_last, "preset", preset);
    const std::string all = in_common(from_first, from_last);
    CHECK(all == std::string(sets) + " preset=" + std::string(preset));
    for (const OptionRow& row : option_rows()) {
      if ((" " + all).find(" " + std::string(row.name) + "=") != std::string::npos) continue;
      CAPTURE(row.name);
      CHECK(get_option(from_first, row.name) == get_option(first, row.name));
      CHECK(get_option(from_last, row.name) == get_option(last, row.name));
    }
  }
}

TEST_CASE("docs/options.md has what each preset sets") {
  std::ostringstream table;
  table << "| option |";
  for (const PresetRow& preset : preset_rows()) table << " `" << preset.name << "` |";
  table << "\n|---|";
  for ([[maybe_unused]] const PresetRow& preset : preset_rows()) table << "---|";
  table << '\n';
  for (const OptionRow& row : option_rows()) {
    std::string cells;
    bool is_set = false;
    for (const PresetRow& preset : preset_rows()) {
      std::string cell;
      for (const auto& [option, value] : preset.values) {
        if (option == row.name) cell = value;  // the last one counts
      }
      is_set = is_set || !cell.empty();
      cells += " " + cell + (cell.empty() ? "|" : " |");
    }
    if (is_set) table << "| `" << row.name << "` |" << cells << '\n';
  }
  pitboss::tests::check_generated("options.md", "presets", table.str());
}

TEST_CASE("with_live takes over the live options only") {
  Options live;
  live.k = 5;
  live.kr = 3;
  live.solver = true;
  live.playout = Playout::informed;
  live.threads = 8;
  live.novelty = Novelty::threshold;
  const Options merged = with_live(Options{}, live);
  CHECK(merged.k == 5);
  CHECK(merged.kr == 3);
  CHECK(merged.solver);
  CHECK(merged.playout == Playout::informed);
  CHECK(merged.threads == 1);
  CHECK(merged.novelty == Novelty::none);
}

TEST_CASE("memory: each thread has tables of its own, the tree is one") {
  Options o;
  o.tree_mb = 100;
  o.estimators_mb = 20;
  CHECK(memory_mb(o) == 100);
  CHECK(table_bytes(o) == 0);
  set_option(o, "estimators", "history");  // reads the tree
  CHECK(memory_mb(o) == 100);
  set_option(o, "estimators", "history,global,oma");  // which share them
  CHECK(memory_mb(o) == 120);
  CHECK(table_bytes(o) == std::size_t{20} << 20);
  o.threads = 3;
  CHECK(memory_mb(o) == 160);
  CHECK(table_bytes(o) == std::size_t{60} << 20);
  o.mast = 0.5;  // whose tables are small
  CHECK(memory_mb(o) == 160);
  CHECK(table_bytes(o) == static_cast<std::size_t>(60 + 3 * mast_mb) << 20);
  set_option(o, "estimators", "none");
  CHECK(memory_mb(o) == 100);
  CHECK(table_bytes(o) == static_cast<std::size_t>(3 * mast_mb) << 20);
  o.knowledge = 100;
  CHECK(table_bytes(o) == static_cast<std::size_t>(3 * (mast_mb + knowledge_mb)) << 20);
}

TEST_CASE("parse_assignments") {
  const auto list = parse_assignments("  name=A  k=0.3 preset=paper alpha=2 ");
  REQUIRE(list.size() == 4);
  CHECK(list[0].name == "preset");  // so that it does not undo the others
  CHECK(list[1].name == "name");
  CHECK(list[3].value == "2");
  CHECK_THROWS_AS((void)parse_assignments("k=1 oops"), BadOption);
  CHECK_THROWS_AS((void)parse_assignments("=1"), BadOption);
}

TEST_CASE("uci_lines and docs/options.md derive from the rows") {
  const std::string lines = uci_lines(Options{}, 512);
  for (const OptionRow& row : option_rows()) {
    CHECK(lines.find("option name " + std::string(row.name) + " type ") != std::string::npos);
  }
  CHECK(lines.find("option name k type spin default 0.3 min 0 max 100\n") != std::string::npos);
  CHECK(lines.find("option name tree_mb type spin default 256 min 1 max 512\n") !=
        std::string::npos);
  CHECK(lines.find("option name selection type combo default ucb1-tuned var ucb1 var ucb1-tuned") !=
        std::string::npos);
  CHECK(lines.find("option name virtual_samples type check default true") != std::string::npos);
  pitboss::tests::check_generated("options.md", "options", markdown_table());
}
