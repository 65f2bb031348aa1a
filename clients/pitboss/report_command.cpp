#include "clients/pitboss/commands.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "clients/experiments/address.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger_contents.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/record_files.hpp"
#include "clients/results/serve/catalogue.hpp"
#include "clients/results/serve/follow.hpp"
#include "clients/results/serve/followed_experiment.hpp"
#include "clients/training/training_document.hpp"
#include "clients/tuning/tuning_document.hpp"
#include "protocol/http.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr std::string_view report_usage =
    "Shows experiments, tunings and trainings in a browser while they run, or writes the report of "
    "an\n"
    "experiment anew. A PLACE is a folder of one of them, or one that holds several; or a "
    "PostgreSQL\n"
    "database, postgresql://USER@HOST:PORT/DATABASE, with #NAME one experiment in it. See "
    "docs/report.md.\n\n"
    "  pitboss report --serve PLACE            serves pages at http://127.0.0.1:4590/\n"
    "  pitboss report PLACE [--to DIR]         writes games.csv, summary.json, report.html and\n"
    "                                          machines.json of an experiment into its folder, or\n"
    "                                          into DIR\n"
    "  pitboss report PLACE --print FORM       prints the report of an experiment, a tuning or a\n"
    "                                          training as text, markdown, html or json\n\n";

struct ReportFlags {
  bool serves = false;
  std::string listen;
  std::vector<std::string> origins;
  std::string token_file;
  std::string to;
  std::string form;
};

std::vector<RunKind> all_kinds() { return {experiment_kind(), tuning_kind(), training_kind()}; }

int print(const std::string& text, const std::string& form) {
  const std::vector<CatalogueEntry> runs = Catalogue(parse_place(text), all_kinds()).entries();
  require(!runs.empty(), text + " holds no experiment, tuning or training");
  // Others may be in the folders of one.
  require(std::ranges::all_of(runs,
                              [&](const CatalogueEntry& run) {
                                return run.name == runs.front().name ||
                                       run.name.starts_with(runs.front().name + "/");
                              }),
          text + " holds several runs; one of them can be printed");
  const auto run = runs.front().kind.follow(runs.front().name, runs.front().place);
  const Document document = run->look().document;
  std::cout << (form == "text"       ? terminal_text(document)
                : form == "markdown" ? markdown_text(document)
                : form == "html"     ? html_page(document)
                                     : text_of(json_of(document)) + "\n");
  return 0;
}

int serve(const std::string& place, const ReportFlags& flags) {
  FollowSettings settings;
  settings.place = parse_place(place);
  settings.kinds = all_kinds();
  settings.listen = flags.listen;
  for (const std::string& origin : flags.origins) {
    require(protocol::is_origin(origin),
            "--origin must be http://HOST[:PORT] or https://HOST[:PORT], not '" + origin + "'");
  }
  settings.origins = flags.origins;
  if (!flags.token_file.empty()) settings.token = read_access(flags.token_file, {}).token;
  follow(settings, [&](const std::string& url, bool is_local) {
    std::cout << "page " << url << std::endl;
    if (!is_local) std::cerr << "whoever reaches " << url << " can read what it shows\n";
    for (const std::string& origin : flags.origins) {
      std::cerr << "whoever reaches " << origin << " can read what it shows\n";
    }
  });
  return 0;
}

int write(const std::string& text, const ReportFlags& flags) {
  const LedgerPlace place = existing_place(text);
  const auto* folder = std::get_if<fs::path>(&place);
  require(folder != nullptr || !flags.to.empty(),
          "--to DIR, the folder for the report, is missing");
  const fs::path to = flags.to.empty() ? *folder : fs::path(flags.to);
  const Experiment experiment = read_experiment(place);
  const LedgerContents contents = read_contents(Ledger(place, experiment), experiment);
  std::error_code error;
  fs::create_directories(to, error);
  if (error) throw UserError("cannot create " + to.string() + ": " + error.message());
  write_records(to, contents,
                [&](const std::string& name) { std::cout << (to / name).string() << "\n"; });
  return 0;
}

}  // namespace

int report_command(const std::vector<std::string>& arguments) {
  ReportFlags flags;
  po::options_description options("Options", 100, 50);
  auto add = options.add_options();
  add("serve", po::bool_switch(&flags.serves), "serve pages instead of writing files");
  add("listen", po::value(&flags.listen)->default_value("127.0.0.1:4590")->value_name("HOST:PORT"),
      "where pages are served; port 0 picks one that is free");
  add("origin", po::value(&flags.origins)->value_name("ORIGIN"),
      "another address of the pages, as https://HOST of a proxy before this server; may be "
      "repeated");
  add("token-file", po::value(&flags.token_file)->value_name("FILE"),
      "a file with a token, by which readers of the pages stop experiments and have them go on");
  add("to", po::value(&flags.to)->value_name("DIR"), "where files are written");
  add("print", po::value(&flags.form)->value_name("FORM"),
      "prints the report instead: as text, markdown, html (without games) or json");
  add("help", "this text");
  std::vector<std::string> places;
  if (!read_flags("report", report_usage, options, arguments, &places)) return 0;
  require(places.size() == 1, "expected one place; see pitboss report --help");
  if (!flags.form.empty()) {
    constexpr std::array<std::string_view, 4> forms = {"text", "markdown", "html", "json"};
    require(std::ranges::count(forms, flags.form) > 0,
            "--print must be text, markdown, html or json, not '" + flags.form + "'");
    return print(places.front(), flags.form);
  }
  return flags.serves ? serve(places.front(), flags) : write(places.front(), flags);
}

}  // namespace pitboss::clients
