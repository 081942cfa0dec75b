#include "api/metal3/admission.hpp"

#include "api/request_uri.hpp"
#include "base/url_text.hpp"

#include <fmt/ranges.h>
#include <charconv>

namespace ingot::api {

namespace {

constexpr int kLastVlan = 4094;

std::string destinationProblem(const std::string& destination) {
  if (destination.empty()) return "destination cannot be empty";
  if (const auto problem = requestUriProblem(destination); !problem.empty())
    return "destination is invalid: " + problem;
  if (base::url_text::parse(destination).url->path.empty())
    return "hostname-only destination must have a trailing slash";
  return "";
}

// 0: not a VLAN ID.
int vlanOf(std::string_view text) {
  int out = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole && out >= 1 && out <= kLastVlan ? out : 0;
}

// "20" or "30-40".
bool areVlans(std::string_view text) {
  const auto dash = text.find('-');
  const int first = vlanOf(text.substr(0, dash));
  if (dash == std::string_view::npos) return first != 0;
  const int last = vlanOf(text.substr(dash + 1));
  return first != 0 && first < last;
}

}  // namespace

Verdict admitCreate(const DataImage& image) {
  Verdict out;
  if (const auto problem = downloadUrlProblem(image.spec.url); !problem.empty())
    out.errors.push_back(fmt::format("URL \"{}\" is invalid: {}", image.spec.url, problem));
  return out;
}

Verdict admitUpdate(const DataImage&, const DataImage& after) { return admitCreate(after); }

Verdict admitCreate(const HostFirmwareComponents& firmware) {
  Verdict out;
  for (const auto& update : firmware.spec.updates)
    if (const auto problem = downloadUrlProblem(update.url); !problem.empty())
      out.errors.push_back(fmt::format("invalid URL \"{}\" in FirmwareUpdate in component \"{}\": {}", update.url,
                                       update.component, problem));
  return out;
}

Verdict admitUpdate(const HostFirmwareComponents&, const HostFirmwareComponents& after) { return admitCreate(after); }

Verdict admitCreate(const BMCEventSubscription& subscription) {
  Verdict out;
  const auto& spec = subscription.spec;
  if (spec.hostName.empty()) out.errors.emplace_back("hostName cannot be empty");
  if (spec.httpHeadersRef && spec.httpHeadersRef->namespace_ != subscription.metadata.namespace_)
    out.errors.emplace_back("httpHeadersRef secret must be in the same namespace as the BMCEventSubscription");
  if (auto problem = destinationProblem(spec.destination); !problem.empty()) out.errors.push_back(std::move(problem));
  return out;
}

Verdict admitUpdate(const BMCEventSubscription& before, const BMCEventSubscription& after) {
  if (before.spec == after.spec) return {};
  return {.errors = {"subscriptions cannot be updated, please recreate it"}};
}

Verdict admitCreate(const HostNetworkAttachment& attachment) {
  Verdict out;
  const auto& spec = attachment.spec;
  if (spec.mode == "access" && !spec.allowedVLANs.empty())
    out.errors.emplace_back("allowedVLANs cannot be specified for access mode");
  for (const auto& entry : spec.allowedVLANs)
    if (!areVlans(entry))
      out.errors.push_back(
          fmt::format("allowedVLANs: \"{}\" is neither a VLAN ID from 1 to {} nor a range of them", entry, kLastVlan));
  return out;
}

Verdict admitUpdate(const HostNetworkAttachment& before, const HostNetworkAttachment& after,
                    const AttachmentUsers& users) {
  if (before.spec == after.spec) return {};
  Verdict out = admitCreate(after);
  if (!out.allowed() || users.empty()) return out;
  out.errors.push_back(fmt::format("HostNetworkAttachment spec is immutable while referenced by BMH interfaces: {}",
                                   fmt::join(users, ", ")));
  return out;
}

}  // namespace ingot::api
