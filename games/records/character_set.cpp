#include "games/records/character_set.hpp"

#include <iconv.h>
#include <uchardet/uchardet.h>

#include <algorithm>
#include <array>
#include <boost/locale/utf.hpp>
#include <memory>
#include <optional>

#include "games/letter_case.hpp"

namespace pitboss::games {

namespace {

/// A character set by a name that records or uchardet give it, and by iconv's. Names that are not
/// listed never reach iconv, which would load a module for each.
struct CharacterSet {
  std::string_view name;  ///< in small letters
  const char* in_iconv;
};
constexpr std::array<CharacterSet, 25> known{{
    {"shift_jis", "CP932"},     {"shift-jis", "CP932"},      {"sjis", "CP932"},
    {"x-sjis", "CP932"},        {"windows-31j", "CP932"},    {"cp932", "CP932"},
    {"euc-jp", "EUC-JP"},       {"gb2312", "GB18030"},       {"gbk", "GB18030"},
    {"gb18030", "GB18030"},     {"cp936", "GB18030"},        {"big5", "BIG5-HKSCS"},
    {"euc-kr", "CP949"},        {"ks_c_5601-1987", "CP949"}, {"uhc", "CP949"},
    {"cp949", "CP949"},         {"koi8-r", "KOI8-R"},        {"windows-1251", "CP1251"},
    {"cp1251", "CP1251"},       {"windows-1250", "CP1250"},  {"iso-8859-2", "ISO-8859-2"},
    {"windows-1252", "CP1252"}, {"iso-8859-1", "CP1252"},    {"latin1", "CP1252"},
    {"utf-16", "UTF-16"},
}};

const char* in_iconv(std::string_view name) {
  const auto* const found = std::ranges::find(known, in_lower_case(name), &CharacterSet::name);
  return found == known.end() ? nullptr : found->in_iconv;
}

/// Bytes read as UTF-8.
struct Utf8 {
  std::string text;            ///< with U+FFFD for each byte that is none
  std::size_t characters = 0;  ///< of several bytes
  std::size_t other_bytes = 0;
  bool is_cut_off = false;  ///< within a character, which the text lacks

  [[nodiscard]] bool is_whole() const { return other_bytes == 0 && !is_cut_off; }
  /// Few bytes of other sets are characters of UTF-8 by chance.
  [[nodiscard]] bool is_likely() const { return characters > other_bytes; }
};

Utf8 as_utf8(std::string_view bytes) {
  namespace utf = boost::locale::utf;
  Utf8 read;
  for (const auto* at = bytes.begin(); at != bytes.end() && !read.is_cut_off;) {
    const auto* const first = at;
    const utf::code_point point = utf::utf_traits<char>::decode(at, bytes.end());
    if (point == utf::illegal) {
      ++read.other_bytes;
      read.text += "\xEF\xBF\xBD";
      at = first + 1;
    } else if (point == utf::incomplete) {
      read.is_cut_off = true;
    } else {
      read.characters += at - first > 1 ? 1 : 0;
      read.text.append(first, at);
    }
  }
  return read;
}

/// The bytes of that character set in UTF-8; nothing if they are not of that set.
std::optional<std::string> converted(std::string_view bytes, const char* from) {
  struct Close {
    void operator()(iconv_t conversion) const { ::iconv_close(conversion); }
  };
  // NOLINTNEXTLINE(*-reinterpret-cast,performance-no-int-to-ptr): iconv_open fails with (iconv_t)-1
  const auto* const failed = reinterpret_cast<const void*>(-1);
  const iconv_t opened = ::iconv_open("UTF-8", from);
  if (opened == failed) return std::nullopt;
  const std::unique_ptr<void, Close> conversion(opened);
  constexpr std::size_t most_bytes_each = 4;  // of UTF-8, for a byte of any set that is known
  std::string text(most_bytes_each * bytes.size() + most_bytes_each, '\0');
  std::string copy(bytes);  // iconv wants a pointer to what it may change
  char* in = copy.data();
  char* out = text.data();
  std::size_t in_left = copy.size();
  std::size_t out_left = text.size();
  const std::size_t lost = ::iconv(opened, &in, &in_left, &out, &out_left);
  const std::size_t ended = ::iconv(opened, nullptr, nullptr, &out, &out_left);
  if (lost != 0 || ended != 0) return std::nullopt;
  text.resize(text.size() - out_left);
  if (!as_utf8(text).is_whole()) return std::nullopt;  // iconv goes beyond the last code point
  return text;
}

/// The set that the property CA tells; null if it tells none, or none that is known.
const char* told_in(std::string_view bytes) {
  constexpr std::string_view property = "CA[";
  const auto begin = bytes.find(property);
  if (begin == std::string_view::npos) return nullptr;
  const std::string_view rest = bytes.substr(begin + property.size());
  return in_iconv(rest.substr(0, rest.find(']')));
}

/// The set that the bytes look like; null if that cannot be told.
const char* found_in(std::string_view bytes) {
  struct Delete {
    void operator()(uchardet_t detector) const { ::uchardet_delete(detector); }
  };
  const std::unique_ptr<uchardet, Delete> detector(::uchardet_new());
  // Of a short name alone, uchardet counts too few characters to tell.
  constexpr std::size_t enough = 8192;
  std::size_t shown = 0;
  do {
    if (::uchardet_handle_data(detector.get(), bytes.data(), bytes.size()) != 0) return nullptr;
    shown += bytes.size();
  } while (shown < enough);
  ::uchardet_data_end(detector.get());
  const std::string_view name = ::uchardet_get_charset(detector.get());
  // What it says of European languages in a few words is a guess.
  return name.starts_with("ISO-8859") ? nullptr : in_iconv(name);
}

}  // namespace

std::string utf8_of(std::string_view bytes) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  if (bytes.empty()) return {};
  Utf8 utf8 = as_utf8(bytes);
  if (utf8.is_whole()) return std::move(utf8.text);
  const auto converted_from = [&](const char* set) {
    return set == nullptr ? std::nullopt : converted(bytes, set);
  };
  if (auto text = converted_from(told_in(bytes))) return *std::move(text);
  if (utf8.is_likely()) return std::move(utf8.text);
  for (const char* const set : {found_in(bytes), "CP1252", "ISO-8859-1"}) {
    if (auto text = converted_from(set)) return *std::move(text);
  }
  return std::string(bytes);
}

}  // namespace pitboss::games
