#include "apiserver/store/object.hpp"
#include "base/utf8.hpp"

#include <charconv>

namespace ingot::apiserver {
namespace {

std::string text(const json::Object& object, std::string_view member) {
  const auto* value = object.if_contains(member);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

Revision revisionOf(const json::Object& metadata) {
  const std::string digits = text(metadata, "resourceVersion");
  Revision revision = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), revision);
  return revision;
}

std::vector<std::pair<std::string, std::string>> labelsOf(const json::Object& metadata) {
  std::vector<std::pair<std::string, std::string>> labels;
  const auto* found = metadata.if_contains("labels");
  if (!found || !found->is_object()) return labels;
  labels.reserve(found->get_object().size());
  for (const auto& [key, value] : found->get_object()) {
    if (value.is_string()) labels.emplace_back(std::string(key), std::string(value.get_string()));
  }
  std::sort(labels.begin(), labels.end());
  return labels;
}

std::vector<OwnerLink> ownersOf(const json::Object& metadata) {
  std::vector<OwnerLink> owners;
  const auto* found = metadata.if_contains("ownerReferences");
  if (!found || !found->is_array()) return owners;
  for (const auto& item : found->get_array()) {
    if (!item.is_object()) continue;
    const auto& reference = item.get_object();
    const auto* blocks = reference.if_contains("blockOwnerDeletion");
    owners.push_back({text(reference, "uid"), text(reference, "apiVersion"), text(reference, "kind"),
                      text(reference, "name"), blocks && blocks->is_bool() && blocks->get_bool()});
  }
  return owners;
}

std::shared_ptr<Object> describe(const json::Value& document) {
  const auto* metadata = json::objectAt(document, {"metadata"});
  if (!metadata) throw base::Error("a stored object has no metadata");
  auto object = std::make_shared<Object>();
  object->key = {text(*metadata, "namespace"), text(*metadata, "name")};
  object->revision = revisionOf(*metadata);
  object->uid = text(*metadata, "uid");
  object->labels = labelsOf(*metadata);
  object->owners = ownersOf(*metadata);
  object->deleting = metadata->contains("deletionTimestamp");
  return object;
}

// apiVersion, kind, metadata, then everything else as it came.
void putInStoredOrder(json::Value& document) {
  auto& from = document.as_object();
  constexpr std::string_view first[] = {"apiVersion", "kind", "metadata"};
  std::size_t at = 0;
  const bool ordered = from.size() >= 3 && std::all_of(from.begin(), from.begin() + 3,
                                                       [&](const auto& member) { return member.key() == first[at++]; });
  if (ordered) return;
  json::Object to(from.storage());
  to.reserve(from.size());
  for (const auto name : first) {
    if (auto* value = from.if_contains(name)) to.emplace(name, std::move(*value));
  }
  for (auto& member : from) {
    if (!to.contains(member.key())) to.emplace(member.key(), std::move(member.value()));
  }
  from = std::move(to);
}

bool isDeeperThan(const json::Value& v, std::size_t levels) {
  if (const auto* members = v.if_object()) {
    return levels == 0 || std::any_of(members->begin(), members->end(),
                                      [&](const auto& member) { return isDeeperThan(member.value(), levels - 1); });
  }
  const auto* items = v.if_array();
  return items && (levels == 0 || std::any_of(items->begin(), items->end(),
                                              [&](const auto& item) { return isDeeperThan(item, levels - 1); }));
}

void requireReadable(const json::Value& document, const std::string& body, const ObjectLimits& limits) {
  using enum ObjectError::Code;
  if (body.size() > limits.bytes) {
    throw ObjectError(tooLarge, fmt::format("the object has {} bytes, the limit is {}", body.size(), limits.bytes));
  }
  if (isDeeperThan(document, limits.depth)) {
    throw ObjectError(tooDeep, fmt::format("the object is nested more than {} levels deep", limits.depth));
  }
  if (!base::isUtf8(body)) throw ObjectError(notText, "the object holds a text that is not UTF-8");
}

std::shared_ptr<Object> made(json::Value& document, Revision revision, const ObjectLimits& limits) {
  auto& metadata = json::makeObjectAt(document, {"metadata"});
  if (revision > 0) {
    metadata["resourceVersion"] = fmt::format_int(revision).c_str();
  } else {
    metadata.erase("resourceVersion");
  }
  putInStoredOrder(document);
  auto object = describe(document);
  const std::string text = json::serialize(document);
  requireReadable(document, text, limits);
  object->body = base::PackedText(text);
  return object;
}

}  // namespace

const std::string* Object::label(std::string_view name) const {
  const auto at = std::lower_bound(labels.begin(), labels.end(), name,
                                   [](const auto& label, std::string_view key) { return label.first < key; });
  return at != labels.end() && at->first == name ? &at->second : nullptr;
}

ObjectPtr makeObject(std::string body) {
  auto object = describe(json::parse(body));
  object->body = base::PackedText(body);
  return object;
}

ObjectPtr makeObject(json::Value& document, Revision revision, ObjectLimits limits) {
  return made(document, revision, limits);
}

ObjectPtr makePrepared(json::Value& document, Revision revision) {
  const auto object = made(document, revision, kReadable);
  object->rowIsOlder = true;
  return object;
}

json::Value documentOf(const Object& object) {
  std::string room;
  return json::parse(object.body.view(room));
}

json::Value transientDocumentOf(const Object& object) {
  // Room for the document, a changed copy of it and the patch, usually in one piece.
  const auto arena = boost::json::make_shared_resource<boost::json::monotonic_resource>(4096 + 12 * object.body.size());
  boost::json::parse_options options;
  options.max_depth = json::ParseLimits{}.depth;
  std::string room;
  return boost::json::parse(object.body.view(room), arena, options);
}

}  // namespace ingot::apiserver
