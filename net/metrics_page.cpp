#include "net/metrics_page.hpp"

namespace ingot::net {
namespace {

constexpr base::Duration fresh = std::chrono::seconds(1);
constexpr std::size_t pieceSize = 64u << 10;

}  // namespace

base::Task<void> MetricsPage::handle(ServerRequest, Responder& out) {
  const auto all = text();
  co_await out.begin(200, {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"},
                           {"Content-Length", std::to_string(all->size())}});
  for (std::size_t at = 0; at < all->size(); at += pieceSize) co_await out.write(all->substr(at, pieceSize));
  co_await out.end();
}

std::shared_ptr<const std::string> MetricsPage::text() {
  const auto now = runtime_.clock.now();
  if (!text_ || now - madeAt_ >= fresh) {
    text_ = std::make_shared<const std::string>(metrics_.expose());
    madeAt_ = now;
  }
  return text_;
}

}  // namespace ingot::net
