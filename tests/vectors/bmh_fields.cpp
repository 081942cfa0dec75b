// What a Metal3Machine writes onto the host that it gets (spec/capm3.md §9, §10, §15): first pass and second pass.
#include "coordinator/machine/association.hpp"
#include "coordinator/machine/error.hpp"
#include "coordinator/machine/host_choice.hpp"
#include "coordinator/machine/rendered_data.hpp"
#include "tests/vectors/vector_runner.hpp"

#include <algorithm>

namespace {

using namespace ingot;
namespace machine = coordinator::machine;
using json::Value;

template <class T>
std::vector<T> listAt(const Value& in, std::string_view key) {
  const auto* all = json::find(in, {key});
  return all ? json::decode<std::vector<T>>(*all) : std::vector<T>();
}

struct Secret {
  kube::ObjectMeta metadata;
  static void describe(auto& v) { v.field("metadata", &Secret::metadata); }
};

std::string textOf(const machine::MachineError& error) {
  const bool again = error.problem() == machine::Problem::waiting || error.problem() == machine::Problem::soon;
  return std::string(error.what()) + (again ? ". Object will be requeued after 30s" : "");
}

Value orNull(const std::optional<std::string>& text) { return text ? Value(*text) : Value(); }

template <class Map>
Value orNothing(const Map& map) {
  return map.empty() ? Value() : json::encode(map);
}

// The schema asks for what upstream's types always write; an image without format is written with an empty one, which
// the schema does not allow (quirk Q14).
Value asUpstreamWrites(const api::BareMetalHost& host, const std::string& writtenImage) {
  Value spec = json::encode(host.spec);
  auto& members = spec.as_object();
  if (!members.contains("bmc")) members["bmc"] = json::Object{{"address", ""}, {"credentialsName", ""}};
  members["online"] = host.spec.online;
  if (host.spec.image && host.spec.image->url == writtenImage && host.spec.image->format.empty())
    members.at("image").as_object()["format"] = "";
  json::Object metadata{{"name", host.metadata.name}};
  if (!host.metadata.labels.empty()) metadata["labels"] = json::encode(host.metadata.labels);
  auto annotations = host.metadata.annotations;
  annotations.erase(machine::kToldBy);  // our own (docs/decisions/0050)
  if (!annotations.empty()) metadata["annotations"] = json::encode(annotations);
  return json::Object{{"metadata", std::move(metadata)}, {"spec", std::move(spec)}};
}

class HostWorld {
 public:
  explicit HostWorld(const Value& in)
      : hosts_(listAt<api::BareMetalHost>(in, "bareMetalHosts")),
        secrets_(listAt<Secret>(in, "secrets")),
        owner_(json::decode<api::capi::Machine>(in.at("machine"))),
        machine_(json::decode<machine::Metal3Machine>(in.at("metal3Machine"))) {
    if (const auto* claim = json::find(in, {"metal3DataClaim"}))
      claim_ = json::decode<machine::Metal3DataClaim>(*claim);
    if (const auto* data = json::find(in, {"metal3Data"})) data_ = json::decode<machine::Metal3Data>(*data);
  }

  Value associate() {
    std::string reason;
    attempt([&] { reason = takeHost(); });
    Value seen = shown();
    seen.as_object()["reason"] = error_ ? "" : reason;
    return seen;
  }

  Value update() {
    attempt([&] {
      machine::settleGivenData(machine_);
      if (auto made = machine::missingDataClaim(machine_, claim_ ? &*claim_ : nullptr, nullptr))
        claim_ = created_ = std::move(made);
      if (machine::settleRenderedData(machine_, claim_ ? &*claim_ : nullptr))
        machine::takeRenderedData(machine_, data_ ? &*data_ : nullptr);
      edit(*linked(), [&](api::BareMetalHost& host) { machine::writeHost(host, machine_); });
      machine_.status.addresses = machine::nodeAddresses(*linked());
    });
    return shown();
  }

  [[nodiscard]] const std::optional<std::string>& error() const { return error_; }

  [[nodiscard]] Value createdClaim() const {
    if (!created_) return nullptr;
    json::Object out{{"finalizers", json::encode(created_->metadata.finalizers)},
                     {"labels", orNothing(created_->metadata.labels)},
                     {"name", created_->metadata.name},
                     {"ownerReferences", json::encode(created_->metadata.ownerReferences)},
                     {"spec", json::encode(created_->spec)}};
    return out;
  }

