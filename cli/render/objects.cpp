#include "cli/render/objects.hpp"

#include "api/kinds/kinds.hpp"
#include "cli/outcome.hpp"

namespace ingot::cli {

namespace {

namespace v1beta2 = api::capm3::v1beta2;

// nullptr: none of them.
const Manifest* onlyOne(const std::vector<Manifest>& manifests, std::string_view kind) {
  const Manifest* found = nullptr;
  for (const Manifest& manifest : manifests) {
    if (manifest.kind() != kind) continue;
    if (found)
      throw Failure(ExitCode::failed, fmt::format("{}: kind: a second {}, the first is at {}; leave one of them out",
                                                  manifest.place("kind"), kind, found->place("kind")));
    found = &manifest;
  }
  return found;
}

const Manifest& required(const std::vector<Manifest>& manifests, std::string_view kind) {
  if (const Manifest* found = onlyOne(manifests, kind)) return *found;
  throw Failure(ExitCode::notFound, fmt::format("no {} in the files; give one that describes it", kind));
}

template <class T>
T decoded(const Manifest& manifest, const json::Value& object) {
  try {
    return json::decode<T>(object);
  } catch (const json::DecodeError& bad) {
    throw Failure(ExitCode::failed, manifest.place(bad.path()) + ": " + bad.what());
  }
}

template <class T>
T latest(const Manifest& manifest) {
  try {
    if (manifest.apiVersion() == T::info.apiVersion()) return decoded<T>(manifest, manifest.object);
    const api::KindRow* row = api::rowOf(manifest.object);
    if (!row || !row->convert) throw Failure(ExitCode::failed, manifest.place("apiVersion") + ": is not known");
    return decoded<T>(manifest, row->convert(manifest.object, T::info.version));
  } catch (const Failure&) {
    throw;
  } catch (const base::Error& bad) {
    throw Failure(ExitCode::failed, manifest.place("apiVersion") + ": " + bad.what());
  }
}

v1beta2::Metal3Data dataFor(const std::vector<Manifest>& manifests, const kube::ObjectMeta& machine, int index) {
  if (const Manifest* given = onlyOne(manifests, v1beta2::Metal3Data::info.kind))
    return latest<v1beta2::Metal3Data>(*given);
  v1beta2::Metal3Data data;
  data.metadata.name = fmt::format("{}-{}", machine.name, index);
  data.metadata.namespace_ = machine.namespace_;
  data.spec.index = index;
  return data;
}

// What the API server fills in and rendering relies on.
void fillDefaults(v1beta2::Metal3DataTemplateSpec& wanted) {
  if (!wanted.networkData || !wanted.networkData->links) return;
  const auto fill = [](auto& links) {
    constexpr int kMtu = 1500;
    for (auto& link : links)
      if (link.mtu == 0) link.mtu = kMtu;
  };
  fill(wanted.networkData->links->bonds);
  fill(wanted.networkData->links->ethernets);
  fill(wanted.networkData->links->vlans);
}

}  // namespace

RenderObjects findRenderObjects(const std::vector<Manifest>& manifests, int index) {
  RenderObjects out;
  out.templateManifest = required(manifests, v1beta2::Metal3DataTemplate::info.kind);
  out.wanted = latest<v1beta2::Metal3DataTemplate>(out.templateManifest).spec;
  fillDefaults(out.wanted);
  out.metal3Machine = latest<v1beta2::Metal3Machine>(required(manifests, v1beta2::Metal3Machine::info.kind));
  const Manifest& host = required(manifests, api::BareMetalHost::info.kind);
  out.host = decoded<api::BareMetalHost>(host, host.object);
  if (const Manifest* machine = onlyOne(manifests, api::capi::Machine::info.kind))
    out.machine = latest<api::capi::Machine>(*machine);
  for (const Manifest& manifest : manifests)
    if (manifest.kind() == "Secret") out.secrets.push_back(decoded<kube::Secret>(manifest, manifest.object));
  out.data = dataFor(manifests, out.metal3Machine.metadata, index);
  return out;
}

}  // namespace ingot::cli
