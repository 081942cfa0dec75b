// A kind of our own for the tests: all shapes that patches have to cope with.
#pragma once

#include "json/describe.hpp"
#include "kube/core/condition.hpp"
#include "kube/core/kind.hpp"

#include <string>
#include <vector>

namespace ingot::tests {

struct Part {
  std::string name;
  std::int64_t weight = 0;

  static void describe(auto& v) {
    v.field("name", &Part::name).required();
    v.field("weight", &Part::weight);
  }
  friend bool operator==(const Part&, const Part&) = default;
};

struct WidgetSpec {
  std::int64_t size = 0;
  std::vector<Part> parts;

  static void describe(auto& v) {
    v.field("size", &WidgetSpec::size);
    v.field("parts", &WidgetSpec::parts);
  }
  friend bool operator==(const WidgetSpec&, const WidgetSpec&) = default;
};

struct WidgetStatus {
  std::string phase;
  std::int64_t errors = 0;
  std::vector<kube::Condition> conditions;

  static void describe(auto& v) {
    v.field("phase", &WidgetStatus::phase).required();
    v.field("errors", &WidgetStatus::errors).required();
    v.field("conditions", &WidgetStatus::conditions);
  }
  friend bool operator==(const WidgetStatus&, const WidgetStatus&) = default;
};

struct Widget {
  kube::ObjectMeta metadata;
  WidgetSpec spec;
  WidgetStatus status;

  static constexpr kube::KindInfo info{
      .group = "test.ingot.dev", .version = "v1", .kind = "Widget", .plural = "widgets", .statusSubresource = true};

  static void describe(auto& v) {
    v.field("metadata", &Widget::metadata);
    v.field("spec", &Widget::spec);
    v.field("status", &Widget::status);
  }
  friend bool operator==(const Widget&, const Widget&) = default;
};

[[nodiscard]] inline Widget widget(std::string name, std::int64_t size = 0) {
  return {.metadata = {.name = std::move(name), .namespace_ = "ns"}, .spec = {.size = size}};
}

}  // namespace ingot::tests
