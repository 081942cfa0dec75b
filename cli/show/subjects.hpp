// What `get` lists, kind by kind.
#pragma once

#include "cli/command/command.hpp"
#include "cli/show/rows.hpp"
#include "kube/core/kind.hpp"

#include <string_view>

namespace ingot::cli {

struct SubjectInfo {
  std::string_view plural, singular;
  const kube::KindInfo& kind;
  bool namespaced;
  Row (*heads)(RowStyle style);
  Row (*row)(const json::Value& object, RowStyle style, base::WallTime now);
  const kube::KindInfo* also = nullptr;  // a second kind, where it is installed, whose objects are listed after these
};

[[nodiscard]] const SubjectInfo& infoOf(Subject subject);

}  // namespace ingot::cli
