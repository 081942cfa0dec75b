#include "coordinator/webhooks/self_made.hpp"

#include "api/kinds/kinds.hpp"
#include "base/base64.hpp"
#include "coordinator/webhooks/registrations.hpp"
#include "kube/core/error.hpp"
#include "kube/core/metadata_of.hpp"
#include "kube/runtime/cache.hpp"
#include "kube/runtime/draft.hpp"

#include <algorithm>
#include <map>

namespace ingot::coordinator::webhooks {

constinit const kube::KindInfo ValidatingConfiguration::info{.group = "admissionregistration.k8s.io",
                                                             .version = "v1",
                                                             .kind = "ValidatingWebhookConfiguration",
                                                             .plural = "validatingwebhookconfigurations",
                                                             .namespaced = false};
constinit const kube::KindInfo MutatingConfiguration::info{.group = "admissionregistration.k8s.io",
                                                           .version = "v1",
                                                           .kind = "MutatingWebhookConfiguration",
                                                           .plural = "mutatingwebhookconfigurations",
                                                           .namespaced = false};
constinit const kube::KindInfo Definition::info{.group = "apiextensions.k8s.io",
                                                .version = "v1",
                                                .kind = "CustomResourceDefinition",
                                                .plural = "customresourcedefinitions",
                                                .namespaced = false,
                                                .statusSubresource = true};

namespace {

using base::Task;
using DefinitionName = kube::MetadataOf<Definition>;

constexpr base::Duration validity = std::chrono::hours(24 * 90), renewBefore = std::chrono::hours(24 * 30);
constexpr base::Duration authorityValidity = std::chrono::hours(24 * 3650);
constexpr base::Duration renewAuthorityBefore = std::chrono::hours(24 * 180);
constexpr auto certificateKey = "tls.crt", privateKey = "tls.key", authorityKey = "ca.crt",
               authorityPrivateKey = "ca.key";

std::string textIn(const kube::Secret& secret, const char* key) {
  const auto* found = secret.find(key);
  return found == nullptr ? std::string() : found->reveal();
}

// The first of them signs; those of before stay until they have run out.
std::string firstOf(const std::string& certificates) {
  constexpr std::string_view end = "-----END CERTIFICATE-----\n";
  const auto found = certificates.find(end);
  return found == std::string::npos ? certificates : certificates.substr(0, found + end.size());
}

std::optional<net::CertificateAuthority> authorityIn(const std::optional<kube::Secret>& secret, base::WallTime now) {
  if (!secret) return std::nullopt;
  try {
    auto authority = net::CertificateAuthority::load(
        {firstOf(textIn(*secret, authorityKey)), base::Secret(textIn(*secret, authorityPrivateKey))});
    if (net::expiresAt(authority.certificatePem()) - now > renewAuthorityBefore) return authority;
  } catch (const net::CertificateError&) {  // damaged, or none
  }
  return std::nullopt;
}

std::string stillGood(const std::string& certificate, base::WallTime now) {
  try {
    return !certificate.empty() && net::expiresAt(certificate) > now ? certificate : "";
  } catch (const net::CertificateError&) {
    return "";
  }
}

// Those of our kinds that have several versions.
bool isConverted(const std::string& definition) {
  return std::ranges::any_of(api::everyKind(), [&](const api::KindRow& row) {
    return row.set != api::KindSet::clusterApiCore && row.convert != nullptr && row.stored->resource() == definition;
  });
}

}  // namespace

// What is written into, and what of it was looked at.
struct SelfMadeCertificates::Watched {
  Watched(const base::Runtime& runtime, kube::Api& api)
      : validating(runtime, api), mutating(runtime, api), definitions(runtime, api), changed(runtime.executor) {
    const auto tell = [this](const auto&) {
      isNew = true;
      changed.notifyAll();
    };
    subscriptions.push_back(validating.listen(tell));
    subscriptions.push_back(mutating.listen(tell));
    subscriptions.push_back(definitions.listen(tell));
  }

