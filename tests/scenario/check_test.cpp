// `ingot-coordinator check` of an API that is no whole cluster: the embedded one.
#include "coordinator/check.hpp"

#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "base/file.hpp"
#include "coordinator/admission.hpp"
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using Verdict = coordinator::Finding::Verdict;

constexpr auto checkedOrigin = "https://api.test";
constexpr auto checkedKubeconfig = R"(apiVersion: v1
kind: Config
current-context: here
contexts: [{name: here, context: {cluster: here, user: here}}]
clusters: [{name: here, cluster: {server: "https://api.test"}}]
users: [{name: here, user: {token: secret}}]
)";

struct CheckedApi : Loop {
  CheckedApi() {
    apiserver::EmbeddedOptions served{.definitions = api::everyCrd(),
                                      .admission = coordinator::admissionRules,
                                      .converters = coordinator::kindConverters()};
    served.store.commit = apiserver::StoreOptions::Commit::inLine;
    api = run(apiserver::EmbeddedApi::start(runtime, std::move(served)));
    network.serve(checkedOrigin, api->handler(), apiserver::EmbeddedApi::localAdmin());
    base::writeFileAtomically(folder.path("kubeconfig"), checkedKubeconfig);
  }
  ~CheckedApi() {
    run(network.close());
    run(api->stop(1s));
  }

  std::vector<coordinator::Finding> check() {
    coordinator::Options options{.kubeconfig = folder.path("kubeconfig"), .provisioner = coordinator::Backend::fixture};
    options.webhookCerts = coordinator::WebhookCerts::self;
    return run(coordinator::check(runtime, options, network, [](std::string_view) { return std::nullopt; }));
  }

  TemporaryFolder folder;
  net::Loopback network{runtime};
  std::unique_ptr<apiserver::EmbeddedApi> api;
};

TEST_CASE("what an API does not have is no failure of a check, and is named", "[scenario][check]") {
  CheckedApi site;
  const auto findings = site.check();
  for (const auto& finding : findings) {
    INFO(finding.what << ": " << finding.text);
    CHECK(finding.verdict != Verdict::bad);
  }
  CHECK(coordinator::reportOf(findings).code == 0);
  const auto named = std::ranges::find_if(findings, [](const coordinator::Finding& finding) {
    return finding.text.ends_with(": this API has none, nothing is looked for there");
  });
  REQUIRE(named != findings.end());
  CHECK(named->verdict == Verdict::note);
  CHECK(named->text.contains("deployments.apps"));
  CHECK(named->text.contains("validatingwebhookconfigurations.admissionregistration.k8s.io"));
}

}  // namespace
}  // namespace ingot::tests
