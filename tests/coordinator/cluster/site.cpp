#include "tests/coordinator/cluster/site.hpp"

#include "api/kinds/kinds.hpp"
#include "coordinator/admission.hpp"
#include "kube/client/config.hpp"
#include "kube/core/event.hpp"
#include "kube/core/namespace.hpp"
#include "tests/support/passes.hpp"

#include <fmt/format.h>

namespace ingot::tests {
namespace {

constexpr auto userOrigin = "https://user.test";
constexpr auto controllerOrigin = "https://controller.test";

std::vector<json::Object> definitions() {
  auto all = api::crdsOf(api::KindSet::clusterApi);
  std::ranges::move(api::crdsOf(api::KindSet::clusterApiCore), std::back_inserter(all));
  return all;
}

}  // namespace

// Between the process and the API.
class ClusterSite::Gateway final : public net::HttpHandler {
 public:
  explicit Gateway(ClusterSite& site) : site_(site) {}

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    const bool isEvent = request.target.find("/events") != std::string::npos;
    if (request.method != "GET" && !isEvent)
      site_.writes.push_back(fmt::format("{} {}", request.method, request.path()));
    if (site_.conflicts > 0 && request.method == "PATCH" &&
        request.path().find("/metal3clusters/c1") != std::string::npos) {
      json::Value patch = json::parse(R"({"metadata":{"labels":{}}})");
      json::makeObjectAt(patch, {"metadata", "labels"})["n"] = std::to_string(--site_.conflicts);
      static_cast<void>(co_await site_.user_->patch<Metal3Cluster>({"metal", "c1"}, std::move(patch)));
    }
    const bool isHeld = !site_.heldWatch.empty() && request.path().ends_with(site_.heldWatch) &&
                        request.query().find("watch=true") != std::string_view::npos;
    if (isHeld) co_await site_.loop.clock.sleepFor(site_.watchHeldFor);
    co_await site_.api_->handler().handle(std::move(request), out);
  }

 private:
  ClusterSite& site_;
};

struct ClusterSite::Life {
  explicit Life(ClusterSite& site)
      : client(kube::connect(site.loop.runtime, site.network_, {.server = controllerOrigin})),
        caches(site.loop.runtime, *client, {.unreadable = site.unreadable}),
        controllers(site.loop.runtime,
                    {.client = *client, .page = page, .caches = caches, .watchFilter = site.watchFilter}),
        tasks(site.loop.runtime.executor, site.loop.runtime.log) {
    kube::start(tasks, controllers.managed());
  }

  std::unique_ptr<kube::Client> client;
  base::Metrics page;
  coordinator::Caches caches;
  coordinator::cluster::Controllers controllers;
  base::VitalTasks tasks;
};

ClusterSite::ClusterSite() : gateway_(std::make_unique<Gateway>(*this)) {
  apiserver::EmbeddedOptions options{.definitions = definitions(),
                                     .admission = coordinator::admissionRules,
                                     .converters = coordinator::kindConverters()};
  options.store.commit = apiserver::StoreOptions::Commit::inLine;
  api_ = run(apiserver::EmbeddedApi::start(loop.runtime, std::move(options)));
  network_.serve(userOrigin, api_->handler(), apiserver::EmbeddedApi::localAdmin());
  network_.serve(controllerOrigin, *gateway_, apiserver::EmbeddedApi::localAdmin());
  user_ = kube::connect(loop.runtime, network_, {.server = userOrigin});
  kube::Namespace space;
  space.metadata.name = "metal";
  run(user_->create(std::move(space)));
  start();
}

ClusterSite::~ClusterSite() {
  kill();
  user_.reset();
  run(network_.close());
  run(api_->stop(std::chrono::seconds(1)));
}

void ClusterSite::start() { life_ = std::make_unique<Life>(*this); }

void ClusterSite::kill() {
  if (!life_) return;
  run(life_->tasks.close());
  life_.reset();
}

std::int64_t ClusterSite::told(const std::string& reason) {
  std::int64_t times = 0;
  for (const auto& event : run(user_->list<kube::Event>({.namespace_ = "metal"})))
    if (event.reason == reason) times += event.count;
  return times;
}

int ClusterSite::passes() const { return passesOf(life_->page, "metal3cluster"); }

}  // namespace ingot::tests