 private:
  void attempt(const std::function<void()>& work) {
    error_.reset();
    try {
      work();
    } catch (const machine::MachineError& error) {
      error_ = textOf(error);
    }
  }

  std::string takeHost() {
    api::BareMetalHost* host = linked();
    bool forReuse = false;
    if (!host) {
      const auto choice = choose();
      if (!choice.host) throw machine::MachineError(machine::Problem::waiting, "no available host found. Requeuing");
      forReuse = choice.forReuse;
      host = const_cast<api::BareMetalHost*>(choice.host);  // NOLINT(cppcoreguidelines-pro-type-const-cast): ours
    }
    machine::settleUserData(machine_, owner_);
    edit(*host, [&](api::BareMetalHost& draft) {
      machine::claimHost(draft, machine_, owner_);
      if (!machine_.spec.dataTemplate) machine::writeHost(draft, machine_);
    });
    labelSecret(host->spec.bmc.credentialsName);
    machine::linkHost(machine_, host->metadata.key());
    return forReuse ? "AssociateBareMetalHostViaNodeReuseSuccess" : "AssociateBareMetalHostSuccess";
  }

  [[nodiscard]] machine::HostChoice choose() const {
    const auto& wanted = machine_.spec.hostSelector;
    const machine::HostSelector selector = wanted ? machine::HostSelector(*wanted) : machine::HostSelector();
    std::vector<const api::BareMetalHost*> hosts;
    hosts.reserve(hosts_.size());
    for (const auto& host : hosts_) hosts.push_back(&host);
    return machine::chooseHost(hosts, {.machine = machine_, .selector = selector, .nodeReuse = ""});
  }

  api::BareMetalHost* linked() {
    machine::requireLink(machine_);
    const auto key = machine::linkedHost(machine_);
    const auto at = std::ranges::find_if(hosts_, [&](const auto& host) { return host.metadata.key() == key; });
    return at == hosts_.end() ? nullptr : &*at;
  }

  // Nothing is saved when the edit fails.
  template <class Edit>
  static void edit(api::BareMetalHost& host, Edit&& how) {
    api::BareMetalHost draft = host;
    how(draft);
    host = std::move(draft);
  }

  void labelSecret(const std::string& name) {
    if (name.empty()) return;
    const auto secret = std::ranges::find_if(secrets_, [&](const Secret& s) { return s.metadata.name == name; });
    if (secret == secrets_.end())
      throw machine::MachineError(machine::Problem::hostLink, "secrets \"" + name + "\" not found");
    secret->metadata.labels["cluster.x-k8s.io/cluster-name"] = owner_.spec.clusterName;
  }

  [[nodiscard]] Value shown() const {
    json::Array hosts;
    for (const auto& host : hosts_) hosts.push_back(asUpstreamWrites(host, machine_.spec.image.url));
    Value status = json::encode(machine_.status);
    if (status.is_null()) status = json::Object();
    json::Object out{
        {"bareMetalHosts", hosts},
        {"error", orNull(error_)},
        {"metal3Machine", json::Object{{"annotations", orNothing(machine_.metadata.annotations)}, {"status", status}}}};
    json::Object labels;
    for (const auto& secret : secrets_) labels[secret.metadata.name] = json::encode(secret.metadata.labels);
    if (!labels.empty()) out["secretLabels"] = labels;
    return out;
  }

  std::vector<api::BareMetalHost> hosts_;
  std::vector<Secret> secrets_;
  api::capi::Machine owner_;
  machine::Metal3Machine machine_;
  std::optional<machine::Metal3DataClaim> claim_, created_;
  std::optional<machine::Metal3Data> data_;
  std::optional<std::string> error_;
};

vectors::Outcome runBmhFields(const vectors::Line& line) {
  HostWorld world(line.in);
  json::Object out{{"associate", world.associate()}};
  const std::optional<std::string> error = world.error();
  if (!error) out["update"] = world.update();
  if (const Value claim = world.createdClaim(); !claim.is_null()) out["createdMetal3DataClaim"] = claim;
  return vectors::compare(line, out, error);
}

const vectors::Registration bmhFieldsRegistration("bmh_fields", runBmhFields);

}  // namespace
