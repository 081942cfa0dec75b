#include "bmc/redfish/connection.hpp"

#include "base/cut_text.hpp"
#include "base/redaction.hpp"
#include "bmc/redfish/answers.hpp"
#include "bmc/redfish/requests.hpp"
#include "bmc/redfish/retry_after.hpp"
#include "bmc/redfish/task.hpp"
#include "net/basic_credentials.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr base::Duration requestDeadline = std::chrono::seconds(60);
// A reading that took longer is no news any more, and whoever is more urgent waits for it.
constexpr base::Duration pollDeadline = std::chrono::seconds(30);
constexpr int maxRedirects = 3;
constexpr int maxReadTries = 3;
constexpr base::Duration retryPause = std::chrono::seconds(3);
constexpr base::Duration longestPause = std::chrono::seconds(10);  // of a reading: the next poll comes anyway
constexpr base::Duration refusalStands = std::chrono::minutes(10);
constexpr std::size_t mostRefusals = 64;
constexpr std::size_t longestBeginning = 64;  // of what is no path

// Another session would be refused as well.
bool saysThatLoginIsGood(const ErrorBody& body) {
  return body.has("InsufficientPrivilege") || body.has("OemLicenseNotPassed") || body.has("PasswordChangeRequired");
}

std::string etagOf(const net::HttpResponse& response, const json::Value& document) {
  const auto header = response.headers.get("ETag");
  return header.empty() ? json::textAt(document, {"@odata.etag"}) : std::string(header);
}

bool allows(const net::HttpResponse& response, std::string_view method) {
  return response.headers.get("Allow").find(method) != std::string_view::npos;
}

// About the If-Match of a request, or its lack.
bool isAboutMatch(const Refusal& refusal) {
  return refusal.status == 412 || refusal.status == 428 ||
         (refusal.status == 400 && refusal.body.has("PreconditionRequired"));
}

}  // namespace

Connection::Connection(base::Runtime runtime, net::HttpTransport& transport, Governor& governor,
                       std::shared_ptr<OpenSessions> sessions, ConnectionOptions options)
    : runtime_(std::move(runtime)),
      governor_(governor),
      sessions_(std::move(sessions)),
      options_(std::move(options)),
      sessionsKey_(OpenSessions::keyOf(options_.baseUrl, options_.login.username)),
      basic_(net::basicCredentials(options_.login.username, options_.login.password)),
      transport_(transport),
      client_(transport_.connect(clientOptions(options_.baseUrl, options_.tls))) {}

Connection::~Connection() = default;

// Some show it to nobody who has not logged in, and nothing at all to whoever was forgotten.
base::Task<ServiceRoot> Connection::root(Lane lane) {
  if (root_) co_return *root_;
  const net::HttpRequest request{.target = options_.rootPath};
  if (isLoggedIn()) co_return rootIn((co_await authorized(lane, request, nullptr)).response);
  const auto shown = (co_await followed(lane, Identified::no, request, nullptr)).response;
  if (!isAccessError(shown.status)) co_return rootIn(shown);
  co_return rootIn((co_await authorized(lane, request, nullptr)).response);
}

ServiceRoot Connection::rootIn(const net::HttpResponse& response) {
  if (!response.ok()) throw refusal(options_.rootPath, response.status, errorIn(response));
  ServiceRoot root;
  try {
    root = json::decode<ServiceRoot>(documentIn(response));
  } catch (const base::Error& error) {
    throw Error(Error::Code::protocol, fmt::format("{}{}: {}", options_.baseUrl, options_.rootPath, error.what()));
  }
  shorten(root);
  if (root.systems) root_ = root;  // one that starts shows a part
  return root;
}

