#include "coordinator/webhooks/self_made.hpp"

#include "api/kinds/kinds.hpp"
#include "base/base64.hpp"
#include "kube/core/error.hpp"
#include "kube/core/metadata_of.hpp"
#include "kube/runtime/cache.hpp"
#include "kube/runtime/draft.hpp"

#include <algorithm>
#include <map>

namespace ingot::coordinator::webhooks {

template <>
constinit const kube::KindInfo ValidatingConfiguration::info{.group = "admissionregistration.k8s.io",
                                                             .version = "v1",
                                                             .kind = "ValidatingWebhookConfiguration",
                                                             .plural = "validatingwebhookconfigurations",
                                                             .namespaced = false};
template <>
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
constexpr base::Duration leastPause = std::chrono::seconds(2);
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

net::KeyPair pairIn(const kube::Secret& secret) {
  return {textIn(secret, certificateKey), base::Secret(textIn(secret, privateKey))};
}

std::optional<base::WallTime> servesUntil(const kube::Secret& secret) {
  return net::servesUntil(pairIn(secret), firstOf(textIn(secret, authorityKey)));
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
      watched.isNew = false;
      const auto trouble = co_await pass(watched);
      // Whoever writes another authority there at once is not fought with all might.
      co_await runtime_.clock.sleepFor(std::min(options_.again, leastPause));
      const auto pause = trouble.empty() ? options_.look : options_.again;
      if (!watched.isNew)
        static_cast<void>(co_await watched.changed.waitUntil(runtime_.clock, runtime_.clock.now() + pause));
    }
  } catch (...) {
    end = std::current_exception();
  }
  co_await tasks.close();
  std::rethrow_exception(end);
}

// What went wrong; "": nothing.
Task<std::string> SelfMadeCertificates::pass(Watched& watched) {
  auto before = std::exchange(trouble_, "");
  try {
    co_await keepPair();
    co_await spread(watched);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    trouble_ = error.what();
  }
  if (trouble_.empty() && next_) pair_ = next_;
  if (!trouble_.empty() && trouble_ != before)
    runtime_.log.warn("the webhooks' certificate is not everywhere yet", {{"error", trouble_}});
  co_return trouble_;
}

std::vector<std::string> SelfMadeCertificates::names() const {
  const auto full = fmt::format("{}.{}.svc", options_.service, options_.namespace_);
  return {full, full + ".cluster.local"};
}

bool SelfMadeCertificates::isUsable(const kube::Secret& secret) const {
  const auto until = servesUntil(secret);
  return until && *until - runtime_.clock.wall() > renewBefore && net::covers(textIn(secret, certificateKey), names());
}

// In place of what is stored. Its authority stays as long as it can: configurations that name it go on working.
kube::Secret SelfMadeCertificates::made(const std::optional<kube::Secret>& stored) const {
  const auto now = runtime_.clock.wall();
  const auto known = authorityIn(stored, now);
  const auto authority = known ? *known : net::CertificateAuthority::create("ingot-webhooks", now, authorityValidity);
  const auto pair = authority.issue(
      net::ServerCertificate{.commonName = names().front(), .dnsNames = names(), .validity = validity}, now);
  // Where the Secret is gone, what was in it is still believed elsewhere.
  auto before = stillGood(firstOf(stored ? textIn(*stored, authorityKey) : ""), now);
  if (before.empty()) before = stillGood(firstOf(authorities_), now);
  kube::Secret secret = stored.value_or(kube::Secret{});
  secret.metadata.name = selfMadeSecret;
  secret.metadata.namespace_ = options_.namespace_;
  if (!stored) secret.type = "kubernetes.io/tls";
  secret.data[certificateKey] = base::Secret(pair.certificatePem);
  secret.data[privateKey] = pair.privateKeyPem;
  secret.data[authorityKey] = base::Secret(known ? textIn(*stored, authorityKey) : authority.certificatePem() + before);
  secret.data[authorityPrivateKey] = authority.keyPair().privateKeyPem;
  return secret;
}

