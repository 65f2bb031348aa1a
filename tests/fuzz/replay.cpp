#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "tests/fuzz/fuzzing.hpp"

/// Reads every file of the folders that are named, as the fuzzer's inputs.
int main(int count, char** arguments) {
  namespace fs = std::filesystem;
  int files = 0;
  for (int i = 1; i < count; ++i) {
    for (const auto& entry : fs::directory_iterator(arguments[i])) {
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(in), {}};
      std::cout << entry.path().filename().string() << std::endl;  // the last one is what failed
      try {
        pitboss::fuzzing::read_bytes(bytes);
      } catch (const std::exception& error) {
        std::cerr << "an exception that nobody caught: " << error.what() << '\n';
        return 1;
      }
      ++files;
    }
  }
  std::cout << files << " inputs\n";
  return files > 0 ? 0 : 1;
}
