#include "kube/schema/field_path.hpp"

#include <fmt/format.h>

namespace ingot::kube {

std::string FieldPath::text() const {
  if (!parent_) return "";
  std::string before = parent_->text();
  switch (step_) {
    case Step::root: return before;
    case Step::member: return before.empty() ? std::string(name_) : fmt::format("{}.{}", before, name_);
    case Step::key: return fmt::format("{}[{}]", before, name_);
    case Step::item: return fmt::format("{}[{}]", before, index_);
  }
  return before;
}

std::string FieldPath::dotted() const {
  if (!parent_) return "";
  std::string before = parent_->dotted();
  if (step_ == Step::item) return fmt::format("{}[{}]", before, index_);
  return before.empty() ? std::string(name_) : fmt::format("{}.{}", before, name_);
}

}  // namespace ingot::kube
