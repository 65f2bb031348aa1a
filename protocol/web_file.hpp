#pragma once

#include <string_view>

namespace pitboss::protocol {

/// A file of a page that a browser shows, as the build has made it. Lives as long as the program.
/// A page asks for no other files, and none holds a script or style inline, so that it works under
/// the content security policy `default-src 'self'`.
struct WebFile {
  std::string_view path;  ///< as a browser asks for it: "/", "/page.js"
  std::string_view type;  ///< for the header Content-Type
  std::string_view etag;  ///< changes with the bytes; with its quotation marks, as headers write it
  std::string_view bytes;
  std::string_view zipped;  ///< the same by gzip
};

}  // namespace pitboss::protocol
