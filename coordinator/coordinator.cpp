#include "coordinator/coordinator.hpp"

#include "base/sync.hpp"
#include "base/vital.hpp"
#include "coordinator/admission.hpp"
#include "coordinator/leader_label.hpp"
#include "coordinator/leader_transport.hpp"
#include "coordinator/own_calls.hpp"
#include "coordinator/own_namespace.hpp"
#include "coordinator/wiring.hpp"
#include "kube/core/namespace.hpp"
#include "kube/runtime/leader_election.hpp"

namespace ingot::coordinator {
namespace {

constexpr std::string_view localOrigin = "https://embedded.ingot";
constexpr base::Duration drainTime = std::chrono::seconds(4);

std::string identity(base::Runtime& runtime, const kube::Environment& environment) {
  const std::string pod = ownPod(environment);
  return (pod.empty() ? "ingot" : pod) + "_" + runtime.random.uuid();
}

webhooks::ListenerOptions webhooksOf(const Options& options) {
  return {.port = webhookPortOf(options),
          .files = {.folder = options.webhookCertDir,
                    .certificate = options.webhookCertName,
                    .key = options.webhookKeyName},
          .tls = tlsOf(options)};
}

bool bindsLink(const Options& options) {
  return !options.shadow && !options.agentsEndpoint.empty() && partsOf(options).contains(Part::host);
}

std::unique_ptr<shadow::Shadow> shadowOf(const Options& options, const base::Runtime& runtime,
                                         net::HttpTransport& transport, base::Metrics& metrics) {
  if (!options.shadow) return nullptr;
  shadow::Limits limits;
  limits.grace = options.shadowGrace.value_or(limits.grace);
  return std::make_unique<shadow::Shadow>(runtime, transport, metrics, limits);
}

Surroundings behind(shadow::Shadow* shadow, Surroundings around) {
  if (shadow == nullptr) return around;
  return {.transport = shadow->transport(),
          .environment = std::move(around.environment),
          .bindLink = {},
          .ready = std::move(around.ready),
          .store = std::move(around.store),
          .crds = std::move(around.crds)};
}

kube::Unreadable unreadableIn(apiserver::EmbeddedApi* api) {
  kube::Unreadable all;
  if (api == nullptr) return all;
  for (const auto& [resource, key] : api->registry().store().unreadable()) all.add(resource, {key.space, key.name});
  return all;
}

// "": its work ended by itself.
std::string_view whyLost(kube::LeaderElector::Ended how) {
  using enum kube::LeaderElector::Ended;
  switch (how) {
    case workDone: return "";
    case leaseTaken: return "leadership was lost to another coordinator";
    case leaseDeleted: return "leadership was lost: the Lease was deleted";
    case leaseNotRenewed: return "leadership was lost: the Lease was not renewed in time";
  }
  std::unreachable();
}

// Tells this store from those of other coordinators with an API of their own.
base::Task<std::string> storeOf(kube::Client& client) {
  const auto home = co_await client.get<kube::Namespace>({"", "default"});
  co_return home ? home->metadata.uid : std::string();
}

}  // namespace

// What a term works with.
struct Coordinator::Leading {
  net::HttpTransport& transport;  // to Ironic and to workload clusters
  kube::Client& client;
  base::Metrics& page;
  std::int64_t term = 0;
  std::string lease = {};
  ClientOf clientOf = {};
};

Coordinator::Coordinator(base::Runtime runtime, Options options, Surroundings around)
    : runtime_(std::move(runtime)),
      options_(std::move(options)),
      shadow_(shadowOf(options_, runtime_, around.transport, metrics_)),
      around_(behind(shadow_.get(), std::move(around))),
      inProcess_(runtime_),
      readings_(runtime_),
      endpoints_(runtime_, metrics_, [this] { return readiness(); }, &readings_, shadow_.get()) {
  showKinds();
}

Coordinator::~Coordinator() = default;

base::Task<void> Coordinator::run() {
  std::exception_ptr failure;
  try {
    tellIdleFlags();
    endpoints_.listen(options_);
    co_await openApi();
    serveBeside();
    ready_ = true;
    around_.ready();
    co_await work();
  } catch (...) {
    failure = std::current_exception();
  }
  ready_ = false;
  try {
    co_await base::shielded(base::withTimeout(runtime_.clock, drainTime, "draining", drain()));
  } catch (const base::TimedOut& late) {
    runtime_.log.warn("did not drain in time", {{"what", late.what()}});
  }
  if (failure) std::rethrow_exception(failure);
}

// One that was told for nothing is no mistake: a Deployment of the managers starts Ingot as it is.
void Coordinator::tellIdleFlags() const {
  for (const IdleFlag& flag : options_.idle) {
    if (flag.asksForMore)
      runtime_.log.warn("a flag asks for what is not done here", {{"flag", "--" + flag.name}, {"why", flag.why}});
    else
      runtime_.log.info("a flag changes nothing here", {{"flag", "--" + flag.name}, {"why", flag.why}});
  }
}

// What every replica serves, leading or not.
void Coordinator::serveBeside() {
  if (webhookPortOf(options_) != 0) {
    if (cluster_) lookups_ = kube::connect(runtime_.named("kube"), counted_, *cluster_, ownCalls());
    auto how = webhooksOf(options_);
    if (options_.webhookCerts == WebhookCerts::self) {
      certificates_ = std::make_unique<webhooks::SelfMadeCertificates>(
          runtime_.named("webhooks"), *lookups_,
          webhooks::SelfMadeOptions{.namespace_ = ownNamespace(options_, around_.environment, cluster_),
                                    .service = options_.webhookService});
      how.pair = [this] { return certificates_->pair(); };
    }
    webhooks_ = std::make_unique<webhooks::Listener>(runtime_.named("webhooks"), std::move(how),
                                                     (lookups_ ? lookups_ : client_)->api());
    if (cluster_)
      reach_ = std::make_unique<webhooks::Reach>(
          runtime_.named("webhooks"), [this] { return webhooks_->servesSince(); },
          webhooks::ReachOptions{.parts = partsOf(options_), .namespaces = namespacesOf(options_)});
  }
  if (options_.diagnosticsAddress.empty() || options_.diagnosticsAddress == "0") return;
  if (cluster_) reviewer_ = kube::connect(runtime_.named("kube"), reviews_, *cluster_, ownCalls());
  diagnostics_ = std::make_unique<diagnostics::Server>(
      runtime_.named("diagnostics"), options_,
      diagnostics::Pages{.metrics = endpoints_.metricsPage(), .shadow = shadow_.get()},
      (reviewer_ ? reviewer_ : client_)->api());
}

// A failure of the embedded API ends the coordinator: one that leads without an API that takes writes would only look
// alive. Whyever it ends, told to, or because another one may lead: webhooks are asked of it until it is no endpoint
// any more.
base::Task<void> Coordinator::work() {
  base::VitalTasks serving(runtime_.executor, runtime_.log);
  if (certificates_) serving.spawn("certificates of webhooks", certificates_->run());
  if (webhooks_) serving.spawn("webhooks", webhooks_->run());
  std::exception_ptr failure;
  try {
    co_await workBeside(serving);
  } catch (...) {
    failure = std::current_exception();
  }
  ready_ = false;
  if (webhooks_) webhooks_->leave();
  co_await base::shielded(runtime_.clock.sleepFor(options_.shutdownDelay.value_or(base::Duration::zero())));
  co_await serving.close();
  if (failure) std::rethrow_exception(failure);
}

// Until one of its tasks ends, or of what is served.
base::Task<void> Coordinator::workBeside(base::VitalTasks& serving) {
  base::VitalTasks tasks(runtime_.executor, runtime_.log);
  if (api_) tasks.spawn("embedded API", api_->untilFailed());
  if (webhooks_) tasks.spawn("what is served", serving.failed());
  tasks.spawn(shadow_ ? "in shadow" : "leading", lead());
  co_await tasks.run();
}

base::Task<void> Coordinator::openApi() {
  if (options_.embedded) co_return co_await openEmbedded();
  cluster_ = kube::findCluster({.path = options_.kubeconfig}, around_.environment);
  runtime_.log.info("working in a cluster", {{"server", cluster_->server}});
  client_ = kube::connect(runtime_.named("kube"), counted_, *cluster_, ownCalls());
}

base::Task<void> Coordinator::openEmbedded() {
  apiserver::EmbeddedOptions embedded{.dataDir = options_.dataDir,
                                      .listen = options_.listen,
                                      .kubeconfigOut = options_.kubeconfigOut,
                                      .extraNames = tlsNamesOf(options_),
                                      .definitions = around_.crds(),
                                      .admission = admissionRules,
                                      .converters = kindConverters(),
                                      .extensions = {{std::string(readings::Api::prefix), &readings_}},
                                      .store = around_.store};
  api_ = co_await apiserver::EmbeddedApi::start(runtime_.named("api"), std::move(embedded));
  runtime_.log.info("serving the Kubernetes API", {{"url", api_->url()}, {"kubeconfig", api_->kubeconfigPath()}});
  inProcess_.serve(std::string(localOrigin), api_->handler(), apiserver::EmbeddedApi::localAdmin());
  client_ = kube::connect(runtime_.named("kube"), countedInProcess_, {.server = std::string(localOrigin)});
}

base::Task<void> Coordinator::control(Leading leading) {
  if (reach_) co_await reach_->awaited(leading.client.api());
  co_await runControllers({runtime_, options_, leading.transport, around_.environment, leading.client, leading.page,
                           bindsLink(options_) ? around_.bindLink : BindLink(), leading.term, std::move(leading.lease),
                           kinds_, unreadableIn(api_.get()), ownNamespace(options_, around_.environment, cluster_),
                           &readings_, std::move(leading.clientOf)});
}

// In shadow nobody leads, and there is nothing to elect for: what the controllers write goes nowhere. Each has a client
// of its own, by which its decisions are known, and their metrics are shown to nobody: they count as done what is only
// decided, by the names of Metal3's own.
base::Task<void> Coordinator::follow() {
  runtime_.log.info("in shadow: nothing is written, neither to Kubernetes nor to Ironic");
  shadow_->transport().home(cluster_->server);
  net::LimitedTransport paced(runtime_.clock, counted_, rateOf(options_.kubeApi));
  const auto client = kube::connect(runtime_.named("kube"), paced, *cluster_, ownCalls());
  std::map<Part, std::unique_ptr<kube::Client>> clients;
  for (const auto& row : kParts)
    clients[row.part] =
        kube::connect(runtime_.named("kube"), paced, *cluster_, {.userAgent = shadow::userAgentOf(row.name)});
  base::VitalTasks tasks(runtime_.executor, runtime_.log);
  tasks.spawn("shadow", shadow_->run());
  std::optional<base::Metrics> unseen;
  const auto act = [&] {
    unseen.emplace();
    return control({.transport = around_.transport,
                    .client = *client,
                    .page = *unseen,
                    .clientOf = [&clients](Part part) -> kube::Client& { return *clients.at(part); }});
  };
  tasks.spawn("controllers", shadow_->inTerms(act));
  co_await tasks.run();
}

// The embedded API serves only the coordinator that holds its data folder, so that one leads. In a cluster the
// controllers send changes to Ironic and to Kubernetes only while they lead and Metal3's managers do not act: an object
// that they create carries no resourceVersion by which the server could refuse a former leader. What looks for those
// managers writes while this process leads; the elector's own client is exempt, because it must renew the Lease.
base::Task<void> Coordinator::lead() {
  if (shadow_) co_return co_await follow();
  if (api_) {
    const std::string lease = co_await storeOf(*client_);
    const auto counted = static_cast<std::int64_t>(api_->term());
    const std::int64_t least = bindsLink(options_) ? co_await leastTermOf(lease) : 0;
    leads_ = [] { return true; };
    co_return co_await control({around_.transport, *client_, metrics_, std::max(counted, least), lease});
  }

  const ElectionTiming timing = electionTimingOf(options_);
  kube::ElectionOptions election{.namespace_ = ownNamespace(options_, around_.environment, cluster_),
                                 .name = options_.leaseName,
                                 .identity = identity(runtime_, around_.environment),
                                 .leaseDuration = timing.lease,
                                 .renewDeadline = timing.renewDeadline,
                                 .retryPeriod = timing.retryPeriod};
  if (bindsLink(options_)) election.leastTerm = [this](std::string lease) { return leastTermOf(std::move(lease)); };
  kube::LeaderElector elector(runtime_.named("election"), *client_, std::move(election));
  LeaderTransport leading(counted_, [&elector] { return elector.leading(); });
  const auto leader = kube::connect(runtime_.named("kube"), leading, *cluster_, ownCalls());
  const auto standby = standbyOf(*leader);
  LeaderTransport transport(around_.transport, [&] { return elector.leading() && (!standby || standby->mayAct()); });
  kube::CountedTransport counted(transport, metrics_);
  net::LimitedTransport paced(runtime_.clock, counted, rateOf(options_.kubeApi));
  const auto client = kube::connect(runtime_.named("kube"), paced, *cluster_, ownCalls());
  LeaderLabel label(runtime_.named("election"), ownNamespace(options_, around_.environment, cluster_),
                    bindsLink(options_) ? around_.environment("POD_NAME").value_or("") : "");
  base::TaskGroup labelling(runtime_.executor, runtime_.log);
  const auto act = [&](std::int64_t term) {
    labelling.spawn("label of the leading pod", label.keep(*client));
    return control({transport, *client, metrics_, term, elector.lease()});
  };
  const auto led = [&](std::int64_t term) {
    return standby ? standby->run([&, term] { return act(term); }) : act(term);
  };
  auto ended = kube::LeaderElector::Ended::workDone;
  std::exception_ptr failure;
  standby_ = standby.get();
  leads_ = [&elector] { return elector.leading(); };
  try {
    ended = co_await elector.run(led);
  } catch (...) {
    failure = std::current_exception();
  }
  standby_ = nullptr;
  leads_ = nullptr;
  co_await labelling.close();
  co_await base::shielded(label.drop(*client_));
  if (failure) std::rethrow_exception(failure);
  if (const auto why = whyLost(ended); !why.empty()) throw base::Error(std::string(why));
}

base::Task<std::int64_t> Coordinator::leastTermOf(std::string lease) const {
  return leastTerm(*client_, {.options = options_,
                              .ownNamespace = ownNamespace(options_, around_.environment, cluster_),
                              .lease = std::move(lease),
                              .now = runtime_.clock.wall()});
}

// nullptr where nobody asks whether Metal3's managers act.
std::unique_ptr<managers::Standby> Coordinator::standbyOf(kube::Client& client) const {
  if (options_.besideMetal3) return nullptr;
  const auto namespace_ = ownNamespace(options_, around_.environment, cluster_);
  return std::make_unique<managers::Standby>(
      runtime_.named("standby"), client,
      managers::StandbyOptions{.leases = {.managers = managers::managersOf(partsOf(options_)),
                                          .namespace_ = namespace_,
                                          .ownLease = options_.leaseName,
                                          .installation = namespace_ + "_" + options_.leaseName},
                               .pod = ownPod(around_.environment),
                               .namespaces = namespacesOf(options_)});
}

// What is not served takes no replica out of service: webhooks and the kinds that are served go on, and /convert among
// them may be what the others wait for.
Readiness Coordinator::readiness() const {
  Readiness readiness{.obstacle = obstacle(), .remark = kinds_.waitedFor()};
  const auto remark = [&](const std::string& text) {
    if (!text.empty()) readiness.remark += (readiness.remark.empty() ? "" : "\n") + text;
  };
  remark(kinds_.notInstalled());
  if (reach_ && !reach_->waitsFor().empty()) remark("waits until its webhooks are reached: " + reach_->waitsFor());
  if (shadow_) remark("in shadow: decides, and writes nothing; its report is at " + std::string(shadow::Shadow::path));
  if (standby_ != nullptr && !standby_->waitsFor().empty())
    remark("stands by, managers of Metal3 may act on the same objects: " + standby_->waitsFor());
  return readiness;
}

void Coordinator::showKinds() {
  metrics_.beforeExpose([this] {
    metrics_.gauge("ingot_leading", "1 while this coordinator leads, also while it stands by")
        .set(leads_ && leads_() ? 1 : 0);
    metrics_.gauge("ingot_standing_by", "1 while Metal3's managers act on the same objects, and this leader does not")
        .set(standby_ != nullptr && !standby_->waitsFor().empty() ? 1 : 0);
    const auto [waitedFor, notInstalled] = kinds_.counts();
    const auto show = [this](const char* why, std::size_t count) {
      metrics_
          .gauge("ingot_unserved_kinds", "Kinds that the API does not serve as the coordinator reads them",
                 {{"why", why}})
          .set(static_cast<double>(count));
    };
    show("waited_for", waitedFor);
    show("not_installed", notInstalled);
  });
}

std::string Coordinator::obstacle() const {
  if (!ready_) return "is starting or stopping";
  if (api_ && !api_->healthy()) return "the embedded API takes no writes";
  if (webhooks_ && !webhooks_->obstacle().empty()) return "webhooks: " + webhooks_->obstacle();
  return "";
}

base::Task<void> Coordinator::drain() {
  co_await endpoints_.stop();
  if (webhooks_) co_await webhooks_->stop();
  if (diagnostics_) co_await diagnostics_->stop();
  reviewer_.reset();
  lookups_.reset();
  client_.reset();
  co_await inProcess_.close();
  if (api_) co_await api_->stop(std::chrono::seconds(2));
}

}  // namespace ingot::coordinator