  kube::Cache<ValidatingConfiguration> validating;
  kube::Cache<MutatingConfiguration> mutating;
  kube::Cache<DefinitionName> definitions;
  base::Notifier changed;
  bool isNew = false;
  std::map<std::string, std::string> looked;  // by name of a definition: its resourceVersion and the bundle, as it was
  std::vector<kube::Subscription> subscriptions;
};

SelfMadeCertificates::SelfMadeCertificates(base::Runtime runtime, kube::Client& client, SelfMadeOptions options)
    : runtime_(std::move(runtime)), client_(client), options_(std::move(options)) {}

const net::KeyPair& SelfMadeCertificates::pair() const {
  if (!pair_)
    throw base::Error(fmt::format("Secret {}/{} has not been read or made yet", options_.namespace_, selfMadeSecret));
  return *pair_;
}

Task<void> SelfMadeCertificates::run() {
  Watched watched(runtime_, client_.api());
  base::TaskGroup tasks(runtime_.executor, runtime_.log);
  std::exception_ptr end;
  try {
    watched.validating.start(tasks);
    watched.mutating.start(tasks);
    watched.definitions.start(tasks);
    while (true) {
      auto pause = options_.look;
      watched.isNew = false;
      try {
        co_await keepPair();
        co_await spread(watched);
      } catch (const base::Cancelled&) {
        throw;
      } catch (const base::Error& error) {
        const auto* refused = dynamic_cast<const kube::Error*>(&error);
        const bool wasSlower = refused != nullptr && (refused->code() == kube::Error::Code::conflict ||
                                                      refused->code() == kube::Error::Code::alreadyExists);
        if (wasSlower)
          runtime_.log.debug("another replica was faster", {{"error", error.what()}});
        else
          runtime_.log.warn("the webhooks' certificate is not everywhere yet", {{"error", error.what()}});
        pause = options_.again;
        watched.isNew = false;  // what is refused now is refused at once again
      }
      if (!watched.isNew)
        static_cast<void>(co_await watched.changed.waitUntil(runtime_.clock, runtime_.clock.now() + pause));
    }
  } catch (...) {
    end = std::current_exception();
  }
  co_await tasks.close();
  std::rethrow_exception(end);
}

std::vector<std::string> SelfMadeCertificates::names() const {
  const auto full = fmt::format("{}.{}.svc", options_.service, options_.namespace_);
  return {full, full + ".cluster.local"};
}

bool SelfMadeCertificates::isUsable(const kube::Secret& secret) const {
  const net::KeyPair pair{textIn(secret, certificateKey), base::Secret(textIn(secret, privateKey))};
  try {
    const auto known = net::namesOf(pair.certificatePem);
    return net::fits(pair) && net::isSignedBy(pair.certificatePem, firstOf(textIn(secret, authorityKey))) &&
           net::expiresAt(pair.certificatePem) - runtime_.clock.wall() > renewBefore &&
           std::ranges::all_of(names(),
                               [&](const auto& name) { return std::ranges::find(known, name) != known.end(); });
  } catch (const net::CertificateError&) {  // damaged, or none
    return false;
  }
}

// In place of what is stored. Its authority stays as long as it can: configurations that name it go on working.
kube::Secret SelfMadeCertificates::made(const std::optional<kube::Secret>& stored) const {
  const auto now = runtime_.clock.wall();
  const auto known = authorityIn(stored, now);
  const auto authority = known ? *known : net::CertificateAuthority::create("ingot-webhooks", now, authorityValidity);
  const auto pair = authority.issue(
      net::ServerCertificate{.commonName = names().front(), .dnsNames = names(), .validity = validity}, now);
  const auto before = stored ? firstOf(textIn(*stored, authorityKey)) : std::string();
  kube::Secret secret = stored.value_or(kube::Secret{});
  secret.metadata.name = selfMadeSecret;
  secret.metadata.namespace_ = options_.namespace_;
  if (!stored) secret.type = "kubernetes.io/tls";
  secret.data[certificateKey] = base::Secret(pair.certificatePem);
  secret.data[privateKey] = pair.privateKeyPem;
  secret.data[authorityKey] =
      base::Secret(known ? textIn(*stored, authorityKey) : authority.certificatePem() + stillGood(before, now));
  secret.data[authorityPrivateKey] = authority.keyPair().privateKeyPem;
  return secret;
}

Task<void> SelfMadeCertificates::keepPair() {
  auto stored = co_await client_.get<kube::Secret>({options_.namespace_, std::string(selfMadeSecret)});
  const bool isDue = !stored || !isUsable(*stored) || !authorityIn(stored, runtime_.clock.wall());
  if (isDue) {
    const bool isFirst = !stored;
    auto wanted = made(stored);
    stored = isFirst ? co_await client_.create(std::move(wanted)) : co_await client_.update(std::move(wanted));
    runtime_.log.info("made a certificate for the webhooks", {{"secret", std::string(selfMadeSecret)}});
  }
  pair_ = {textIn(*stored, certificateKey), base::Secret(textIn(*stored, privateKey))};
  bundle_ = base::toBase64(textIn(*stored, authorityKey));
}

Task<void> SelfMadeCertificates::spread(Watched& watched) {
  for (const auto& one : watched.validating.all()) co_await spreadTo(*one);
  for (const auto& one : watched.mutating.all()) co_await spreadTo(*one);
  for (const auto& one : watched.definitions.all()) {
    const auto& name = one->metadata.name;
    const auto state = one->metadata.resourceVersion + bundle_;
    if (!isConverted(name) || watched.looked[name] == state) continue;
    co_await spreadTo(name);
    watched.looked[name] = state;
  }
}

template <class Configuration>
Task<void> SelfMadeCertificates::spreadTo(Configuration configuration) {
  kube::Draft<Configuration> draft(std::move(configuration));
  for (auto& webhook : draft->webhooks)
    if (webhook.clientConfig.service == ServiceOf{options_.namespace_, options_.service})
      webhook.clientConfig.caBundle = bundle_;
  if (!draft.changed()) co_return;
  static_cast<void>(co_await kube::save(client_, draft));
  runtime_.log.info("wrote the webhooks' authority", {{"into", draft->metadata.name}});
}

Task<void> SelfMadeCertificates::spreadTo(std::string definition) {
  auto stored = co_await client_.get<Definition>({"", definition});
  if (!stored || stored->spec.conversion.strategy != "Webhook") co_return;
  auto& config = stored->spec.conversion.webhook.clientConfig;
  if (config.service != ServiceOf{options_.namespace_, options_.service}) co_return;
  kube::Draft<Definition> draft(std::move(*stored));
  draft->spec.conversion.webhook.clientConfig.caBundle = bundle_;
  if (!draft.changed()) co_return;
  static_cast<void>(co_await kube::save(client_, draft));
  runtime_.log.info("wrote the webhooks' authority", {{"into", definition}});
}

}  // namespace ingot::coordinator::webhooks
