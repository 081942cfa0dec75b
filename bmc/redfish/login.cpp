// How a connection logs in, stays so, and out (spec/bmc.md §3, docs/decisions/0002).
#include "base/redaction.hpp"
#include "base/sync.hpp"
#include "bmc/redfish/answers.hpp"
#include "bmc/redfish/connection.hpp"
#include "bmc/redfish/walker.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr base::Duration loginDeadline = std::chrono::seconds(30);
constexpr base::Duration logoutDeadline = std::chrono::seconds(20);
// For whoever is cancelled in the middle of a login: a session whose number was never read is closed by nobody.
constexpr base::Duration untilLoggedIn = std::chrono::seconds(2);
constexpr int maxLoginRedirects = 3;
constexpr base::Duration sessionsMayReturn = std::chrono::minutes(2);
constexpr base::Duration basicFor = std::chrono::minutes(10);  // a service that starts may not have its sessions yet

// Of the session that is shown; "": none is, or nobody can read it.
std::string userOf(const net::HttpResponse& response) {
  if (!response.ok()) return {};
  try {
    return json::decode<SessionResource>(documentIn(response)).userName.value_or("");
  } catch (const base::Error&) {
    return {};
  }
}

// Ends what closesLeft_ says, however it ends.
struct Closing {
  explicit Closing(bool& of) : flag(of) {}
  ~Closing() { flag = false; }
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;
  bool& flag;
};

}  // namespace

// Takes the place of the session `stale`, unless somebody else has done so by the time it is our turn. The session
// before, if it was replaced.
base::Task<Connection::Session> Connection::logIn(Lane lane, std::uint64_t stale, bool isDead) {
  const auto path = co_await sessionsPath(lane);
  if (path.empty()) {
    basicUntil_ = runtime_.clock.now() + basicFor;
    root_.reset();  // one that starts may not show its sessions yet
  }
  if (usesBasic()) co_return Session{};
  Session old;
  try {
    auto turn = co_await governor_.enter(lane, Credentials::password);
    checkOpen();
    if (usesBasic() || session_.number != stale) co_return Session{};
    auto opened = sessionIn(path, co_await base::withGrace(runtime_.clock, untilLoggedIn, askForSession(turn, path)));
    if (usesBasic()) co_return Session{};
    logins_.took(now());
    sessions_->opened(sessionsKey_, opened.path);
    old = std::exchange(session_, std::move(opened));
  } catch (const Error& error) {
    const bool isRefused = error.code() == Error::Code::authenticationFailed || error.code() == Error::Code::lockedOut;
    if (isRefused && isDead && session_.number == stale) session_.token = {};  // not shown again and again
    throw;
  }
  if (!old.token.empty()) root_.reset();  // a BMC that has restarted may have another firmware
  if (closed_) {
    co_await leaveQuickly(lane);
    checkOpen();
  }
  co_return old;
}

// Also where the caller was cancelled meanwhile.
base::Task<void> Connection::leaveQuickly(Lane lane) {
  const auto session = std::exchange(session_, {.number = session_.number});
  try {
    co_await base::shielded(base::withTimeout(runtime_.clock, untilLoggedIn, "logging out of the BMC",
                                              deleteSession(lane, session.token, session.path)));
  } catch (const base::TimedOut&) {
    sessions_->remained(sessionsKey_, session.path);
  }
}

base::Task<net::HttpResponse> Connection::askForSession(Governor::Turn& turn, std::string path) {
  json::Object body;
  body["UserName"] = options_.login.username;
  body["Password"] = options_.login.password.reveal();
  net::HttpRequest request{.method = "POST", .target = std::move(path), .body = json::serialize(body)};
  request.headers.set("Content-Type", "application/json");
  auto response = co_await send(turn, request, loginDeadline, nullptr);
  for (int hop = 0; (response.status == 307 || response.status == 308) && hop < maxLoginRedirects; ++hop) {
    request.target = pathOfLocation(response.headers.get("Location"));
    response = co_await send(turn, request, loginDeadline, nullptr);
  }
  co_return response;
}

