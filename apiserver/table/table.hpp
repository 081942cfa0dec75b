// Objects in the forms that clients ask for beside the objects themselves (spec/kubernetes-api.md §3.1).
#pragma once

#include "apiserver/table/columns.hpp"

#include <string>
#include <string_view>

namespace ingot::apiserver {

enum class IncludeObject { metadata, none, object };

// The object as PartialObjectMetadata of meta.k8s.io/`version`: JSON text.
[[nodiscard]] std::string partialMetadata(const json::Value& object, std::string_view version = "v1");

// A Table piece by piece: head, the rows with commas between them, tail.
class TableWriter {
 public:
  TableWriter(TableColumns columns, IncludeObject include, std::string version = "v1");

  // `metadata`: of the list, as JSON text. Definitions are left out (null) when the client has them already.
  [[nodiscard]] std::string head(std::string_view metadata, bool withDefinitions = true) const;
  [[nodiscard]] std::string row(const json::Value& object, base::WallTime now) const;
  static constexpr std::string_view tail = "]}";

 private:
  [[nodiscard]] std::string definitions() const;
  TableColumns columns_;
  IncludeObject include_;
  std::string version_;
};

}  // namespace ingot::apiserver