base::Task<Read<json::Value>> Connection::getValue(Lane lane, std::string path) {
  for (int attempt = 1;; ++attempt) {
    const auto answer = co_await authorized(lane, {.target = path}, nullptr);
    const auto& response = answer.response;
    if (response.ok()) {
      try {
        auto document = documentIn(response);
        auto etag = etagOf(response, document);
        co_return Read<json::Value>{
            std::move(document),        answer.asked,        std::move(etag), allows(response, "PATCH"),
            allows(response, "DELETE"), response.body.size()};
      } catch (const base::Error& error) {
        throw Error(Error::Code::protocol, fmt::format("{}{}: {}", options_.baseUrl, path, error.what()));
      }
    }
    const auto pause = std::max<base::Duration>(retryAfter(response, runtime_.clock.wall()).value_or(retryPause),
                                                std::chrono::seconds(1));
    const bool passes = response.status >= 500 && response.status != 501 && response.status != 507;
    if (!passes || attempt >= maxReadTries || pause > longestPause)
      throw refusal(path, response.status, errorIn(response));
    co_await runtime_.clock.sleepFor(pause);
  }
}

base::Task<Look> Connection::look(Lane lane, std::string path) {
  const auto answer = co_await authorized(lane, {.target = path}, nullptr);
  Look seen{.status = answer.response.status, .retryAfter = retryAfter(answer.response, runtime_.clock.wall())};
  try {
    if (!answer.response.body.empty()) seen.document = documentIn(answer.response);
  } catch (const base::Error& error) {
    throw Error(Error::Code::protocol, fmt::format("{}{}: {}", options_.baseUrl, path, error.what()));
  }
  co_return seen;
}

base::Task<Written> Connection::post(Lane lane, std::string path, std::string body, WritePermit permit) {
  net::HttpRequest request{.method = "POST", .target = std::move(path), .body = std::move(body)};
  co_return co_await write(lane, std::move(request), std::move(permit));
}

base::Task<Written> Connection::remove(Lane lane, std::string path, WritePermit permit) {
  co_return co_await write(lane, {.method = "DELETE", .target = std::move(path)}, std::move(permit));
}

base::Task<Written> Connection::patch(Lane lane, std::string path, std::string body, std::string etag,
                                      WritePermit permit) {
  std::vector<std::string> forms{etag};  // in the order in which they are tried
  if (etag.starts_with("W/")) forms.push_back(etag.substr(2));
  if (!etag.empty()) forms.emplace_back();
  Written written;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    net::HttpRequest request{.method = "PATCH", .target = path, .body = body};
    if (!forms[i].empty()) request.headers.set("If-Match", forms[i]);
    written = co_await write(lane, std::move(request), permit);
    if (!written.refused || !isAboutMatch(*written.refused)) co_return written;
    if (i + 1 < forms.size() || forms[i] == "*") continue;
    if (etag.empty()) {
      if (auto fresh = (co_await getValue(lane, path)).etag; !fresh.empty()) forms.push_back(std::move(fresh));
    }
    forms.emplace_back("*");
  }
  co_return written;
}

base::Task<Written> Connection::write(Lane lane, net::HttpRequest request, WritePermit permit) {
  if (!request.body.empty()) request.headers.set("Content-Type", "application/json");
  const auto answer = co_await authorized(lane, std::move(request), &permit);
  const auto& response = answer.response;
  if (!response.ok()) co_return Written{.refused = Refusal{response.status, errorIn(response)}, .task = {}};
  co_return Written{.refused = std::nullopt,
                    .task = monitorOf(response),
                    .created = response.status == 201 ? resourcePathOf(response) : std::string(),
                    .goesOn = response.status == 202};
}

