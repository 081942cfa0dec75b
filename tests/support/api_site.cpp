#include "tests/support/api_site.hpp"

#include "coordinator/admission.hpp"
#include "tests/support/deaf.hpp"

#include <fmt/ranges.h>

#include <set>

namespace ingot::tests {

namespace {

constexpr const char* kUser = "https://user.test";

}  // namespace

// Between the process and the API.
class ApiSite::Gateway final : public net::HttpHandler {
 public:
  explicit Gateway(ApiSite& site) : site_(site) {}

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (site_.dead) co_return out.abort();
    if (site_.meanwhile) co_await site_.meanwhile(request);
    const bool isWrite = request.method != "GET" && request.target.find("/events") == std::string::npos;
    const bool breaks = isWrite && site_.dieAtWrite == site_.writes.size();
    note(request, isWrite);
    if (const auto answer = site_.instead ? site_.instead(request) : std::nullopt) {
      if (answer->status == 0) co_return out.abort();
      co_return co_await out.send({.status = answer->status, .body = answer->body});
    }
    if (isForbidden(request, isWrite)) co_return co_await out.send({.status = 403, .body = "a webhook says no"});
    if (isWrite && isDenied(request)) co_return co_await out.send({.status = 403, .body = "not now"});
    if (isLikeTheLate(request)) co_return out.abort();
    if (isHeld(request)) co_await site_.loop.clock.sleepFor(site_.watchHeldFor);
    if (!breaks) co_return co_await site_.api_->handler().handle(std::move(request), out);
    site_.brokeAWrite = true;
    site_.dead = !site_.survives;
    if (site_.death == Death::late) site_.late_ = request;
    Deaf nobody;
    if (site_.death == Death::after) co_await site_.api_->handler().handle(std::move(request), nobody);
    out.abort();
  }

 private:
  static bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

  void note(const net::ServerRequest& request, bool isWrite) {
    const std::string_view path = request.path();
    if (isWrite) site_.writes.push_back(fmt::format("{} {}", request.method, path));
    if (request.method == "GET" && request.query().empty() && holds(path, "/namespaces/"))
      site_.reads.emplace_back(path);
  }
  bool isForbidden(const net::ServerRequest& request, bool isWrite) const {
    return (isWrite || site_.forbidsReads) && !site_.forbidden.empty() && request.path().ends_with(site_.forbidden);
  }
  bool isDenied(const net::ServerRequest& request) {
    if (site_.denials == 0 || !holds(request.path(), site_.denied)) return false;
    --site_.denials;
    return true;
  }
  bool isLikeTheLate(const net::ServerRequest& request) const {
    return site_.late_ && site_.late_->method == request.method && site_.late_->path() == request.path();
  }
  bool isHeld(const net::ServerRequest& request) const {
    return !site_.heldWatch.empty() && holds(request.path(), site_.heldWatch) && holds(request.query(), "watch=true");
  }

  ApiSite& site_;
};

ApiSite::ApiSite(std::vector<json::Object> definitions) : gateway_(std::make_unique<Gateway>(*this)) {
  apiserver::EmbeddedOptions options{.definitions = std::move(definitions),
                                     .admission = coordinator::admissionRules,
                                     .converters = coordinator::kindConverters()};
  options.store.commit = apiserver::StoreOptions::Commit::inLine;
  api_ = run(apiserver::EmbeddedApi::start(loop.runtime, std::move(options)));
  network_.serve(kUser, api_->handler(), apiserver::EmbeddedApi::localAdmin());
  network_.serve(kProcess, *gateway_, apiserver::EmbeddedApi::localAdmin());
  user_ = kube::connect(loop.runtime, network_, {.server = kUser});
  kube::Namespace space;
  space.metadata.name = "metal";
  run(user_->create(std::move(space)));
}

ApiSite::~ApiSite() {
  user_.reset();
  run(network_.close());
  run(api_->stop(std::chrono::seconds(1)));
}

void ApiSite::carryOutLate() {
  Deaf nobody;
  run(api_->handler().handle(std::move(late_.value()), nobody));
  late_.reset();
}

std::int64_t ApiSite::told(const std::string& reason) {
  std::int64_t times = 0;
  for (const auto& event : all<kube::Event>())
    if (event.reason == reason) times += event.count;
  return times;
}

std::string ApiSite::toldText(const std::string& reason) {
  std::set<std::string> texts;
  for (const auto& event : all<kube::Event>())
    if (event.reason == reason) texts.insert(event.message);
  return fmt::format("{}", fmt::join(texts, " | "));
}

}  // namespace ingot::tests
