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
  if (wanted_.form == Wanted::Form::table)
    table_.emplace(columnsOf(catalog, info_, version_), include_, wanted_.version);
}

bool Rendering::listsInPieces() const { return !registry_.converts(info_, version_); }

std::string Rendering::presented(const Object& object) const { return registry_.present(info_, version_, object); }

json::Value Rendering::document(const Object& object) const {
  return registry_.presentDocument(info_, version_, object);
}

std::string Rendering::form(const json::Value& object, base::WallTime now, bool columns) const {
  switch (wanted_.form) {
    case Wanted::Form::object: return json::serialize(object);
    case Wanted::Form::partial:
    case Wanted::Form::partialList: return partialMetadata(object, wanted_.version);
    case Wanted::Form::table: break;
  }
  return table_->head(rowMetadata(object), columns) + table_->row(object, now) + std::string(TableWriter::tail);
}

std::string Rendering::single(const Object& object) const {
  return wanted_.form == Wanted::Form::object ? presented(object) : form(document(object), now_, true);
}

std::string Rendering::list(const Listed& listed) const {
  std::string out = listHead(listed);
  for (std::size_t i = 0; i < listed.items.size(); ++i) {
    if (i > 0) out += ',';
    out += listItem(*listed.items[i]);
  }
  out += listTail;
  return out;
}

std::string Rendering::listHead(const Listed& listed) const {
  if (table_) return table_->head(listMetadata(listed, info_.custom));
  const bool partial = wanted_.form != Wanted::Form::object;
  const std::string kind = partial ? "PartialObjectMetadataList" : info_.listKind;
  const std::string apiVersion = partial ? "meta.k8s.io/" + wanted_.version : info_.apiVersion(version_);
  return fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":{},"items":[)", kind, apiVersion,
                     listMetadata(listed, info_.custom));
}

std::string Rendering::listItem(const Object& object) const {
  if (wanted_.form == Wanted::Form::object) return presented(object);
  return table_ ? table_->row(document(object), now_) : partialMetadata(document(object), wanted_.version);
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

std::optional<std::string> Rendering::sharedForm() const {
  if (table_) return std::nullopt;
  const bool partial = wanted_.form != Wanted::Form::object;
  return fmt::format("{}/{}/{}", info_.id().text(), version_, partial ? wanted_.version : "");
}

std::string Rendering::line(const WatchEvent& event, base::WallTime now) {
  std::string object;
  if (event.type == WatchEvent::Type::error) {
    object = json::serialize(event.error.toJson());
  } else if (event.type == WatchEvent::Type::bookmark) {
    object = form(bookmark(event), now, !std::exchange(columnsSent_, true));
  } else if (wanted_.form == Wanted::Form::object) {
    object = presented(*event.object);
  } else {
    object = form(document(*event.object), now, !std::exchange(columnsSent_, true));
  }
  return fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", typeName(event.type), object);
}

}  // namespace ingot::apiserver