// What became of the login; the governor learns it. A service without sessions is spoken to by Basic from now on.
Connection::Session Connection::sessionIn(const std::string& path, const net::HttpResponse& response) {
  const auto status = response.status;
  const auto token = response.ok() ? response.headers.get("X-Auth-Token") : std::string();
  const bool hasNone = (response.ok() && token.empty()) || status == 404 || status == 405 || status == 501;
  if (hasNone && hasGivenUpSessions()) {
    basicUntil_ = runtime_.clock.now() + basicFor;
    return {};
  }
  if (!token.empty()) {
    governor_.passwordTaken();
    noSessionsSince_.reset();
    return {base::Secret(token), resourcePathOf(response), session_.number + 1};
  }
  const auto body = errorIn(response);
  const bool isFull = body.has("SessionLimitExceeded") || body.has("CreateLimitReachedForResource");
  if (status == 503 || isFull) throw Error(Error::Code::busy, options_.baseUrl + " has no free session");
  if (status == 400) {  // some know no other way to say so
    governor_.passwordRefused();
    throw Error(Error::Code::authenticationFailed,
                fmt::format("{} refused the user name or password (HTTP 400: {})", options_.baseUrl, body.detail));
  }
  const auto error = refusal(path, status, body);
  if (error.code() == Error::Code::authenticationFailed) governor_.passwordRefused();
  throw hasNone
      ? Error(Error::Code::busy, fmt::format("{} has no sessions at the moment: HTTP {}", options_.baseUrl, status))
      : error;
}

// One that has had sessions may just be starting.
bool Connection::hasGivenUpSessions() {
  const auto now = runtime_.clock.now();
  if (!noSessionsSince_) noSessionsSince_ = now;
  return session_.number == 0 || now - *noSessionsSince_ > sessionsMayReturn;
}

// Of an earlier process, which was killed. One of another user has been given its number since.
base::Task<void> Connection::closeLeftSessions(Lane lane) {
  if (session_.token.empty() || std::exchange(closesLeft_, true)) co_return;
  const Closing closing(closesLeft_);
  for (const auto& path : sessions_->left(sessionsKey_)) {
    try {
      co_await closeLeft(lane, path);
    } catch (const base::Cancelled&) {
      throw;
    } catch (const base::Error& error) {  // another time
      runtime_.log.debug("did not see to an old session of the BMC",
                         {{"bmc", options_.baseUrl}, {"error", base::redacted(error.what(), options_.login.password)}});
    }
  }
}

// Only where sessions are: whoever the BMC was taken for when the path was noted may have named something else.
base::Task<void> Connection::closeLeft(Lane lane, std::string path) {
  const auto collection = std::string(withoutSlash(co_await sessionsPath(lane)));
  if (collection.empty() || !path.starts_with(collection + "/")) co_return sessions_->closed(sessionsKey_, path);
  const auto answer = co_await followed(lane, Identified::yes, {.target = path}, nullptr);
  const auto status = answer.response.status;
  if (!answer.response.ok() && status != 404 && !isAccessError(status)) co_return;
  if (path == session_.path || std::ranges::count(sessions_->left(sessionsKey_), path) == 0) co_return;  // given anew
  const bool isOurs = answer.response.ok() &&
                      json::decode<SessionResource>(documentIn(answer.response)).userName == options_.login.username;
  if (isOurs) co_return co_await deleteSession(lane, session_.token, std::move(path));
  sessions_->closed(sessionsKey_, path);
}

