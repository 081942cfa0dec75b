#include "cli/render/objects.hpp"
#include "cli/render/pool_argument.hpp"
#include "cli/run/offline.hpp"
#include "cloudinit/findings.hpp"
#include "cloudinit/meta_data.hpp"
#include "cloudinit/network_data.hpp"
#include "cloudinit/secrets.hpp"

namespace ingot::cli {

namespace {

std::vector<Manifest> read(Terminal& terminal, const RenderCommand& command) {
  std::vector<std::string> paths = command.files;
  paths.insert(paths.begin(), {command.templateFile, command.machineFile, command.hostFile});
  const bool wantsInput = std::ranges::find(paths, "-") != paths.end();
  std::vector<Manifest> out;
  for (const Source& source : readSources(paths, false, wantsInput ? terminal.readInput() : ""))
    for (Manifest& manifest : parseManifests(source)) out.push_back(std::move(manifest));
  return out;
}

// v1beta1 has other names for the lists that read pools: ipAddressesFromIPPool.
std::string asWritten(const Manifest& manifest, std::string text) {
  constexpr std::string_view kNew = "FromPool[", kOld = "FromIPPool[";
  if (!manifest.apiVersion().ends_with("/v1beta1") || !text.starts_with("metaData.")) return text;
  if (const auto at = text.find(kNew); at != std::string::npos) text.replace(at, kNew.size(), kOld);
  return text;
}

class Rendering {
 public:
  Rendering(Terminal& terminal, const RenderObjects& objects, const cloudinit::PoolAddresses& pools)
      : terminal_(terminal),
        objects_(objects),
        snapshot_{.data = objects.data,
                  .machine = objects.machine ? &objects.machine->metadata : nullptr,
                  .metal3Machine = &objects.metal3Machine.metadata,
                  .host = &objects.host,
                  .pools = pools} {}

  ExitCode show(const std::string& only) {
    document(only, "metaData", [&] { metaData(); });
    document(only, "networkData", [&] { networkData(); });
    document(only, "userData", [&] { userData(); });
    for (const auto& finding : cloudinit::findingsIn(objects_.wanted, snapshot_)) complain(finding);
    return complained_ ? ExitCode::failed : ExitCode::done;
  }

 private:
  void document(const std::string& only, std::string_view name, auto write) {
    if (!only.empty() && only != name) return;
    bare_ = !only.empty();
    try {
      write();
    } catch (const cloudinit::RenderError& bad) {
      complain(bad);
    }
  }

  void metaData() {
    if (!objects_.wanted.metaData) return heading("no metaData in the template");
    const auto secret =
        cloudinit::metaDataSecret(owner(), cloudinit::renderMetaData(*objects_.wanted.metaData, snapshot_));
    body("metaData", secret);
  }

  void networkData() {
    if (!objects_.wanted.networkData) return heading("no networkData in the template");
    const auto secret =
        cloudinit::networkDataSecret(owner(), cloudinit::renderNetworkData(*objects_.wanted.networkData, snapshot_));
    body("networkData", secret);
  }

  void userData() {
    const auto chosen = cloudinit::userDataFor(objects_.machine.value_or(api::capi::Machine{}), objects_.metal3Machine);
    if (!chosen) return heading("no userData yet: the Machine has no bootstrap data");
    const auto secret = std::ranges::find_if(
        objects_.secrets, [&](const kube::Secret& candidate) { return candidate.metadata.name == chosen->name; });
    if (secret == objects_.secrets.end())
      return heading(
          fmt::format("userData: Secret {}/{}, which is not in the files", chosen->namespace_, chosen->name));
    for (const std::string key : {"value", "userData"})
      if (secret->find(key)) return body(key, *secret);
    heading(fmt::format("userData: Secret {} has neither value nor userData", chosen->name));
  }

  cloudinit::SecretOwner owner() const {
    return {objects_.data, objects_.metal3Machine.metadata.name,
            objects_.machine ? std::string_view(objects_.machine->spec.clusterName) : ""};
  }

  void heading(const std::string& text) {
    if (!bare_) terminal_.say("# " + text);
  }

  void body(const std::string& key, const kube::Secret& secret) {
    heading(fmt::format("{}: Secret {}/{}", key, secret.metadata.namespace_, secret.metadata.name));
    const std::string_view text = secret.find(key)->reveal();
    terminal_.out(text);
    if (!bare_) terminal_.out(text.ends_with('\n') ? "---\n" : "\n---\n");
  }

  void complain(const cloudinit::RenderError& bad) {
    complained_ = true;
    const Manifest& manifest = objects_.templateManifest;
    const std::string place = manifest.place("spec." + asWritten(manifest, bad.field()));
    terminal_.error(place + ": spec." + asWritten(manifest, bad.what()));
  }

  Terminal& terminal_;
  const RenderObjects& objects_;
  cloudinit::Snapshot snapshot_;
  bool bare_ = false, complained_ = false;
};

}  // namespace

ExitCode render(Terminal& terminal, const RenderCommand& command) {
  const RenderObjects objects = findRenderObjects(read(terminal, command), command.index);
  const cloudinit::PoolAddresses pools = parsePools(command.pools);
  return Rendering(terminal, objects, pools).show(command.only);
}

}  // namespace ingot::cli
