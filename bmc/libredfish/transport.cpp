#include "bmc/libredfish/transport.hpp"

#include "base/process_limits.hpp"
#include "base/sync.hpp"
#include "bmc/libredfish/exchange.hpp"
#include "bmc/libredfish/possible.hpp"
#include "net/basic_credentials.hpp"
#include "net/exchange_rules.hpp"

#include <cstdlib>

namespace ingot::bmc::libredfish {

namespace {

using net::HttpError;

// A thread that has not answered by then may have missed the request (exchange.hpp).
constexpr std::chrono::milliseconds untilNudged{250};

// What the calls of one client have in common.
struct ClientState {
  ClientState(base::Runtime r, net::ClientOptions o, std::shared_ptr<Services> s)
      : runtime(std::move(r)),
        options(std::move(o)),
        origin(net::Origin::parse(options.baseUrl)),
        services(std::move(s)),
        connections(runtime.executor, options.maxConnections) {}

  base::Runtime runtime;
  net::ClientOptions options;
  net::Origin origin;
  std::shared_ptr<Services> services;
  base::Semaphore connections;
  std::vector<Service> idle;  // each with its connection, for the next requests
};

// A request that libredfish has. It stays until that is through with it, also when nobody waits for it any more: so
// long its client has a connection less.
class Call : public std::enable_shared_from_this<Call> {
 public:
  Call(std::shared_ptr<ClientState> client, base::Semaphore::Units unit, bool isAlone)
      : changed(client->runtime.executor), client_(std::move(client)), unit_(std::move(unit)), isAlone_(isAlone) {
    auto& idle = client_->idle;
    if (isAlone_ || idle.empty() || client_->services->hasEnded()) {
      service_ = client_->services->open(client_->origin.url.origin());
    } else {
      service_ = std::move(idle.back());
      idle.pop_back();
    }
  }

  void start(const net::HttpRequest& request, const std::string& url, std::chrono::seconds limit) {
    startExchange(service_, request, url, limit, client_->runtime.executor,
                  [self = shared_from_this()](Outcome outcome) { self->finish(std::move(outcome)); });
  }
  void nudge() const { libredfish::nudge(service_); }

  base::Notifier changed;  // notified when the request is over
  [[nodiscard]] bool isOver() const { return outcome_.has_value(); }
  [[nodiscard]] Outcome take() { return std::move(*outcome_); }

 private:
  void finish(Outcome outcome) {
    outcome_ = std::move(outcome);
    if (!isAlone_) client_->idle.push_back(std::move(service_));
    service_.reset();
    unit_.release();
    changed.notifyAll();
  }

  std::shared_ptr<ClientState> client_;
  base::Semaphore::Units unit_;
  bool isAlone_;
  Service service_;
  std::optional<Outcome> outcome_;
};

HttpError late(const std::string& name, std::string_view why) {
  return {HttpError::Code::timeout, fmt::format("{}: {}", name, why)};
}

net::HttpResponse responseOf(Outcome outcome, const std::string& name, std::size_t bodyLimit) {
  auto& response = outcome.response;
  if (response.body.size() > bodyLimit)
    throw HttpError(HttpError::Code::bodyTooLarge,
                    fmt::format("{}: the answer is larger than {} bytes", name, bodyLimit));
  if (outcome.lacksLocation && response.status == 202 && response.body.empty())
    throw HttpError(HttpError::Code::protocol,
                    name + ": where to ask how it goes on is told by a whole URL, which libredfish cuts off");
  return std::move(response);
}

class Client final : public net::HttpClient {
 public:
  explicit Client(std::shared_ptr<ClientState> state) : state_(std::move(state)) {}

  base::Task<net::HttpResponse> send(net::HttpRequest request) override {
    const auto state = state_;
    auto& clock = state->runtime.clock;
    const auto deadline = clock.now() + request.deadline;
    const auto target = state->origin.resolve(request.target);
    addUsualHeaders(request, state->options);
    net::checkSendable(request, target);
    checkRequest(request, target);
    const auto name = net::nameOf(request, state->origin, target);
    auto unit = co_await net::acquireConnection(state->connections, clock, deadline, name);
    const auto call = std::make_shared<Call>(state, std::move(unit), wantsOwnConnection(request));
    const auto limit = begin(*call, request, state->origin.url.origin() + target, name, deadline);
    const auto begun = clock.now();
    if (!call->isOver() && !co_await call->changed.waitUntil(clock, std::min(deadline, begun + untilNudged)))
      call->nudge();
    while (!call->isOver())
      if (!co_await call->changed.waitUntil(clock, deadline)) throw late(name, "no answer in time");
    auto outcome = call->take();
    if (!outcome.isAnswered && clock.now() - begun >= limit) throw late(name, "no answer in time");
    if (!outcome.isAnswered)
      throw HttpError(HttpError::Code::reset,
                      name +
                          ": libredfish had no answer, and does not say why: is it running, are address and port "
                          "right, and is it http or https? With --redfish-transport curl the reason is told");
    co_return responseOf(std::move(outcome), name, request.bodyLimit);
  }

  base::Task<std::unique_ptr<net::HttpStream>> open(net::HttpRequest request) override {
    throw HttpError(HttpError::Code::badRequest,
                    net::nameOf(request, state_->origin, state_->origin.resolve(request.target)) +
                        ": libredfish hands over whole answers only, and no stream; --redfish-transport curl does");
    co_return nullptr;
  }

 private:
  static void addUsualHeaders(net::HttpRequest& request, const net::ClientOptions& options) {
    auto& headers = request.headers;
    const auto addIfAbsent = [&headers](std::string_view name, std::string value) {
      if (!value.empty() && !headers.find(name)) headers.set(name, std::move(value));
    };
    addIfAbsent("User-Agent", options.userAgent);
    if (!options.basicUser.empty())
      addIfAbsent("Authorization", "Basic " + net::basicCredentials(options.basicUser, options.basicPassword));
    else if (!options.bearerToken.empty())
      addIfAbsent("Authorization", "Bearer " + options.bearerToken.reveal());
  }

  // How long libredfish has for it.
  std::chrono::seconds begin(Call& call, const net::HttpRequest& request, const std::string& url,
                             const std::string& name, base::MonoTime deadline) const {
    auto& clock = state_->runtime.clock;
    constexpr std::string_view tooLate = "too little is left of its time: libredfish may need five seconds to begin";
    if (!timeFor(request, deadline - clock.now())) throw late(name, tooLate);
    if (request.beforeSending) request.beforeSending();
    const auto limit = timeFor(request, deadline - clock.now());  // that may have taken long
    if (!limit) throw late(name, tooLate);
    call.start(request, url, *limit);
    return *limit;
  }

  std::shared_ptr<ClientState> state_;
};

class Transport final : public net::HttpTransport {
 public:
  explicit Transport(base::Runtime runtime) : runtime_(std::move(runtime)), services_(std::make_shared<Services>()) {
    base::ignoreBrokenPipes();
  }
  ~Transport() override { services_->end(); }

  std::unique_ptr<net::HttpClient> connect(net::ClientOptions options) override {
    checkClient(options);
    return std::make_unique<Client>(std::make_shared<ClientState>(runtime_, std::move(options), services_));
  }

 private:
  base::Runtime runtime_;
  std::shared_ptr<Services> services_;
};

std::optional<std::string> environmentVariable(std::string_view name) {
  const char* const value = std::getenv(std::string(name).c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

std::unique_ptr<net::HttpTransport> transport(base::Runtime runtime) {
  checkEnvironment(environmentVariable);
  return std::make_unique<Transport>(std::move(runtime));
}

}  // namespace ingot::bmc::libredfish