// A session that has run out is renewed once.
base::Task<Connection::Answer> Connection::authorized(Lane lane, net::HttpRequest request, const WritePermit* permit) {
  const auto before = session_.number;
  auto answer = co_await followed(lane, Identified::yes, request, permit);
  if (!isAccessError(answer.response.status)) co_return answer;

  const auto status = answer.response.status;
  const auto body = errorIn(answer.response);
  const bool isFresh = answer.session > before;
  const bool isKnown = isKnownRefusal(request.target, answer.session) && !body.has("NoValidSession");
  const bool isTooOften = session_.number == answer.session && logins_.isFull(now());
  if (answer.session == 0 || isFresh || saysThatLoginIsGood(body) || isKnown || isTooOften)
    throw refusalOfResource(request.target, answer, body);
  const auto old = co_await logIn(lane, answer.session, status == 401);
  answer = co_await followed(lane, Identified::yes, request, permit);
  if (!isAccessError(answer.response.status)) {
    // It had run out. A BMC that answers 403 may mean something else, and has few sessions.
    if (status == 403 && !isUrgent(lane))
      co_await deleteSession(lane, session_.token, old.path);
    else if (!old.path.empty())
      sessions_->closed(sessionsKey_, old.path);
    co_return answer;
  }
  // The session before was good, too: none is left behind at each refusal, and none taken for the next.
  if (!old.path.empty()) co_await deleteSession(lane, session_.token, old.path);
  for (auto& [path, known] : refusals_)
    if (known.session == old.number) known.session = session_.number;  // so these still hold
  noteRefusal(request.target);
  throw refusalOfResource(request.target, answer, errorIn(answer.response));
}

bool Connection::isKnownRefusal(const std::string& path, std::uint64_t session) const {
  const auto found = refusals_.find(path);
  return found != refusals_.end() && found->second.session == session && runtime_.clock.now() < found->second.until;
}

void Connection::noteRefusal(const std::string& path) {
  if (refusals_.size() >= mostRefusals) refusals_.clear();
  refusals_[path] = {session_.number, runtime_.clock.now() + refusalStands};
}

// A login that was just taken is good, whatever this resource wants: others use it, and it is not held back.
Error Connection::refusalOfResource(const std::string& path, const Answer& answer, const ErrorBody& body) const {
  const auto status = answer.response.status;
  auto error = refusal(path, status, body);
  const bool isLogin = answer.session == 0 && status == 401;
  if (error.code() != Error::Code::authenticationFailed || isLogin) return error;
  return {Error::Code::refused,
          fmt::format(
              "{}{}: HTTP {}: {} (the login was taken; does the account have the right, or is the BMC locked down?)",
              options_.baseUrl, path, status, body.detail)};
}

// A BMC that moves a resource keeps method and body, and stays the one BMC that gets our credentials. Whether 301 and
// 302 keep the method is anybody's guess: a write that is answered so is not repeated.
base::Task<Connection::Answer> Connection::followed(Lane lane, Identified identified, net::HttpRequest request,
                                                    const WritePermit* permit) {
  checkTarget(request.target);
  // Some BMCs compress badly; a few refuse to be asked not to (406).
  request.headers.set("Accept-Encoding", "identity");
  auto answer = co_await exchange(lane, identified, request, permit);
  if (answer.response.status == 406 && permit == nullptr) {
    request.headers.remove("Accept-Encoding");
    answer = co_await exchange(lane, identified, request, permit);
  }
  for (int hop = 0; isRedirect(answer.response.status); ++hop) {
    const auto status = answer.response.status;
    if (permit != nullptr && (status == 301 || status == 302))
      throw Error(Error::Code::refused,
                  fmt::format("{}{}: HTTP {}: the BMC moves a write elsewhere; is its address right (https, port)?",
                              options_.baseUrl, request.target, status));
    auto elsewhere = request;
    const std::string location = answer.response.headers.get("Location");
    elsewhere.target = pathOfLocation(location);
    if (elsewhere.target.empty() || hop >= maxRedirects || !isTarget(elsewhere.target))
      throw Error(Error::Code::protocol,
                  fmt::format("{}{}: redirected nowhere: HTTP {} to '{}'; is the BMC's address right (https, port)?",
                              options_.baseUrl, request.target, status, withoutSecrets(location)));
    answer = co_await exchange(lane, identified, std::move(elsewhere), permit);
  }
  co_return answer;
}

