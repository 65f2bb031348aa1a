#include "clients/follow/picture.hpp"

#include <doctest/doctest.h>

namespace pitboss::clients {

TEST_CASE("csv_of: RFC 4180, with all keys of all rows") {
  Rows rows = Rows::array();
  CHECK(csv_of(rows) == "\r\n");
  rows.push_back({{"name", "a"}, {"score", 0.5}, {"is_over", true}});
  rows.push_back({{"name", "b, \"c\"\nd"}, {"score", nullptr}, {"more", 3}});
  CHECK(csv_of(rows) ==
        "name,score,is_over,more\r\n"
        "a,0.5,true,\r\n"
        "\"b, \"\"c\"\"\nd\",,,3\r\n");
}

TEST_CASE("text_of replaces what is no UTF-8") {
  CHECK(text_of({{"words", "a\xff"}}) == "{\"words\":\"a\xef\xbf\xbd\"}");
}

}  // namespace pitboss::clients