// What is stored is used also where it cannot be renewed, as long as it is good.
Task<void> SelfMadeCertificates::keepPair() {
  auto stored = co_await client_.get<kube::Secret>({options_.namespace_, std::string(selfMadeSecret)});
  if (stored) take(*stored);
  if (stored && isUsable(*stored) && authorityIn(stored, runtime_.clock.wall())) co_return;
  const bool isFirst = !stored;
  auto wanted = made(stored);
  try {
    take(isFirst ? co_await client_.create(std::move(wanted)) : co_await client_.update(std::move(wanted)));
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::conflict && error.code() != kube::Error::Code::alreadyExists) throw;
    throw base::Error(fmt::format("another replica was faster with Secret {}", selfMadeSecret));
  }
  runtime_.log.info("made a certificate for the webhooks", {{"secretName", std::string(selfMadeSecret)}});
}

void SelfMadeCertificates::take(const kube::Secret& secret) {
  const auto now = runtime_.clock.wall();
  const auto until = servesUntil(secret);
  if (!until || *until <= now) return;
  const auto present = firstOf(textIn(secret, authorityKey));
  auto before = textIn(secret, authorityKey).substr(present.size());
  authorities_ = present + stillGood(firstOf(before), now);
  next_ = pairIn(secret);
  if (!pair_) pair_ = next_;
}

// One that may not be written keeps the others from nothing.
template <class Write>
Task<bool> SelfMadeCertificates::tryOne(std::string name, Write write) {
  try {
    co_await write();
  } catch (const base::Cancelled&) {
    throw;
  } catch (const kube::Error& error) {
    trouble_ = fmt::format("{}: {}", name, error.what());
    co_return false;
  }
  co_return true;
}

Task<void> SelfMadeCertificates::spread(Watched& watched) {
  const auto converted = convertedDefinitions();
  for (const auto& one : watched.definitions.all()) {
    const auto name = one->metadata.name;
    const auto state = one->metadata.resourceVersion + authorities_;
    if (std::ranges::find(converted, name) == converted.end() || watched.looked[name] == state) continue;
    if (co_await tryOne(name, [&] { return spreadTo(name); })) watched.looked[name] = state;
  }
  const auto each = [this](const auto& one) {
    return tryOne(one->metadata.name, [this, one] { return spreadTo(*one); });
  };
  for (const auto& one : watched.validating.all()) static_cast<void>(co_await each(one));
  for (const auto& one : watched.mutating.all()) static_cast<void>(co_await each(one));
}

// One that believes ours among others is left alone.
bool SelfMadeCertificates::needsBundle(const ClientConfig& config) const {
  if (config.service != ServiceOf{options_.namespace_, options_.service}) return false;
  const auto believed = base::fromBase64(config.caBundle).value_or("");
  return believed.find(firstOf(authorities_)) == std::string::npos;
}

template <Type type>
Task<void> SelfMadeCertificates::spreadTo(Configuration<type> configuration) {
  kube::Draft<Configuration<type>> draft(std::move(configuration));
  for (auto& webhook : draft->webhooks)
    if (needsBundle(webhook.clientConfig)) webhook.clientConfig.caBundle = base::toBase64(authorities_);
  if (!draft.changed()) co_return;
  static_cast<void>(co_await kube::save(client_, draft));
  runtime_.log.info("wrote the webhooks' authority", {{"into", draft->metadata.name}});
}

Task<void> SelfMadeCertificates::spreadTo(std::string definition) {
  auto stored = co_await client_.get<Definition>({"", definition});
  if (!stored || stored->spec.conversion.strategy != "Webhook") co_return;
  if (!needsBundle(stored->spec.conversion.webhook.clientConfig)) co_return;
  kube::Draft<Definition> draft(std::move(*stored));
  draft->spec.conversion.webhook.clientConfig.caBundle = base::toBase64(authorities_);
  static_cast<void>(co_await kube::save(client_, draft));
  runtime_.log.info("wrote the webhooks' authority", {{"into", definition}});
}

}  // namespace ingot::coordinator::webhooks
