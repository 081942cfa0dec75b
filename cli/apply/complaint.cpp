#include "cli/apply/complaint.hpp"

#include "api/kinds/kinds.hpp"
#include "base/nearest.hpp"
#include "cli/apply/topics.hpp"

namespace ingot::cli {
namespace {

// Every unknown field "a.b" and duplicate field "c" in a sentence.
std::vector<Complaint> strictComplaints(std::string_view text) {
  std::vector<Complaint> out;
  for (const std::string_view word : {"unknown field \"", "duplicate field \""}) {
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      const auto begin = at + word.size();
      const auto end = text.find('"', begin);
      if (end == std::string_view::npos) break;
      out.push_back({std::string(text.substr(begin, end - begin)), std::string(word.substr(0, word.size() - 2))});
    }
  }
  return out;
}

std::vector<Complaint> admissionComplaints(std::string_view text) {
  constexpr std::string_view said = "denied the request: ";
  const auto at = text.find(said);
  if (at == std::string_view::npos) return {};
  const std::string_view sentence = text.substr(at + said.size());
  return {{fieldMeant(sentence), std::string(sentence)}};
}

// The field is repeated at the head of most messages.
std::string withoutField(std::string message, const std::string& field) {
  const std::string again = field + " in body ";
  if (const auto at = message.find(again); at != std::string::npos) message.erase(at, again.size());
  return message;
}

std::vector<Complaint> causeComplaints(const kube::Error& refusal) {
  std::vector<Complaint> out;
  for (const kube::StatusCause& cause : refusal.status().details.causes) {
    if (const auto strict = strictComplaints(cause.message); !strict.empty()) {
      std::ranges::copy(strict, std::back_inserter(out));
    } else if (!cause.field.empty()) {
      out.push_back({cause.field, withoutField(cause.message, cause.field)});
    }
  }
  return out;
}

const json::Value* schemaOf(const json::Object& crd, const std::string& version) {
  const json::Value* versions = json::find(crd.at("spec"), {"versions"});
  for (const json::Value& v : versions->get_array())
    if (json::textAt(v, {"name"}) == version) return json::find(v, {"schema", "openAPIV3Schema"});
  return nullptr;
}

const json::Value* schemaOf(const std::vector<json::Object>& crds, const std::string& apiVersion,
                            const std::string& kind) {
  const auto slash = apiVersion.find('/');
  if (slash == std::string::npos) return nullptr;
  for (const json::Object& crd : crds) {
    const json::Value& spec = crd.at("spec");
    const bool same =
        json::textAt(spec, {"group"}) == apiVersion.substr(0, slash) && json::textAt(spec, {"names", "kind"}) == kind;
    if (same) return schemaOf(crd, apiVersion.substr(slash + 1));
  }
  return nullptr;
}

// One step of "spec.raid.softwareRAIDVolumes[0]" down a schema; nullptr when it leads nowhere.
const json::Value* stepInto(const json::Value* schema, std::string_view step) {
  const auto bracket = step.find('[');
  schema = json::find(*schema, {"properties", step.substr(0, bracket)});
  if (schema && bracket != std::string_view::npos) schema = json::find(*schema, {"items"});
  return schema;
}

std::vector<std::string> memberNames(const json::Value& schema) {
  std::vector<std::string> names;
  if (const json::Object* properties = json::objectAt(schema, {"properties"}))
    for (const auto& member : *properties) names.emplace_back(member.key());
  return names;
}

}  // namespace

std::vector<Complaint> complaints(const kube::Error& refusal) {
  if (auto found = causeComplaints(refusal); !found.empty()) return found;
  const std::string& message = refusal.status().message;
  if (auto found = strictComplaints(message); !found.empty()) return found;
  return admissionComplaints(message);
}

std::string rightField(const std::string& apiVersion, const std::string& kind, const std::string& field) {
  const auto crds = api::everyCrd();
  const json::Value* schema = schemaOf(crds, apiVersion, kind);
  std::string_view rest = field;
  for (auto dot = rest.find('.'); schema && dot != std::string_view::npos; dot = rest.find('.')) {
    schema = stepInto(schema, rest.substr(0, dot));
    rest.remove_prefix(dot + 1);
  }
  return schema ? base::nearest(rest, memberNames(*schema)) : "";
}

std::vector<std::string> complaintLines(const Manifest& manifest, const std::vector<Complaint>& all) {
  std::vector<std::string> lines;
  for (const Complaint& c : all) {
    std::string line = manifest.place(c.field) + ": " +
                       (c.field.empty() ? manifest.kind() + " " + manifest.name() : c.field) + ": " + c.problem;
    if (c.problem == "unknown field")
      if (const std::string right = rightField(manifest.apiVersion(), manifest.kind(), c.field); !right.empty())
        line += "; did you mean " + right + "?";
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace ingot::cli
