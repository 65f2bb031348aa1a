#pragma once

#include <span>
#include <string_view>

namespace pitboss::clients {

/// A file of the page that a browser shows, as the build has made it (docs/web.md). Lives as long
/// as the program.
struct PageFile {
  std::string_view path;  ///< as a browser asks for it: "/", "/page.js"
  std::string_view type;  ///< for the header Content-Type
  std::string_view etag;  ///< changes with the bytes; with its quotation marks, as headers write it
  std::string_view bytes;
};

/// All files of the page. The page asks for no others, and none of them holds a script or style
/// inline, so that it works under the content security policy `default-src 'self'`. May be called
/// from any thread.
[[nodiscard]] std::span<const PageFile> page_files();
/// The same of the page that follows experiments (docs/follow.md).
[[nodiscard]] std::span<const PageFile> follow_page_files();

}  // namespace pitboss::clients
