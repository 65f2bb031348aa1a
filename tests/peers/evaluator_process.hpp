#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/folders.hpp"
#include "tests/peers/process.hpp"

namespace pitboss::peers {

/// A server of the networks in a folder (fake_evaluator.cpp has its modes), as a process.
class EvaluatorProcess {
 public:
  explicit EvaluatorProcess(const std::filesystem::path& folder, const std::string& mode = "plain",
                            const std::string& port = "0")
      : process_({tests::bin_folder() + "/pitboss_fake_evaluator", folder.string(), mode, port}) {
    const std::string line = process_.output_line(std::chrono::seconds(60));
    address_ = line.substr(line.find(' ') + 1);
  }
  [[nodiscard]] std::string url() const { return "grpc://" + address_; }
  [[nodiscard]] std::string port() const { return address_.substr(address_.rfind(':') + 1); }
  void signal(int number) const { process_.signal(number); }

 private:
  Process process_;
  std::string address_;
};

}  // namespace pitboss::peers
