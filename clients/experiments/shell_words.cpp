#include "clients/experiments/shell_words.hpp"

#include <wordexp.h>

#include <algorithm>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

const char* reason(int error) {
  switch (error) {
    case WRDE_BADCHAR:
      return "| & ; < > ( ) { } and line feeds need quotes";
    case WRDE_BADVAL:
      return "a variable is not set";
    case WRDE_CMDSUB:
      return "no command is run to make words; quote ` and $(";
    case WRDE_NOSPACE:
      return "too little memory";
    default:
      return "a quote is not closed";
  }
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> shell_words(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) throw UserError("a word has no zero byte");
  wordexp_t words{};
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const int error = ::wordexp(std::string(text).c_str(), &words, WRDE_NOCMD | WRDE_UNDEF);
  std::vector<std::string> out;
  if (error == 0) out.assign(words.we_wordv, words.we_wordv + words.we_wordc);
  if (error == 0 || error == WRDE_NOSPACE) ::wordfree(&words);
  if (error != 0)
    throw UserError("cannot split into words as a shell does: " + std::string(reason(error)));
  return out;
}

bool has_pattern(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '*' || c == '?' || c == '[') {
      return true;
    }
  }
  return false;
}

std::string shell_text(std::span<const std::string> words) {
  std::string out;
  for (const std::string& word : words) {
    if (&word != words.data()) out += ' ';
    if (!word.empty() && std::ranges::all_of(word, is_plain)) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

}  // namespace pitboss::clients
