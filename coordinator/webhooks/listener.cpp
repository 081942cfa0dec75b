#include "coordinator/webhooks/listener.hpp"

#include "base/cut_text.hpp"
#include "base/text.hpp"
#include "base/yield.hpp"
#include "coordinator/webhooks/admission_review.hpp"
#include "coordinator/webhooks/conversion_review.hpp"
#include "coordinator/webhooks/lookups.hpp"

#include <charconv>
#include <limits>

namespace ingot::coordinator::webhooks {
namespace {

using base::Task;

constexpr std::size_t smallBody = 64u << 10;  // not worth counting
constexpr std::size_t conversionsAtOnce = 2;  // the others wait: they share one processor anyway
constexpr int objectsATurn = 16;              // converted before others have a turn
constexpr int roundsOfLookups = 3;
constexpr base::Duration firstLooks = std::chrono::seconds(1);
constexpr auto retryAfter = "1";  // seconds

// The address without its port.
std::string clientOf(const net::ServerRequest& request) {
  return request.remoteAddress.substr(0, request.remoteAddress.rfind(':'));
}

std::string_view reasonOf(int httpStatus) {
  switch (httpStatus) {
    case 404: return "NotFound";
    case 405: return "MethodNotAllowed";
    case 413: return "RequestEntityTooLarge";
    case 415: return "UnsupportedMediaType";
    case 429: return "TooManyRequests";
    default: return "BadRequest";
  }
}

net::HttpResponse jsonReply(int status, const json::Value& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
}

// A kube-apiserver shows the message of a Status to who made the request.
net::HttpResponse refusal(const BadRequest& problem) {
  const int code = problem.httpStatus();
  const apiserver::Status status{.code = code, .reason = std::string(reasonOf(code)), .message = problem.what()};
  net::HttpResponse out = jsonReply(code, status.toJson());
  if (code == 429) out.headers.set("Retry-After", retryAfter);
  if (code == 405) out.headers.set("Allow", "POST");
  return out;
}

std::string kindsServed() {
  std::string out;
  for (const auto& path : admissionPaths())
    if (path.type == Type::validating) out += (out.empty() ? "" : ", ") + std::string(path.kind.stored->kind);
  return out;
}

bool isPath(std::string_view path) { return path == convertPath || findPath(path) != nullptr; }

bool isJson(std::string_view contentType) {
  return base::equalButForCase(base::trimmed(contentType.substr(0, contentType.find(';'))), "application/json");
}

json::Value parsed(const std::string& body, std::size_t limit) {
  try {
    return json::parse(body, {.bytes = limit});
  } catch (const json::ParseError& problem) {
    throw BadRequest(400, std::string("the body is no JSON: ") + problem.what());
  }
}

}  // namespace

Listener::Listener(base::Runtime runtime, ListenerOptions options, kube::Api& api)
    : runtime_(std::move(runtime)),
      options_(std::move(options)),
      api_(api),
      bodies_(options_.allBytes, options_.requestTimeout),
      conversions_(runtime_.executor, conversionsAtOnce),
      turns_(runtime_.executor, {}),
      watches_(runtime_, api, {}) {}

Task<void> Listener::run() {
  while (true) {
    takeUpCertificate();
    co_await runtime_.clock.sleepFor(server_ ? options_.look : std::min(options_.look, firstLooks));
  }
}

void Listener::leave() {
  isLeaving_ = true;
  if (server_) server_->closeAfterAnswers();
}

Task<void> Listener::stop() {
  obstacle_ = "is stopping";
  if (server_) co_await server_->stop(std::chrono::seconds(1));
  co_await watches_.close();
}

std::uint16_t Listener::port() const { return server_ ? server_->port() : 0; }

// A certificate that cannot be used leaves the one of before in use.
void Listener::takeUpCertificate() {
  net::KeyPair pair;
  try {
    pair = options_.pair ? options_.pair() : readPair(options_.files);
    const bool same = pair.certificatePem == pair_.certificatePem && pair.privateKeyPem == pair_.privateKeyPem;
    if (same && server_) return complained_.clear();
    if (server_) server_->renew(tlsWith(pair));
  } catch (const base::Error& problem) {
    return complain(problem.what());
  }
  if (!server_) listen(pair);
  pair_ = std::move(pair);
  complained_.clear();
  const auto until = net::expiresAt(pair_.certificatePem);
  runtime_.log.info("webhooks use this certificate", {{"port", port()},
                                                      {"fingerprint", net::fingerprintSha256(pair_.certificatePem)},
                                                      {"until", base::formatTime(until)}});
  if (until <= runtime_.clock.wall()) runtime_.log.error("the certificate of the webhooks has run out");
}

void Listener::complain(const std::string& problem) {
  if (!server_) obstacle_ = "waits for its certificate: " + problem;
  if (std::exchange(complained_, problem) == problem) return;
  runtime_.log.warn(
      server_ ? "webhooks keep their certificate: the new one cannot be used" : "webhooks wait for their certificate",
      {{"problem", problem}});
}

net::ServerTls Listener::tlsWith(const net::KeyPair& pair) const {
  net::ServerTls tls = options_.tls;
  tls.certificatePem = pair.certificatePem;
  tls.privateKeyPem = pair.privateKeyPem;
  return tls;
}

void Listener::listen(const net::KeyPair& pair) {
  net::ServerOptions how{.port = options_.port,
                         .tls = tlsWith(pair),
                         .maxConnections = 256,
                         .maxUnauthenticated = 255,
                         .maxUnauthenticatedPerNetwork = 128,
                         .bodyLimit = std::numeric_limits<std::size_t>::max(),  // wantsBody() has them
                         .requestTimeout = options_.requestTimeout,
                         .handshakeTimeout = std::chrono::seconds(5)};
  how.address = options_.address.empty() ? "::" : options_.address;
  try {
    server_ = net::listen(runtime_, how, *this);
  } catch (const base::Error&) {
    if (!options_.address.empty()) throw;
    how.address = "0.0.0.0";  // of a machine without IPv6
    server_ = net::listen(runtime_, how, *this);
  }
  if (isLeaving_) server_->closeAfterAnswers();
  servesSince_ = runtime_.clock.now();
  obstacle_.clear();
}

std::size_t Listener::bodyLengthOf(const net::ServerRequest& head) const {
  const std::string path(head.path());
  if (!isPath(path))
    throw BadRequest(404, fmt::format("there is no webhook at {}; there are {}, and /mutate-GROUP-VERSION-KIND and "
                                      "/validate-GROUP-VERSION-KIND (lower case, dashes for dots) of {}",
                                      base::cutText(path, 200), convertPath, kindsServed()));
  if (head.method != "POST") throw BadRequest(405, "webhooks are called by POST");
  if (!isJson(head.headers.get("Content-Type"))) throw BadRequest(415, "the Content-Type must be application/json");
  const std::string text = head.headers.get("Content-Length");
  std::size_t length = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (text.empty() || bad != std::errc{} || end != text.data() + text.size())
    throw BadRequest(411, "the request must have a Content-Length");
  const std::size_t limit = path == convertPath ? options_.conversionBytes : options_.admissionBytes;
  if (length > limit) throw BadRequest(413, fmt::format("a review for {} may have {} bytes at most", path, limit));
  return length;
}

bool Listener::wantsBody(const net::ServerRequest& head) const {
  try {
    const std::size_t length = bodyLengthOf(head);
    return length <= smallBody || bodies_.announce(length, clientOf(head), runtime_.clock.now());
  } catch (const BadRequest&) {
    return false;  // said by handle()
  }
}

Task<void> Listener::handle(net::ServerRequest request, net::Responder& out) {
  const BodyBudget::Arrived counted(bodies_, request.body.size() > smallBody ? request.body.size() : 0,
                                    clientOf(request));
  co_await out.send(co_await respond(std::move(request)));
}

Task<net::HttpResponse> Listener::respond(net::ServerRequest request) {
  const std::string path(request.path());
  try {
    co_return jsonReply(200, co_await answerTo(std::move(request)));
  } catch (const BadRequest& problem) {
    runtime_.log.debug("refused what is no review", {{"path", base::cutText(path, 200)}, {"why", problem.what()}});
    co_return refusal(problem);
  }
}

Task<json::Value> Listener::answerTo(net::ServerRequest request) {
  const std::size_t length = bodyLengthOf(request);
  if (request.body.size() != length)  // wantsBody() had no room for it
    throw BadRequest(429, "too many large reviews at once");
  const std::string path(request.path());
  json::Value review = parsed(request.body, length);
  std::string().swap(request.body);
  if (path == convertPath) co_return co_await converted(std::move(review));
  co_return co_await judged(std::move(review), *findPath(path));
}

Task<json::Value> Listener::judged(json::Value review, const AdmissionPath& path) {
  Lookups lookups;
  json::Value out = answer(review, path, lookups);
  if (lookups.areComplete()) co_return out;
  const std::string namespace_ = json::textAt(review, {"request", "namespace"});
  if (!turns_.hasRoomFor(namespace_)) throw BadRequest(429, "too many reviews look other objects up at once");
  LookupTurns::Review asking(turns_, namespace_);
  for (int round = 0; round < roundsOfLookups; ++round) {
    const std::string failure = co_await failureOf(lookups.fetch(api_, asking, watches_));
    if (!failure.empty()) co_return refusalOf(review, "who uses the object could not be looked up: " + failure);
    out = answer(review, path, lookups);
    if (lookups.areComplete()) co_return out;
  }
  co_return refusalOf(review, "who uses the object could not be looked up: the rules ask for more and more");
}

// "": it has ended well.
Task<std::string> Listener::failureOf(Task<void> lookUp) {
  try {
    co_await base::withTimeout(runtime_.clock, options_.lookupTime, "the API took too long", std::move(lookUp));
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& problem) {
    co_return problem.what();
  }
  co_return "";
}

Task<json::Value> Listener::converted(json::Value review) {
  ConversionAnswer work(std::move(review));
  const auto turn = co_await conversions_.acquire();
  for (int done = 1; work.step(); ++done)
    if (done % objectsATurn == 0) co_await base::yieldToLoop();
  co_return std::move(work).take();
}

}  // namespace ingot::coordinator::webhooks
