// Label and field selectors of lists and watches (spec/kubernetes-api.md §6.5).
#pragma once

#include "apiserver/registry/resource_info.hpp"
#include "apiserver/store/object.hpp"
#include "kube/core/label_term.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::apiserver {

class LabelSelector {
 public:
  // Throws ApiError 400 with upstream's text. Empty text matches everything.
  [[nodiscard]] static LabelSelector parse(std::string_view text);
  [[nodiscard]] bool matches(const Object& object) const;
  [[nodiscard]] bool empty() const { return terms_.empty(); }

 private:
  std::vector<kube::LabelTerm> terms_;
};

class FieldSelector {
 public:
  // Throws ApiError 400 for fields that this kind does not offer.
  [[nodiscard]] static FieldSelector parse(std::string_view text, const ResourceInfo& info);
  [[nodiscard]] bool matches(const Object& object) const;
  [[nodiscard]] bool empty() const { return terms_.empty(); }
  // The name when the selector pins metadata.name by equality.
  [[nodiscard]] std::optional<std::string> name() const;

 private:
  struct Term {
    std::string label;
    std::vector<std::string> path;
    std::string value;
    bool equal = true;
  };
  std::vector<Term> terms_;
};

struct Selection {
  std::string space;  // only this namespace; empty: all
  LabelSelector labels;
  FieldSelector fields;
  [[nodiscard]] bool matches(const Object& object) const;
  // A selector (not merely a namespace) is at work.
  [[nodiscard]] bool selects() const { return !labels.empty() || !fields.empty(); }
};

}  // namespace ingot::apiserver
