#pragma once

#include <string>
#include <string_view>

namespace pitboss::games {

/// The text of a record in UTF-8, without a byte order mark. Bytes that are UTF-8 stay as they are.
/// Others are read in the character set that the record tells (SGF's CA). Without one, what is
/// UTF-8 but for a few bytes has U+FFFD for these; the rest is read in the set that the bytes look
/// like, else in Latin-1. Takes time linear in the bytes.
[[nodiscard]] std::string utf8_of(std::string_view bytes);

}  // namespace pitboss::games