base::Task<int> Connection::closeOtherSessions(Lane lane, WritePermit permit) {
  const auto collection = co_await sessionsPath(lane);
  if (collection.empty() || usesBasic()) throw Error(Error::Code::unsupported, "the BMC has no sessions");
  const auto folder = std::string(withoutSlash(collection)) + "/";
  Walker walker(*this, lane);
  auto members = co_await walker.memberPaths(Link{collection});
  if (!walker.unread().empty()) throw Error(Error::Code::busy, walker.unread().front());
  std::erase_if(members, [&](const std::string& path) { return !path.starts_with(folder); });
  if (session_.path.empty())
    throw Error(Error::Code::unsupported, "the BMC does not tell which of its sessions is the agent's own");
  int closed = 0, refused = 0;
  for (const auto& path : members) {
    const auto answer = co_await followed(lane, Identified::yes, {.target = path}, nullptr);
    const bool isOurs = withoutSlash(path) == withoutSlash(session_.path);
    if (isOurs || userOf(answer.response) != options_.login.username) continue;
    const auto written = co_await remove(lane, path, permit);
    ++(written.refused && written.refused->status != 404 ? refused : closed);
  }
  if (refused > 0)
    throw Error(Error::Code::refused, fmt::format("the BMC refused to close {} of its sessions", refused));
  co_return closed;
}

base::Task<ServiceRoot> Connection::unidentifiedRoot(Lane lane) {
  if (root_) co_return *root_;
  co_return rootIn((co_await followed(lane, Identified::no, {.target = options_.rootPath}, nullptr)).response);
}

// The path at which sessions are created; "" when the service says that it has none. A service that does not show its
// root without a login is expected to use the usual path.
base::Task<std::string> Connection::sessionsPath(Lane lane) {
  const std::string usual = options_.rootPath + "SessionService/Sessions";
  try {
    const auto service = co_await unidentifiedRoot(lane);
    if (service.links && service.links->sessions && service.links->sessions->id) co_return *service.links->sessions->id;
    co_return service.sessionService ? usual : std::string();
  } catch (const Error& error) {
    if (error.code() != Error::Code::authenticationFailed) throw;
  }
  co_return usual;
}

base::Task<void> Connection::close(std::string last) {
  closed_ = true;  // whoever still holds this connection would open a session that nobody closes
  const auto session = std::exchange(session_, {.number = session_.number});
  if (session.token.empty()) co_return;
  if (!last.empty()) static_cast<void>(co_await deleteWith(Lane::reconcile, session.token, std::move(last)));
  co_await deleteSession(Lane::reconcile, session.token, session.path);
}

base::Task<void> Connection::deleteSession(Lane lane, base::Secret token, std::string path) {
  if (path.empty()) co_return;
  if (co_await deleteWith(lane, std::move(token), path))
    sessions_->closed(sessionsKey_, path);
  else
    sessions_->remained(sessionsKey_, path);
}

// False: the BMC did not answer, or was at fault.
base::Task<bool> Connection::deleteWith(Lane lane, base::Secret token, std::string path) {
  net::HttpRequest request{.method = "DELETE", .target = std::move(path)};
  request.headers.set("X-Auth-Token", token.reveal());
  try {
    checkTarget(request.target);
    auto turn = co_await governor_.enter(lane, Credentials::none);
    co_return (co_await send(turn, std::move(request), logoutDeadline, nullptr)).status < 500;
  } catch (const Error& error) {
    runtime_.log.debug("could not log out of the BMC",
                       {{"bmc", options_.baseUrl}, {"error", base::redacted(error.what(), options_.login.password)}});
  }
  co_return false;
}

void Connection::authorize(net::HttpRequest& request) const {
  if (usesBasic())
    request.headers.set("Authorization", "Basic " + basic_.reveal());
  else
    request.headers.set("X-Auth-Token", session_.token.reveal());
}

void Connection::learnOfBasic(const net::HttpResponse& response) {
  if (response.ok()) return governor_.passwordTaken();
  if (response.status != 401) return;
  governor_.passwordRefused();
  basicUntil_ = {};  // the next login asks whether there are sessions
  root_.reset();
}

}  // namespace ingot::bmc::redfish