// A turn, as whoever we are logged in as by then: much may have changed while it was waited for.
base::Task<Connection::Entered> Connection::enter(Lane lane, Identified identified) {
  const bool isIdentified = identified == Identified::yes;
  while (true) {
    checkOpen();
    if (isIdentified && !isLoggedIn())
      if (const auto gone = co_await logIn(lane, session_.number, true); !gone.path.empty())
        sessions_->closed(sessionsKey_, gone.path);
    const bool showsPassword = isIdentified && usesBasic();
    auto turn = co_await governor_.enter(lane, showsPassword ? Credentials::password : Credentials::none);
    checkOpen();
    if (isIdentified && (!isLoggedIn() || usesBasic() != showsPassword)) continue;
    co_return Entered{std::move(turn), showsPassword};
  }
}

base::Task<Connection::Answer> Connection::exchange(Lane lane, Identified identified, net::HttpRequest request,
                                                    const WritePermit* permit) {
  std::optional<Entered> entered(co_await enter(lane, identified));
  if (permit != nullptr && !co_await isRecordedQuickly(runtime_.clock, *permit)) {
    entered.reset();  // the disk's time is not the BMC's
    co_await permit->record();
    entered.emplace(co_await enter(lane, identified));
  }
  auto& [turn, showsPassword] = *entered;
  if (identified == Identified::yes) authorize(request);
  Answer answer{.asked = runtime_.clock.now(), .session = showsPassword ? 0 : session_.number};
  answer.response =
      co_await send(turn, std::move(request), lane >= Lane::polling ? pollDeadline : requestDeadline, permit);
  if (showsPassword) learnOfBasic(answer.response);
  co_return answer;
}

// A write's permit is asked for as late as possible. Whatever goes wrong from then on, the BMC may have done it.
base::Task<net::HttpResponse> Connection::send(Governor::Turn& turn, net::HttpRequest request, base::Duration limit,
                                               const WritePermit* permit) {
  request.headers.set("Accept", "application/json");
  request.headers.set("OData-Version", "4.0");
  // Some BMCs reset a kept connection when it is used again. A write would be lost, and nobody could say whether it
  // arrived.
  if (request.method == "POST" || request.method == "PATCH") request.headers.set("Connection", "close");
  request.bodyLimit = bodyLimit;
  request.deadline = limit;
  bool left = false;
  request.beforeSending = [&turn] { turn.connected(); };
  if (permit != nullptr) {
    if (permit->timeLimit) request.deadline = std::min(limit, permit->timeLimit());
    request.beforeSending = [&turn, &left, permit] {
      turn.connected();
      if (permit->beforeSending) permit->beforeSending();
      left = true;
    };
  }
  const auto isOver = [&] {
    if (left && permit->afterwards) permit->afterwards();
  };
  try {
    auto response = co_await client_->send(std::move(request));
    isOver();
    turn.answered();
    co_return response;
  } catch (const net::HttpError& error) {
    isOver();
    const auto failure = fromTransport(error);
    turn.failed(failure.code());
    if (left) throw Error(Error::Code::outcomeUnknown, failure.what());
    throw failure;
  }
}

void Connection::checkOpen() const {
  if (closed_) throw Error(Error::Code::notPermitted, options_.baseUrl + ": the session has been closed");
}

void Connection::checkTarget(const std::string& path) const {
  if (!isTarget(path)) throw Error(Error::Code::protocol, fmt::format("{}: {}", options_.baseUrl, whyNoTarget(path)));
}

std::string Connection::whyNoTarget(const std::string& path) const {
  return fmt::format("a path of {} bytes, which begins with {}: it is not asked for", path.size(),
                     base::oneLine(redacted(path), longestBeginning));
}

std::array<base::Secret, 3> Connection::secrets() const { return {options_.login.password, session_.token, basic_}; }

ErrorBody Connection::errorIn(const net::HttpResponse& response) const {
  return readErrorBody(response.body, secrets());
}

std::string Connection::withoutSecrets(std::string text) const { return printable(redacted(std::move(text))); }

std::string Connection::redacted(std::string text) const { return base::redacted(std::move(text), secrets()); }

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
