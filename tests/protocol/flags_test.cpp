#include "protocol/flags.hpp"

#include <doctest/doctest.h>

#include <boost/program_options/value_semantic.hpp>
#include <string>
#include <vector>

#include "tests/clients/scratch_folder.hpp"
#include "tests/environment/variable_set.hpp"

namespace pitboss::protocol {

namespace po = boost::program_options;
using tests::VariableSet;

namespace {

po::options_description flags() {
  po::options_description all;
  auto add = all.add_options();
  add("file", po::value<std::string>()->value_name("FILE"), "");
  add("out", po::value<std::string>()->default_value("here")->value_name("DIR"), "");
  add("folders", po::value<std::vector<std::string>>()->composing()->value_name("FOLDER"), "");
  add("program", po::value<std::string>()->value_name("PATH"), "");
  add("filter", po::value<std::string>()->value_name("FILTER"), "");
  add("plain", po::value<std::string>(), "");
  return all;
}

}  // namespace

TEST_CASE("read_flags: ~ stands for the home folder in paths, and in words without a flag") {
  const VariableSet home("HOME", "/home/me");
  std::vector<std::string> rest;
  const auto given = read_flags({"~/a", "--file=~/b", "--out", "~", "--folders=~/c", "--folders",
                                 "d", "--program=~/e", "--filter=~/f", "--plain=~/g", "h"},
                                flags(), &rest);
  CHECK(rest == std::vector<std::string>{"/home/me/a", "h"});
  CHECK(given["file"].as<std::string>() == "/home/me/b");
  CHECK(given["out"].as<std::string>() == "/home/me");
  CHECK(given["folders"].as<std::vector<std::string>>() ==
        std::vector<std::string>{"/home/me/c", "d"});
  CHECK(given["program"].as<std::string>() == "/home/me/e");
  CHECK(given["filter"].as<std::string>() == "~/f");
  CHECK(given["plain"].as<std::string>() == "~/g");
  CHECK(read_flags({}, flags())["out"].as<std::string>() == "here");
  CHECK_THROWS_WITH_AS(static_cast<void>(read_flags({"--file=~no-such-user/x"}, flags())),
                       doctest::Contains("the home folder of 'no-such-user', who has none"),
                       BadFlags);
}

TEST_CASE("read_flag_file: the same") {
  const VariableSet home("HOME", "/home/me");
  const clients::ScratchFolder folder;
  clients::write_text(folder / "flags", "file = ~/b\nplain = ~/g\n");
  po::variables_map given;
  read_flag_file(folder / "flags", flags(), given);
  CHECK(given["file"].as<std::string>() == "/home/me/b");
  CHECK(given["plain"].as<std::string>() == "~/g");
}

}  // namespace pitboss::protocol
