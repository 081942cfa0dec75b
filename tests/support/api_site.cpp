#include "tests/support/api_site.hpp"

#include "coordinator/admission.hpp"

namespace ingot::tests {

namespace {

constexpr const char* kUser = "https://user.test";

// Takes an answer and keeps it to itself.
struct Deaf final : net::Responder {
  base::Task<void> send(net::HttpResponse) override { co_return; }
  base::Task<void> begin(int, net::Headers) override { co_return; }
  base::Task<void> write(std::string) override { co_return; }
  base::Task<void> end() override { co_return; }
  void abort() override {}
};

}  // namespace

// Between the process and the API.
class ApiSite::Gateway final : public net::HttpHandler {
 public:
  explicit Gateway(ApiSite& site) : site_(site) {}

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (site_.dead) co_return out.abort();
    const bool isWrite = request.method != "GET" && request.target.find("/events") == std::string::npos;
    if (site_.meanwhile) co_await site_.meanwhile(request);
    site_.dead = isWrite && site_.dieAtWrite == site_.writes.size();
    if (isWrite) site_.writes.push_back(fmt::format("{} {}", request.method, request.path()));
    if (!isWrite && request.query().empty() && request.path().find("/namespaces/") != std::string::npos)
      site_.reads.emplace_back(request.path());
    const bool isForbidden =
        (isWrite || site_.forbidsReads) && !site_.forbidden.empty() && request.path().ends_with(site_.forbidden);
    if (isForbidden) co_return co_await out.send({.status = 403, .body = "a webhook says no"});
    if (!site_.dead) co_return co_await site_.api_->handler().handle(std::move(request), out);
    Deaf nobody;
    if (site_.death == Death::after) co_await site_.api_->handler().handle(std::move(request), nobody);
    out.abort();
  }

 private:
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

std::int64_t ApiSite::told(const std::string& reason) {
  std::int64_t times = 0;
  for (const auto& event : all<kube::Event>())
    if (event.reason == reason) times += event.count;
  return times;
}

}  // namespace ingot::tests
