#include "apiserver/http/rendering.hpp"

namespace ingot::apiserver {

namespace {

TableColumns columnsOf(const Catalog& catalog, const ResourceInfo& info, const std::string& version) {
  if (!info.custom) return coreColumns(info.kind);
  const KindSchemaPtr known = catalog.find(info.id(), version);
  return customColumns(known ? known->columns() : std::vector<PrinterColumn>());
}

std::string listMetadata(const Listed& listed, bool custom) {
  json::Object out;
  if (custom || !listed.continueToken.empty()) out["continue"] = listed.continueToken;
  if (listed.remaining) out["remainingItemCount"] = *listed.remaining;
  out["resourceVersion"] = std::to_string(listed.revision);
  return json::serialize(out);
}

std::string rowMetadata(const json::Value& object) {
  return json::serialize(json::Object{{"resourceVersion", json::textAt(object, {"metadata", "resourceVersion"})}});
}

}  // namespace

Rendering::Rendering(const Registry& registry, const Catalog& catalog, const ResourceInfo& info, std::string version,
                     Wanted wanted, IncludeObject include, base::WallTime now)
    : registry_(registry), info_(info), version_(std::move(version)), wanted_(wanted), include_(include), now_(now) {
  if (wanted_.form == Wanted::Form::table) columns_ = columnsOf(catalog, info_, version_);
}

// A list that may fail at any item is made before anything of it leaves.
bool Rendering::listsInPieces() const {
  return wanted_.form != Wanted::Form::table && !wanted_.yaml && !registry_.converts(info_, version_);
}

std::string Rendering::presented(const Object& object) const { return registry_.present(info_, version_, object); }

json::Value Rendering::document(const Object& object) const { return json::parse(presented(object)); }

std::string Rendering::form(const json::Value& object, std::string_view text, base::WallTime now, bool columns) const {
  switch (wanted_.form) {
    case Wanted::Form::object: return std::string(text);
    case Wanted::Form::partial:
    case Wanted::Form::partialList: return json::serialize(partialMetadata(object, wanted_.version));
    case Wanted::Form::table: break;
  }
  TableWriter table(columns_, include_, now, wanted_.version);
  table.add(object);
  return table.finish(rowMetadata(object), columns);
}

std::string Rendering::single(const Object& object) const {
  std::string text = presented(object);
  if (wanted_.form == Wanted::Form::object) return text;
  return form(json::parse(text), text, now_, true);
}

std::string Rendering::list(const Listed& listed) const {
  if (wanted_.form == Wanted::Form::table) {
    TableWriter table(columns_, include_, now_, wanted_.version);
    for (const auto& item : listed.items) table.add(document(*item));
    return table.finish(listMetadata(listed, info_.custom));
  }
  std::string out = listHead(listed);
  for (std::size_t i = 0; i < listed.items.size(); ++i) {
    if (i > 0) out += ',';
    out += listItem(*listed.items[i]);
  }
  out += listTail;
  return out;
}

std::string Rendering::list(std::vector<ObjectPtr> items) const {
  Listed listed{.items = std::move(items)};
  for (const auto& item : listed.items) listed.revision = std::max(listed.revision, item->revision);
  return list(listed);
}

std::string Rendering::listHead(const Listed& listed) const {
  const bool partial = wanted_.form != Wanted::Form::object;
  const std::string kind = partial ? "PartialObjectMetadataList" : info_.listKind;
  const std::string apiVersion = partial ? "meta.k8s.io/" + wanted_.version : info_.apiVersion(version_);
  return fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":{},"items":[)", kind, apiVersion,
                     listMetadata(listed, info_.custom));
}

std::string Rendering::listItem(const Object& object) const {
  return wanted_.form == Wanted::Form::object ? presented(object)
                                              : json::serialize(partialMetadata(document(object), wanted_.version));
}

json::Value Rendering::bookmark(const WatchEvent& event) const {
  json::Object metadata{{"resourceVersion", std::to_string(event.revision)}};
  if (event.initialEventsEnd) metadata["annotations"] = json::Object{{"k8s.io/initial-events-end", "true"}};
  return json::Object{
      {"kind", info_.kind}, {"apiVersion", info_.apiVersion(version_)}, {"metadata", std::move(metadata)}};
}

std::string Rendering::event(const WatchEvent& event, base::WallTime now) {
  try {
    return line(event, now);
  } catch (const ApiError& problem) {
    return line({.type = WatchEvent::Type::error, .object = nullptr, .error = problem.status()}, now);
  }
}

std::string Rendering::line(const WatchEvent& event, base::WallTime now) {
  std::string object;
  if (event.type == WatchEvent::Type::error) {
    object = json::serialize(event.error.toJson());
  } else if (event.type == WatchEvent::Type::bookmark) {
    const json::Value document = bookmark(event);
    object = form(document, json::serialize(document), now, !std::exchange(columnsSent_, true));
  } else {
    const std::string text = presented(*event.object);
    object = wanted_.form == Wanted::Form::object
                 ? text
                 : form(json::parse(text), text, now, !std::exchange(columnsSent_, true));
  }
  return fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", typeName(event.type), object);
}

}  // namespace ingot::apiserver
