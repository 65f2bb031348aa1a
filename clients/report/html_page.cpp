#include "clients/report/html_page.hpp"

#include "clients/report/report_script.hpp"
#include "clients/report/report_style.hpp"

namespace pitboss::clients {

std::string html_page(std::string_view title, const Markup& content) {
  const Markup head =
      element("meta", {{"charset", "utf-8"}}) +
      element("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
      element("title", title) + raw_style(std::string(report_style) + std::string(board_style()));
  const Markup body = element("main", content);
  return "<!DOCTYPE html>\n" +
         element("html", {{"lang", "en"}}, element("head", head) + element("body", body)).str() +
         "\n";
}

}  // namespace pitboss::clients
