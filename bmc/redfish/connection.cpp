#include "bmc/redfish/connection.hpp"

#include "base/redaction.hpp"
#include "base/utf8.hpp"
#include "net/basic_credentials.hpp"
#include "net/url.hpp"

#include <array>

namespace ingot::bmc::redfish {

namespace {

constexpr base::Duration requestDeadline = std::chrono::seconds(60);
constexpr std::size_t bodyLimit = 4u << 20;  // the largest honest resource is some 200 KiB
constexpr int maxRedirects = 3;
constexpr int maxReadTries = 3;
constexpr base::Duration retryPause = std::chrono::seconds(3);
constexpr base::Duration longestPause = std::chrono::seconds(10);  // others want to speak to this BMC too

Error fromTransport(const net::HttpError& error) {
  using Code = net::HttpError::Code;
  switch (error.code()) {
    case Code::unreachable: return {Error::Code::unreachable, error.what()};
    case Code::reset:
    case Code::timeout: return {Error::Code::timeout, error.what()};
    case Code::tls: return {Error::Code::tls, error.what()};
    case Code::bodyTooLarge:
    case Code::badRequest:
    case Code::protocol: break;
  }
  return {Error::Code::protocol, error.what()};
}

// BMCs answer with absolute URLs of names that we may not know: only path and query count.
std::string pathOfLocation(const std::string& location) {
  if (location.starts_with("/")) return location;
  const auto url = net::parseUrl(location);
  if (!url) return {};
  return url->query.empty() ? url->path : url->path + "?" + url->query;
}

// A letter of another code, in an asset tag say, hides nothing of a document.
json::Value documentIn(const net::HttpResponse& response) { return json::parse(base::toUtf8(response.body)); }

// Without it the session cannot be deleted later.
std::string sessionPathOf(const net::HttpResponse& login) {
  if (const auto location = login.headers.find("Location")) return pathOfLocation(*location);
  try {
    const auto session = json::decode<Link>(documentIn(login));
    return pathOfLocation(session.id.value_or(""));
  } catch (const base::Error&) {
    return {};
  }
}

bool isRedirect(int status) { return status == 301 || status == 302 || status == 307 || status == 308; }
bool isAccessError(int status) { return status == 401 || status == 403; }

base::Duration retryAfter(const net::HttpResponse& response) {
  const auto text = response.headers.get("Retry-After");
  int seconds = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return ec != std::errc() || seconds <= 0 ? retryPause : std::chrono::seconds(seconds);
}

net::ClientOptions clientOptions(const ConnectionOptions& options) {
  net::ClientOptions client{.baseUrl = options.baseUrl};
  client.tls.verify = options.verifyCertificate;
  client.tls.caFile = options.caFile;
  client.maxConnections = 1;
  client.userAgent = "ingot-agent";
  return client;
}

}  // namespace

Connection::Connection(base::Runtime runtime, net::HttpTransport& transport, Governor& governor,
                       std::shared_ptr<OpenSessions> sessions, ConnectionOptions options)
    : runtime_(std::move(runtime)),
      governor_(governor),
      sessions_(std::move(sessions)),
      options_(std::move(options)),
      client_(transport.connect(clientOptions(options_))) {}

Connection::~Connection() = default;

base::Task<ServiceRoot> Connection::root(Lane lane) {
  if (!root_) {
    const auto identified = isLoggedIn() ? Identified::yes : Identified::no;
    const auto [response, asked, token] = co_await followed(lane, identified, {.target = options_.rootPath}, nullptr);
    if (!response.ok()) throw refusal(options_.rootPath, response.status, errorIn(response));
    try {
      root_ = json::decode<ServiceRoot>(documentIn(response));
    } catch (const base::Error& error) {
      throw Error(Error::Code::protocol, fmt::format("{}{}: {}", options_.baseUrl, options_.rootPath, error.what()));
    }
  }
  co_return *root_;
}

base::Task<Read<json::Value>> Connection::getValue(Lane lane, std::string path) {
  for (int attempt = 1;; ++attempt) {
    const auto [response, asked, token] = co_await authorized(lane, {.target = path}, nullptr);
    if (response.ok()) {
      try {
        co_return Read<json::Value>{documentIn(response), asked};
      } catch (const base::Error& error) {
        throw Error(Error::Code::protocol, fmt::format("{}{}: {}", options_.baseUrl, path, error.what()));
      }
    }
    const auto pause = retryAfter(response);
    if (response.status < 500 || attempt >= maxReadTries || pause > longestPause)
      throw refusal(path, response.status, errorIn(response));
    co_await runtime_.clock.sleepFor(pause);
  }
}

base::Task<std::optional<Refusal>> Connection::post(Lane lane, std::string path, std::string body, WritePermit permit) {
  net::HttpRequest request{.method = "POST", .target = path, .body = std::move(body)};
  request.headers.set("Content-Type", "application/json");
  const auto answer = co_await authorized(lane, std::move(request), &permit);
  if (answer.response.ok()) co_return std::nullopt;
  co_return Refusal{answer.response.status, errorIn(answer.response)};
}

// The request carries the credentials; a session that has run out is renewed once.
base::Task<Connection::Answer> Connection::authorized(Lane lane, net::HttpRequest request, const WritePermit* permit) {
  const bool freshLogin = !isLoggedIn();
  if (freshLogin) co_await logIn(lane, {});
  auto answer = co_await followed(lane, Identified::yes, request, permit);
  if (!isAccessError(answer.response.status)) {
    if (!isUrgent(lane)) co_await closeLeftSessions(lane);
    co_return answer;
  }

  const auto status = answer.response.status;
  const auto body = errorIn(answer.response);
  const bool renewable = !basic_ && !freshLogin && !body.has("InsufficientPrivilege") &&
                         !body.has("OemLicenseNotPassed") && !body.has("PasswordChangeRequired");
  if (!renewable) throw refusalOfResource(request.target, status, body);
  // It may be good still: not one more at each refusal.
  if (status == 403 && answer.token == token_)
    co_await deleteSession(lane, answer.token, std::exchange(sessionPath_, {}));
  co_await logIn(lane, answer.token);
  answer = co_await followed(lane, Identified::yes, request, permit);
  if (isAccessError(answer.response.status))
    throw refusalOfResource(request.target, answer.response.status, errorIn(answer.response));
  co_return answer;
}

// A login that was just taken is good, whatever this resource wants: others use it, and it is not held back.
Error Connection::refusalOfResource(const std::string& path, int status, const ErrorBody& body) const {
  auto error = refusal(path, status, body);
  const bool isLogin = error.code() == Error::Code::authenticationFailed && (basic_ && status == 401);
  if (error.code() != Error::Code::authenticationFailed || isLogin) return error;
  return {Error::Code::refused,
          fmt::format(
              "{}{}: HTTP {}: {} (the login was taken; does the account have the right, or is the BMC locked down?)",
              options_.baseUrl, path, status, body.detail)};
}

// Takes the place of the session `stale`, unless somebody else has done so by the time it is our turn.
base::Task<void> Connection::logIn(Lane lane, base::Secret stale) {
  const auto path = co_await sessionsPath(lane);
  if (path.empty()) basic_ = true;
  if (basic_) co_return;
  auto turn = co_await governor_.enter(lane, Credentials::password);
  checkOpen();
  if (basic_ || !(token_ == stale)) co_return;
  json::Object body;
  body["UserName"] = options_.login.username;
  body["Password"] = options_.login.password.reveal();
  net::HttpRequest request{.method = "POST", .target = path, .body = json::serialize(body)};
  request.headers.set("Content-Type", "application/json");
  const auto response = co_await send(turn, std::move(request), nullptr);

  if (isAccessError(response.status)) {
    const auto error = refusal(path, response.status, errorIn(response));
    if (error.code() == Error::Code::authenticationFailed) governor_.passwordRefused();
    throw error;
  }
  if (response.status == 503) throw Error(Error::Code::busy, options_.baseUrl + " has no free session");
  const bool knowsNone = response.status == 501;  // no SessionService, as 400, 404 and 405 say
  if (!knowsNone && (response.status >= 500 || response.status == 429))
    throw refusal(path, response.status, errorIn(response));  // a bad moment says nothing of how to log in
  auto token = base::Secret(response.headers.get("X-Auth-Token"));
  basic_ = !response.ok() || token.empty();
  if (basic_) co_return;
  governor_.passwordTaken();
  token_ = std::move(token);
  sessions_->closed(options_.baseUrl, sessionPath_);  // it has run out
  sessionPath_ = sessionPathOf(response);
  sessions_->opened(options_.baseUrl, sessionPath_);
}

// Of an earlier process, which was killed. One of another user has been given its number since.
base::Task<void> Connection::closeLeftSessions(Lane lane) {
  if (token_.empty()) co_return;
  for (const auto& path : sessions_->left(options_.baseUrl)) {
    try {
      const auto answer = co_await followed(lane, Identified::yes, {.target = path}, nullptr);
      const auto user =
          answer.response.ok() ? json::decode<Session>(documentIn(answer.response)).userName : std::nullopt;
      if (user == options_.login.username) co_await deleteSession(lane, token_, path);
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error& error) {
      runtime_.log.debug("could not see an old session of the BMC", {{"bmc", options_.baseUrl}, {"path", path}});
    }
    sessions_->closed(options_.baseUrl, path);
  }
}

// The path at which sessions are created; "" when the service says that it has none. A service that does not show its
// root without a login is expected to use the usual path.
base::Task<std::string> Connection::sessionsPath(Lane lane) {
  const std::string usual = options_.rootPath + "SessionService/Sessions";
  try {
    const auto service = co_await root(lane);
    if (service.links && service.links->sessions && service.links->sessions->id) co_return *service.links->sessions->id;
    co_return service.sessionService ? usual : std::string();
  } catch (const Error& error) {
    if (error.code() != Error::Code::authenticationFailed) throw;
  }
  co_return usual;
}

void Connection::authorize(net::HttpRequest& request) const {
  request.headers.remove(basic_ ? "X-Auth-Token" : "Authorization");  // of the login before
  if (basic_)
    request.headers.set("Authorization",
                        "Basic " + net::basicCredentials(options_.login.username, options_.login.password));
  else
    request.headers.set("X-Auth-Token", token_.reveal());
}

// A BMC that moves a resource keeps method and body, and stays the one BMC that gets our credentials. Whether 301 and
// 302 keep the method is anybody's guess: a write that is answered so is not repeated.
base::Task<Connection::Answer> Connection::followed(Lane lane, Identified identified, net::HttpRequest request,
                                                    const WritePermit* permit) {
  auto answer = co_await exchange(lane, identified, request, permit);
  if (answer.response.status == 406 && std::exchange(identityOnly_, false))
    answer = co_await exchange(lane, identified, request, permit);
  for (int hop = 0; isRedirect(answer.response.status); ++hop) {
    const auto status = answer.response.status;
    if (permit && (status == 301 || status == 302))
      throw Error(Error::Code::refused,
                  fmt::format("{}{}: HTTP {}: the BMC moves a write elsewhere; is its address right (https, port)?",
                              options_.baseUrl, request.target, status));
    auto elsewhere = request;
    elsewhere.target = pathOfLocation(answer.response.headers.get("Location"));
    if (elsewhere.target.empty() || hop >= maxRedirects)
      throw Error(Error::Code::protocol, fmt::format("{}{}: redirected nowhere", options_.baseUrl, request.target));
    answer = co_await exchange(lane, identified, std::move(elsewhere), permit);
  }
  co_return answer;
}

// In a turn of its own.
base::Task<Connection::Answer> Connection::exchange(Lane lane, Identified identified, net::HttpRequest request,
                                                    const WritePermit* permit) {
  const bool showsPassword = identified == Identified::yes && basic_;
  auto turn = co_await governor_.enter(lane, showsPassword ? Credentials::password : Credentials::none);
  checkOpen();
  if (identified == Identified::yes) authorize(request);  // by the session of now: it may have been renewed meanwhile
  Answer answer{.asked = runtime_.clock.now(), .token = token_};
  answer.response = co_await send(turn, std::move(request), permit);
  if (showsPassword && answer.response.status == 401) governor_.passwordRefused();
  if (showsPassword && answer.response.ok()) governor_.passwordTaken();
  co_return answer;
}

// A write's permit is asked for as late as possible. Whatever goes wrong from then on, the BMC may have done it.
base::Task<net::HttpResponse> Connection::send(Governor::Turn& turn, net::HttpRequest request,
                                               const WritePermit* permit) {
  request.headers.set("Accept", "application/json");
  request.headers.set("OData-Version", "4.0");
  if (identityOnly_) request.headers.set("Accept-Encoding", "identity");
  // Some BMCs reset a kept connection when it is used again. A write would be lost, and nobody could say whether it
  // arrived.
  if (request.method == "POST") request.headers.set("Connection", "close");
  request.bodyLimit = bodyLimit;
  request.deadline = requestDeadline;
  bool left = false;
  if (permit) {
    if (permit->timeLimit) request.deadline = std::min(requestDeadline, permit->timeLimit());
    request.beforeSending = [&left, permit] {
      if (permit->beforeSending) permit->beforeSending();
      left = true;
    };
  }
  try {
    auto response = co_await client_->send(std::move(request));
    turn.answered();
    co_return response;
  } catch (const net::HttpError& error) {
    const auto failure = fromTransport(error);
    turn.failed(failure.code());
    if (left) throw Error(Error::Code::outcomeUnknown, failure.what());
    throw failure;
  }
}

void Connection::checkOpen() const {
  if (closed_) throw Error(Error::Code::notPermitted, options_.baseUrl + ": the session has been closed");
}

ErrorBody Connection::errorIn(const net::HttpResponse& response) const {
  const auto& login = options_.login;
  const std::array secrets{login.password, token_, base::Secret(net::basicCredentials(login.username, login.password))};
  return readErrorBody(response.body, secrets);
}

base::Task<void> Connection::close() {
  closed_ = true;  // whoever still holds this connection would open a session that nobody closes
  const auto token = std::exchange(token_, {});
  if (!token.empty()) co_await deleteSession(Lane::reconcile, token, std::exchange(sessionPath_, {}));
}

base::Task<void> Connection::deleteSession(Lane lane, base::Secret token, std::string path) {
  if (path.empty()) co_return;
  sessions_->closed(options_.baseUrl, path);
  net::HttpRequest request{.method = "DELETE", .target = std::move(path)};
  request.headers.set("X-Auth-Token", token.reveal());
  try {
    auto turn = co_await governor_.enter(lane, Credentials::none);
    co_await send(turn, std::move(request), nullptr);
  } catch (const Error& error) {
    runtime_.log.debug("could not log out of the BMC",
                       {{"bmc", options_.baseUrl}, {"error", base::redacted(error.what(), options_.login.password)}});
  }
}

Error Connection::refusal(const std::string& path, int status, const ErrorBody& body) const {
  const auto where = options_.baseUrl + path;
  if (isAccessError(status)) {
    if (body.has("InsufficientPrivilege") || body.has("OemLicenseNotPassed"))
      return {Error::Code::refused, fmt::format("{}: HTTP {}: {}", where, status, body.detail)};
    if (body.has("PasswordChangeRequired"))
      return {
          Error::Code::refused,
          fmt::format("{} does nothing for {} before the password of that account is changed (PasswordChangeRequired): "
                      "change it there, then in the Secret",
                      options_.baseUrl, options_.login.username)};
    return {Error::Code::authenticationFailed,
            fmt::format("{} refused the user name or password (HTTP {})", options_.baseUrl, status)};
  }
  const auto text = fmt::format("{}: HTTP {}: {}", where, status, body.detail);
  if (status == 503) return {Error::Code::busy, text};
  if (status == 404 || status == 405 || status == 501) return {Error::Code::unsupported, text};
  if (status >= 500 || status == 429) return {Error::Code::busy, text};
  return {Error::Code::refused, text};
}

}  // namespace ingot::bmc::redfish
