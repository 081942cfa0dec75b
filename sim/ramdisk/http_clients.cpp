#include "sim/ramdisk/http_clients.hpp"

#include "net/url.hpp"

namespace ingot::sim::ramdisk {

namespace {
constexpr std::size_t bodyLimit = 64u << 20;  // a boot ISO of Ironic's is some 5 MB
constexpr base::Duration deadline = std::chrono::seconds(60);
constexpr std::size_t maxConnections = 3;
}  // namespace

net::HttpClient& HttpClients::clientFor(const std::string& url, std::string& target) {
  const auto parsed = net::parseUrl(url);
  if (!parsed) throw net::HttpError(net::HttpError::Code::badRequest, url + " is no URL");
  target = parsed->query.empty() ? parsed->path : parsed->path + "?" + parsed->query;
  auto& client = clients_[parsed->origin()];
  if (!client)
    client = transport_.connect(
        {.baseUrl = parsed->origin(), .maxConnections = maxConnections, .userAgent = "ingot-sim-ramdisk"});
  return *client;
}

base::Task<net::HttpResponse> HttpClients::send(std::string method, std::string url, net::Headers headers,
                                                std::string body) {
  net::HttpRequest request{.method = std::move(method),
                           .headers = std::move(headers),
                           .body = std::move(body),
                           .deadline = deadline,
                           .bodyLimit = bodyLimit};
  auto& client = clientFor(url, request.target);
  co_return co_await client.send(std::move(request));
}

base::Task<std::unique_ptr<net::HttpStream>> HttpClients::open(std::string url) {
  net::HttpRequest request{.deadline = deadline};
  auto& client = clientFor(url, request.target);
  co_return co_await client.open(std::move(request));
}

}  // namespace ingot::sim::ramdisk
