#include "clients/launch/attendance.hpp"

#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <string>

#include "protocol/awake_timer.hpp"

namespace pitboss::clients::attendance {

namespace asio = boost::asio;

asio::awaitable<void> listen(asio::io_context& io, std::function<void(std::string_view)> on_word) {
  asio::posix::stream_descriptor input(io, ::dup(STDIN_FILENO));
  protocol::AwakeTimer silence(io);
  std::string text;
  std::array<char, 256> some{};
  for (;;) {
    silence.expires_after(patience);
    silence.async_wait([&input](const boost::system::error_code& heard) {
      if (!heard) input.cancel();
    });
    boost::system::error_code error;
    const std::size_t size = co_await input.async_read_some(
        asio::buffer(some), asio::redirect_error(asio::use_awaitable, error));
    silence.cancel();
    if (error) break;
    text.append(some.data(), size);
    for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos;) {
      on_word(std::string_view(text).substr(0, end));
      text.erase(0, end + 1);
    }
    if (text.size() > some.size()) text.clear();  // no word of ours
  }
  on_word({});
}

}  // namespace pitboss::clients::attendance
