#include "sim/kubelet/identity.hpp"

#include "base/base64.hpp"
#include "sim/kubelet/keys.hpp"
#include "sim/kubelet/kubeadm_objects.hpp"

namespace ingot::sim::kubelet {

namespace {

using namespace std::chrono_literals;
constexpr base::Duration pollPause = 1s;
constexpr int mostPolls = 60;
constexpr std::string_view nodesGroup = "system:nodes", requestsApi = "certificates.k8s.io/v1";

std::string userOf(const firstboot::NodeRegistration& node) { return "system:node:" + node.name; }

Identity signedBy(const firstboot::ClusterAuthority& own, std::string user, std::string group, base::WallTime now) {
  const auto authority = net::CertificateAuthority::load({own.certificatePem, own.privateKeyPem});
  return {
      own.certificatePem,
      authority.issue(net::ClientCertificate{.commonName = std::move(user), .organizations = {std::move(group)}}, now)};
}

base::Task<std::string> findAuthority(net::HttpTransport& transport, std::string serverUrl,
                                      firstboot::Discovery discovery) {
  Api anonymous(transport, {.serverUrl = serverUrl, .verify = false});
  const auto info = co_await anonymous.get(std::string(clusterInfoPath));
  auto caPem = info ? authorityIn(*info) : "";
  if (caPem.empty())
    throw base::Error("the cluster has no ConfigMap kube-public/cluster-info that names its authority");
  const auto hash = publicKeyHash(caPem);
  const bool promised = std::ranges::find(discovery.caCertHashes, hash) != discovery.caCertHashes.end();
  if (!promised && !discovery.unverified)
    throw base::Error(
        fmt::format("the authority of {} has the key {}, which caCertHashes does not name", serverUrl, hash));
  co_return caPem;
}

json::Value signingRequest(const std::string& name, const std::string& requestPem) {
  return {{"apiVersion", requestsApi},
          {"kind", "CertificateSigningRequest"},
          {"metadata", {{"name", name}}},
          {"spec",
           {{"request", base::toBase64(requestPem)},
            {"signerName", "kubernetes.io/kube-apiserver-client-kubelet"},
            {"usages", json::Array{"digital signature", "client auth"}}}}};
}

// nullopt while nobody has decided. Throws when it was refused.
std::optional<std::string> certificateIn(const json::Value& request) {
  if (const auto* conditions = json::arrayAt(request, {"status", "conditions"}))
    for (const auto& each : *conditions)
      if (const auto type = json::textAt(each, {"type"}); type == "Denied" || type == "Failed")
        throw base::Error(fmt::format("the request for a certificate: {}: {}", type, json::textAt(each, {"message"})));
  const auto coded = json::textAt(request, {"status", "certificate"});
  if (coded.empty()) return std::nullopt;
  return base::fromBase64(coded);
}

base::Task<net::KeyPair> boughtPair(base::Runtime runtime, Api& bootstrapper, json::Value request,
                                    base::Secret privateKeyPem) {
  (void)co_await bootstrapper.create(request);
  for (int polls = 0; polls < mostPolls; ++polls) {
    const auto seen = co_await bootstrapper.get(pathOf(request));
    if (!seen) throw base::Error("the request for a certificate is gone");
    if (const auto certificate = certificateIn(*seen)) co_return net::KeyPair{*certificate, std::move(privateKeyPem)};
    co_await runtime.clock.sleepFor(pollPause);
  }
  throw base::TimedOut("nobody signs the request for a certificate");
}

std::string without(std::string text, const std::string& word) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word)) text.erase(at, word.size());
  return text;
}

}  // namespace

Access accessOf(const std::string& serverUrl, const Identity& identity) {
  return {.serverUrl = serverUrl, .caPem = identity.caPem, .client = identity.client};
}

Identity kubeletIdentity(const firstboot::Membership& member, base::WallTime now) {
  return signedBy(member.authority.value(), userOf(member.node), std::string(nodesGroup), now);
}

Identity adminIdentity(const firstboot::Membership& member, base::WallTime now) {
  return signedBy(member.authority.value(), "kubernetes-super-admin", "system:masters", now);
}

base::Task<Identity> buyIdentity(base::Runtime runtime, net::HttpTransport& transport, firstboot::Membership member) {
  const auto& discovery = member.discovery.value();
  const auto caPem = co_await findAuthority(transport, member.serverUrl, discovery);
  Api bootstrapper(transport, {.serverUrl = member.serverUrl, .caPem = caPem, .token = discovery.token});

  const auto wanted = requestCertificate(userOf(member.node), std::string(nodesGroup));
  const auto suffix = runtime.random.alphanumeric(20);
  const auto request = signingRequest("node-csr-" + suffix, wanted.requestPem);
  try {
    co_return Identity{caPem, co_await boughtPair(runtime, bootstrapper, request, wanted.privateKeyPem)};
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {  // told without what is random: it is the same failure each time
    throw base::Error(without(error.what(), suffix));
  }
}

}  // namespace ingot::sim::kubelet
