// Stored objects as the text that one client asked for: objects, Tables or metadata; single, in lists, in watch lines.
#pragma once

#include "apiserver/http/negotiation.hpp"
#include "apiserver/registry/registry.hpp"
#include "apiserver/schema/catalog.hpp"
#include "apiserver/table/table.hpp"

#include <optional>
#include <string>

namespace ingot::apiserver {

class Rendering {
 public:
  Rendering(const Registry& registry, const Catalog& catalog, const ResourceInfo& info, std::string version,
            Wanted wanted, IncludeObject include, base::WallTime now);

  [[nodiscard]] std::string single(const Object& object) const;
  [[nodiscard]] std::string list(const Listed& listed) const;
  // The same, piece by piece: listHead, the items with commas between them, listTail. Items that are converted may
  // fail: then nothing may have left before.
  [[nodiscard]] bool listsInPieces() const;
  [[nodiscard]] std::string listHead(const Listed& listed) const;
  [[nodiscard]] std::string listItem(const Object& object) const;
  static constexpr std::string_view listTail = "]}";
  // One line of a watch, newline included. Tables carry their columns in the first one only. An object that cannot be
  // converted becomes an ERROR event.
  [[nodiscard]] std::string event(const WatchEvent& event, base::WallTime now);
  // What the line of an event depends on besides the event and the kind's definition; nullopt: on more than others may
  // share (columns, the time).
  [[nodiscard]] std::optional<std::string> sharedForm() const;

 private:
  [[nodiscard]] std::string line(const WatchEvent& event, base::WallTime now);
  [[nodiscard]] std::string presented(const Object& object) const;
  [[nodiscard]] json::Value document(const Object& object) const;
  [[nodiscard]] std::string form(const json::Value& object, base::WallTime now, bool columns) const;
  [[nodiscard]] json::Value bookmark(const WatchEvent& event) const;

  const Registry& registry_;
  const ResourceInfo info_;  // a copy: the kind may be defined anew while a watch runs
  std::string version_;
  Wanted wanted_;
  IncludeObject include_;
  base::WallTime now_;
  std::optional<TableWriter> table_;
  bool columnsSent_ = false;
};

}  // namespace ingot::apiserver
