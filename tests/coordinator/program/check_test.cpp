// What `ingot-coordinator check` says of an installation, to an administrator who asks from somewhere else.
#include "tests/coordinator/program/asked_cluster.hpp"
#include "tests/support/guide_commands.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using Lines = std::vector<std::string>;

std::vector<const char*> pointersTo(const std::vector<std::string>& words) {
  std::vector<const char*> out;
  for (const auto& word : words) out.push_back(word.c_str());
  return out;
}

bool names(const Lines& lines, std::string_view text) {
  return std::ranges::any_of(lines, [&](const std::string& line) { return line.contains(text); });
}

TEST_CASE("from outside of a pod, our own webhooks are no leftovers of Metal3", "[coordinator]") {
  AskedCluster site;
  SECTION("with one installation") {
    CHECK(site.said({"place"}) == Lines{"ok the coordinator is in namespace ingot-system"});
  }
  SECTION("with several") {
    site.installedIn("other-system");
    CHECK(site.said({"place"}) ==
          Lines{"note coordinators are in namespaces ingot-system, other-system, so that rights are asked for in "
                "namespace default: let POD_NAMESPACE say where it is"});
  }
  SECTION("where Deployments may not be read") {
    site.denied = {"deployments"};
    CHECK(names(site.said({"place"}), "let POD_NAMESPACE say where it is"));
  }
  SECTION("with none in the cluster") {
    site.clear(kDeployments);
    CHECK(site.said({"place"}).empty());
  }
  CHECK_FALSE(names(site.said({"Metal3"}), "ingot-webhook-service"));
}

TEST_CASE("what asks somebody else's webhook is named, and what nobody converts fails", "[coordinator]") {
  AskedCluster site;
  site.clear(kHooks);
  site.clear(kDefinitions);
  site.hook("capm3-system/capm3-webhook-service");
  site.conversion("capm3-system/capm3-webhook-service");
  auto said = site.said({"Metal3"});
  CHECK(names(said,
              "note x.metal3.io of ValidatingWebhookConfiguration capm3-validating-webhook-configuration asks "
              "Service capm3-system/capm3-webhook-service"));
  CHECK(names(said,
              "FAIL metal3datas.infrastructure.cluster.x-k8s.io are converted by Service "
              "capm3-system/capm3-webhook-service, which is not there"));
  site.add("/api/v1/namespaces/capm3-system/services", R"({"metadata":{"name":"capm3-webhook-service"}})");
  CHECK(names(site.said({"Metal3"}),
              "note metal3datas.infrastructure.cluster.x-k8s.io are converted by Service "
              "capm3-system/capm3-webhook-service"));
  site.denied = {"services"};
  CHECK_FALSE(names(site.said({"Metal3"}), "which is not there"));
}

TEST_CASE("a missing kind is to be had of what asks our webhooks", "[coordinator]") {
  AskedCluster site;
  const auto said = site.said({"kinds"});
  CHECK(names(said, "not served (apply deploy/default, or the components of the release)"));
}

TEST_CASE("where the way to Ironic was looked for is said when it leads nowhere", "[coordinator]") {
  AskedCluster site;
  site.options.provisioner = coordinator::Backend::ironic;
  const auto saidWith = [&](std::map<std::string, std::string, std::less<>> variables) {
    return site.said({"Ironic"}, [variables](std::string_view name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
  };
  const std::string unset =
      "FAIL IRONIC_ENDPOINT: no IRONIC_ENDPOINT variable set (looked for in the environment of this command; ";
  CHECK(saidWith({}) == Lines{unset + "a service has its own of /etc/ingot/coordinator.env)"});
  CHECK(saidWith({{"KUBERNETES_SERVICE_HOST", "10.96.0.1"}}) == Lines{unset + "a pod has it of ConfigMap ironic)"});
  const auto auth = site.folder.path("auth");
  base::makeFolder(auth + "/ironic");
  base::writeFileAtomically(auth + "/ironic/username", "admin");
  base::writeFileAtomically(auth + "/ironic/password", "hunter2");
  const auto said = saidWith({{"IRONIC_ENDPOINT", "https://ironic.test/v1"}, {"METAL3_AUTH_ROOT_DIR", auth}});
  CHECK(names(said, "(URL of IRONIC_ENDPOINT, user and password of " + auth +
                        "/ironic, no CA at /opt/metal3/certs/ca/tls.crt (IRONIC_CACERT_FILE))"));
  CHECK_FALSE(names(said, "hunter2"));
}

TEST_CASE("check finds what a leader would end with of Ironic's settings", "[coordinator]") {
  AskedCluster site;
  site.options.provisioner = coordinator::Backend::ironic;
  const auto said = site.said({"Ironic"}, [](std::string_view name) -> std::optional<std::string> {
    if (name == "IRONIC_ENDPOINT") return "https://ironic.test/v1";
    if (name == "DEPLOY_KERNEL_URL") return "http://images.test/kernel";
    return std::nullopt;
  });
  CHECK(names(said, "FAIL DEPLOY_KERNEL_URL: DEPLOY_KERNEL_URL and DEPLOY_RAMDISK_URL can only be set together"));
}

// As in a pod of deploy/default, with everything there but Ironic.
TEST_CASE("the guide shows what check prints", "[coordinator]") {
  const auto page = base::readFile(std::string(INGOT_SOURCE_DIR) + "/docs/guide/install.md");
  const std::string prompt = "\n$ kubectl -n ingot-system exec deploy/ingot-coordinator -- ";
  const auto command = page.find(prompt) + prompt.size(), shown = page.find('\n', command) + 1;
  AskedCluster site("https://10.96.0.1:443");
  const auto words = shellWords(page.substr(command, shown - 1 - command));
  auto parsed = coordinator::parseOptions(static_cast<int>(words.size()), pointersTo(words).data());
  REQUIRE(parsed.options);
  CHECK(parsed.options->checksOnly);
  parsed.options->kubeconfig = site.options.kubeconfig;
  for (const auto& row : api::everyKind())
    site.add(fmt::format("/apis/{}/{}/{}", row.stored->group, row.stored->version, row.stored->plural), "");
  site.add("/apis/rbac.authorization.k8s.io/v1/clusterroles", "");
  site.add("/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", "");
  for (const char* name : {"a", "b"})
    site.add(kProvisioningAgents,
             fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"approved":true}},"status":{{"connected":true}}}})",
                         name));
  const kube::Environment environment = [](std::string_view name) -> std::optional<std::string> {
    if (name == "POD_NAMESPACE") return "ingot-system";
    if (name == "POD_NAME") return "ingot-coordinator-0";
    if (name == "IRONIC_ENDPOINT") return "http://172.22.0.2:6385/v1";
    return std::nullopt;
  };
  auto report =
      coordinator::reportOf(site.run(coordinator::check(site.runtime, *parsed.options, site.network, environment)));
  const std::string inMemory = "nothing is served there";
  const auto refused = report.text.find(inMemory);
  REQUIRE(refused != std::string::npos);
  report.text.replace(
      refused, inMemory.size(),
      "is it running, and are address and port right? (Failed to connect to 172.22.0.2 port 6385 after 3 "
      "ms: Couldn't connect to server)");
  CHECK(report.code == 1);
  CHECK(page.substr(shown, page.find("```", shown) - shown) == report.text);
}

}  // namespace
}  // namespace ingot::tests
