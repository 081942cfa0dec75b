// Objects in the forms that clients ask for beside the objects themselves (spec/kubernetes-api.md §3.1).
#pragma once

#include "apiserver/table/columns.hpp"

#include <string>
#include <string_view>

namespace ingot::apiserver {

enum class IncludeObject { metadata, none, object };

// The object as PartialObjectMetadata of meta.k8s.io/`version`.
[[nodiscard]] json::Value partialMetadata(const json::Value& object, std::string_view version = "v1");

class TableWriter {
 public:
  TableWriter(TableColumns columns, IncludeObject include, base::WallTime now, std::string version = "v1");

  void add(const json::Value& object);
  // `metadata`: of the list, as JSON text. Definitions are left out (null) when the client has them already.
  [[nodiscard]] std::string finish(std::string_view metadata, bool withDefinitions = true);

 private:
  [[nodiscard]] std::string definitions() const;
  TableColumns columns_;
  IncludeObject include_;
  base::WallTime now_;
  std::string version_;
  std::string rows_;
};

}  // namespace ingot::apiserver
