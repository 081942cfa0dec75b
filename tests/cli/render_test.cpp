// ingotctl render: manifests in, documents out, no cluster.
#include "tests/cli/world.hpp"

#include "cli/run/offline.hpp"

using namespace ingot;
using namespace ingot::cli;
using namespace ingot::cli::tests;
using Catch::Contains;

namespace {

const std::string kRenderExample = std::string(INGOT_SOURCE_DIR) + "/docs/examples/render";
constexpr const char* kPool = "provisioning=192.0.2.14/24,gateway=192.0.2.1";

RenderCommand example() {
  return {.templateFile = kRenderExample + "/template.yaml",
          .machineFile = kRenderExample + "/machine.yaml",
          .hostFile = kRenderExample + "/host.yaml",
          .pools = {kPool},
          .index = 3};
}

Shown shown(const RenderCommand& command, const std::string& input = "") {
  MemoryTerminal terminal;
  terminal.input = input;
  const ExitCode code = render(terminal, command);
  return {code, terminal.printed, terminal.notes, terminal.errors};
}

std::string failure(const RenderCommand& command) {
  try {
    return shown(command).errors;
  } catch (const Failure& bad) {
    return bad.what();
  }
}

}  // namespace

TEST_CASE("the example's documents are shown with the Secrets that carry them", "[cli][render]") {
  const Shown all = shown(example());
  CHECK(all.errors.empty());
  CHECK(all.code == ExitCode::done);
  CHECK_THAT(all.printed, Catch::StartsWith("# metaData: Secret metal3/prod-workers-7k2vd-metadata\n"
                                            "ip: 192.0.2.14\nlocal-hostname: worker-4\nmac: \"52:54:00:00:01:04\"\n"
                                            "name: prod-workers-7k2vd\n"
                                            "providerid: metal3/rack1-slot4/prod-workers-7k2vd\n---\n"
                                            "# networkData: Secret metal3/prod-workers-7k2vd-networkdata\nlinks:\n"));
  CHECK_THAT(all.printed, Contains("    netmask: 0.0.0.0\n") &&
                              Contains("# userData: Secret metal3/prod-workers-7k2vd-bootstrap, which is not in"));
}

TEST_CASE("one document alone is bare, user data comes from a Secret among the files", "[cli][render]") {
  RenderCommand command = example();
  command.only = "userData";
  command.files = {"-"};
  CHECK(shown(command,
              "apiVersion: v1\nkind: Secret\nmetadata: {name: prod-workers-7k2vd-bootstrap}\n"
              "data: {value: I2Nsb3VkLWNvbmZpZwo=}\n")
            .printed == "#cloud-config\n");
}

TEST_CASE("a template that cannot be rendered is told with file, line, field and value", "[cli][render]") {
  RenderCommand command = example();
  command.pools.clear();
  CHECK_THAT(failure(command), Contains("template.yaml:18: spec.metaData.ipAddressesFromIPPool[0].name "
                                        "\"provisioning\": pool not found in cache"));
  CHECK(shown(command).code == ExitCode::failed);
}

TEST_CASE("what renders but cannot be meant is told beside the documents", "[cli][render]") {
  RenderCommand command = example();
  command.templateFile = "-";
  const Shown out = shown(command,
                          "apiVersion: infrastructure.cluster.x-k8s.io/v1beta2\nkind: Metal3DataTemplate\n"
                          "metadata: {name: t}\nspec:\n  networkData:\n    links:\n      vlans:\n"
                          "      - {id: v, vlanID: 7, vlanLink: bond0}\n");
  CHECK(out.code == ExitCode::failed);
  CHECK_THAT(out.printed, Contains("vlan_link: bond0"));
  CHECK_THAT(out.errors,
             Contains("standard input:8: spec.networkData.links.vlans[0].vlanLink \"bond0\": no link has this id"));
}

TEST_CASE("files that lack an object, or have it twice, are named", "[cli][render]") {
  RenderCommand command = example();
  command.machineFile = kRenderExample + "/host.yaml";
  CHECK_THAT(failure(command), Contains("no Metal3Machine in the files"));
  command = example();
  command.files = {kRenderExample + "/host.yaml"};
  CHECK_THAT(failure(command), Contains("a second BareMetalHost"));
}

TEST_CASE("a pool argument says what is wrong with it", "[cli][render]") {
  const auto complaint = [](const std::string& pool) {
    return parseCommandLine({"render", "--template", "t", "--machine", "m", "--host", "h", "--pool", pool}).text;
  };
  CHECK_THAT(complaint("green"), Contains("--pool green: write it NAME=ADDRESS/PREFIX"));
  CHECK_THAT(complaint("green=10.0.0.1/x"), Contains("\"x\" is no prefix"));
  CHECK_THAT(complaint("green=10.0.0.1,router=1"), Contains("neither gateway=ADDRESS nor dns=ADDRESS"));
  CHECK(complaint("green=10.0.0.1/24,gateway=10.0.0.254,dns=8.8.8.8,dns=8.8.4.4").empty());
}
