#include "cli/check/structure.hpp"

#include "base/nearest.hpp"
#include "cli/check/breach_words.hpp"
#include "kube/schema/prune.hpp"

namespace ingot::cli {
namespace {

bool sameIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool isIndex(std::string_view part) {
  return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
}

// One step of a field's path down a schema: its spelling in a document, and the schema below it (nullptr: not known).
struct Step {
  std::string text;
  const kube::Schema* schema;
};

Step stepInto(const kube::Schema& schema, std::string_view part) {
  if (schema.items && isIndex(part)) return {fmt::format("[{}]", part), schema.items.get()};
  const auto bracket = std::min(part.find('['), part.size());
  for (const auto& [name, property] : schema.properties)
    if (sameIgnoringCase(name, part.substr(0, bracket)))
      return {fmt::format(".{}{}", name, part.substr(bracket)),
              bracket < part.size() ? property->items.get() : property.get()};
  return {fmt::format(".{}", part), schema.additional.get()};
}

struct Place {
  std::string text;
  const kube::Schema* schema;  // nullptr: not known
};

Place placeOf(const kube::Schema& schema, std::string_view field) {
  Place out{"", &schema};
  while (out.schema && !field.empty()) {
    const auto dot = std::min(field.find('.'), field.size());
    Step step = stepInto(*out.schema, field.substr(0, dot));
    out = {out.text + step.text, step.schema};
    field.remove_prefix(std::min(dot + 1, field.size()));
  }
  if (!field.empty()) out.text += fmt::format(".{}", field);
  if (out.text.starts_with('.')) out.text.erase(0, 1);
  return out;
}

// The members that `field` could be a slip of.
std::vector<std::string> siblings(const kube::Schema& schema, std::string_view field) {
  constexpr std::string_view kMetadata = "metadata.";
  const auto dot = field.rfind('.');
  if (field.starts_with(kMetadata) && dot + 1 == kMetadata.size())
    return siblings(kube::objectMetaSchema(), field.substr(kMetadata.size()));
  const kube::Schema* above = dot == std::string_view::npos ? &schema : placeOf(schema, field.substr(0, dot)).schema;
  std::vector<std::string> names;
  if (above)
    for (const auto& property : above->properties) names.push_back(property.first);
  return names;
}

Complaint unknownField(const kube::Schema& schema, std::string field) {
  const auto dot = field.rfind('.');
  const std::string near =
      base::nearest(dot == std::string::npos ? field : field.substr(dot + 1), siblings(schema, field));
  return {std::move(field), near.empty() ? "unknown field" : "unknown field; did you mean " + near + "?"};
}

json::Value withoutStatus(json::Value object) {
  object.as_object().erase("status");
  return object;
}

// Collects complaints. For a value of a wrong type nothing but the type is reported.
class Complaints {
 public:
  explicit Complaints(std::string_view above) : above_(above) {}

  void add(const kube::Breaches& breaches) {
    for (const kube::Breach& breach : breaches) {
      if (isBelowBroken(breach.field)) continue;
      if (breach.what == kube::Breach::What::wrongType) broken_ = breach.field;
      all.push_back({below(breach.field), inWords(breach)});
    }
    if (breaches.more() > 0)
      all.push_back({above_, fmt::format("and {} more problems, which are not shown", breaches.more())});
  }

  std::vector<Complaint> all;

 private:
  bool isBelowBroken(const std::string& field) const {
    if (!broken_ || !field.starts_with(*broken_)) return false;
    return broken_->empty() || field.size() == broken_->size() || field[broken_->size()] == '.' ||
           field[broken_->size()] == '[';
  }

  std::string below(const std::string& field) const {
    return above_.empty() || field.empty() ? above_ + field : above_ + "." + field;
  }

  std::string above_;
  std::optional<std::string> broken_;
};

void judgeMetadata(const json::Value& object, std::vector<Complaint>& into) {
  const json::Value* metadata = json::find(object, {"metadata"});
  if (!metadata) return;
  Complaints complaints("metadata");
  complaints.add(judge(kube::objectMetaSchema(), *metadata));
  std::ranges::move(complaints.all, std::back_inserter(into));
}

}  // namespace

std::vector<Complaint> structureComplaints(const kube::Schema& schema, const json::Value& object) {
  json::Value judged = withoutStatus(object);
  std::vector<std::string> unknown;
  kube::pruneObject(schema, judged, unknown);
  kube::applyDefaults(schema, judged);
  Complaints complaints("");
  complaints.add(judge(schema, judged));
  judgeMetadata(judged, complaints.all);
  for (std::string& field : unknown) complaints.all.push_back(unknownField(schema, std::move(field)));
  return std::move(complaints.all);
}

std::vector<Complaint> unknownMembers(const kube::Schema& schema, const json::Value& object) {
  json::Value pruned = withoutStatus(object);
  std::vector<std::string> unknown;
  kube::pruneObject(schema, pruned, unknown);
  std::vector<Complaint> all;
  all.reserve(unknown.size());
  for (std::string& field : unknown) all.push_back(unknownField(schema, std::move(field)));
  return all;
}

std::string fieldAsWritten(const kube::Schema& schema, std::string_view field) {
  return field == "name" ? "metadata.name" : placeOf(schema, field).text;
}

}  // namespace ingot::cli
