#include "agent/event_inbox.hpp"

#include "base/file.hpp"
#include "base/hmac.hpp"
#include "bmc/model/ip_literal.hpp"
#include "net/certificates.hpp"
#include "net/open_server.hpp"
#include "net/url.hpp"

#include <fmt/ranges.h>

#include <array>

namespace ingot::agent {

namespace {

constexpr std::string_view folder = "/events/";
constexpr std::size_t secretLength = 32;         // bytes
constexpr std::size_t largestEvent = 64u << 10;  // bytes of a body
constexpr std::size_t mostSenders = 4;           // to one URL at a time
constexpr std::size_t mostConnections = 2048, mostStrangers = 256, mostStrangersOfANetwork = 64;
constexpr base::Duration idleTimeout = std::chrono::seconds(30), requestTimeout = std::chrono::seconds(15);
constexpr base::Duration sendsAtMost = requestTimeout + std::chrono::seconds(1);
constexpr base::Duration lifetime = std::chrono::hours(24 * 3650);  // of our own certificate

base::Secret loadOrCreateSecret(const std::string& file, base::Random& random) {
  if (auto kept = base::readFileIfExists(file); kept && kept->size() == secretLength) return base::Secret(*kept);
  auto made = random.bytes(secretLength);
  base::writeFileAtomically(file, made, 0600);
  return base::Secret(std::move(made));
}

}  // namespace

std::string whyNoEventsUrl(const std::string& url) {
  const auto parsed = net::parseUrl(url);
  if (!parsed || parsed->scheme != "https" || parsed->host.empty() || !parsed->query.empty() || parsed->path != "/")
    return "\"" + url + "\" is not https://HOST[:PORT], as the BMCs reach this agent";
  return {};
}

// Takes its listener off when it dies.
class EventInbox::Listening {
 public:
  using Place = std::multimap<std::string, std::shared_ptr<OnBody>, std::less<>>::iterator;
  Listening(EventInbox& inbox, Place place) : inbox_(inbox), place_(place) {}
  ~Listening() {
    const auto path = place_->first;
    inbox_.listeners_.erase(place_);
    if (!inbox_.listeners_.contains(path)) inbox_.doors_->erase(path);
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  EventInbox& inbox_;
  Place place_;
};

EventInbox::EventInbox(base::Runtime runtime, EventInboxOptions options)
    : runtime_(runtime.named("events")),
      options_(std::move(options)),
      secret_(loadOrCreateSecret(options_.secretFile, runtime_.random)) {
  while (options_.url.ends_with('/')) options_.url.pop_back();
  const auto url = net::parseUrl(options_.url);
  auto at = options_.listenAddress.empty() ? net::HostPort{.host = "", .port = url->port}
                                           : net::parseHostPort("--events-listen", options_.listenAddress);
  server_ = net::listenAt(runtime_, at,
                          {.tls = tls(),
                           .maxConnections = mostConnections,
                           .maxUnauthenticated = mostStrangers,
                           .maxUnauthenticatedPerNetwork = mostStrangersOfANetwork,
                           .bodyLimit = largestEvent,
                           .idleTimeout = idleTimeout,
                           .requestTimeout = requestTimeout},
                          *this);
  server_->closeAfterAnswers();  // else who is answered could keep the connection, and have as many as he likes
  runtime_.log.info("taking events of BMCs", {{"url", options_.url}, {"port", server_->port()}});
}

EventInbox::~EventInbox() = default;

net::ServerTls EventInbox::tls() const {
  if (!isSelfSigned())
    return {base::readFile(options_.certificateFile), base::Secret(base::readFile(options_.keyFile)), ""};
  const auto host = net::parseUrl(options_.url)->host;
  const bool isAddress = bmc::isIpv4(host) || bmc::isIpv6(host);
  const auto now = runtime_.clock.wall();
  const auto authority = net::CertificateAuthority::create("ingot-agent events", now, lifetime);
  const auto pair =
      authority.issue(net::ServerCertificate{.commonName = "ingot-agent",
                                             .dnsNames = isAddress ? std::vector<std::string>{} : std::vector{host},
                                             .ipAddresses = isAddress ? std::vector{host} : std::vector<std::string>{},
                                             .validity = lifetime},
                      now);
  return {pair.certificatePem, pair.privateKeyPem, ""};
}

std::string EventInbox::pathFor(const std::string& bmc) const {
  return std::string(folder) + base::hmacSha256(secret_, bmc);
}

std::string EventInbox::prefix() const { return options_.url + std::string(folder); }

std::string EventInbox::urlFor(const std::string& bmc) const { return options_.url + pathFor(bmc); }

std::shared_ptr<void> EventInbox::listen(const std::string& bmc, OnBody onBody) {
  return std::make_shared<Listening>(*this,
                                     listeners_.emplace(pathFor(bmc), std::make_shared<OnBody>(std::move(onBody))));
}

// Asked several times of one request: with its head, and once it is there.
bool EventInbox::admits(const net::ServerRequest& request) const {
  if (request.method != "POST" || !listeners_.contains(request.path())) return false;
  const auto now = runtime_.clock.now();
  auto& senders = (*doors_)[std::string(request.path())].senders;
  std::erase_if(senders, [now](const auto& sender) { return sender.second <= now; });
  if (senders.contains(request.remoteAddress)) return true;
  if (senders.size() >= mostSenders) return false;
  senders[request.remoteAddress] = now + sendsAtMost;
  return true;
}

bool EventInbox::isAuthenticated(const net::ServerRequest& request) const { return admits(request); }

bool EventInbox::wantsBody(const net::ServerRequest& head) const { return admits(head); }

base::Task<void> EventInbox::handle(net::ServerRequest request, net::Responder& out) {
  if (request.method != "POST" || !listeners_.contains(request.path())) co_return co_await out.send({.status = 404});
  auto& door = (*doors_)[std::string(request.path())];
  const auto now = runtime_.clock.now();
  const bool isAdmitted = door.senders.erase(request.remoteAddress) > 0;
  if (!isAdmitted || !door.pace.takeNow(now))
    co_return co_await out.send({.status = 429, .headers = {{"Retry-After", "1"}}});
  std::vector<std::shared_ptr<OnBody>> all;  // one may end in the middle
  const auto [first, last] = listeners_.equal_range(request.path());
  for (auto it = first; it != last; ++it) all.push_back(it->second);
  for (const auto& onBody : all) (*onBody)(request.body);
  co_await out.send({.status = 204});
}

}  // namespace ingot::agent
