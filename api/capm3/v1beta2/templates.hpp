// Metal3ClusterTemplate and Metal3MachineTemplate, infrastructure.cluster.x-k8s.io/v1beta2: what Cluster API clones.
#pragma once

#include "api/capm3/v1beta2/metal3_cluster_spec.hpp"
#include "api/capm3/v1beta2/metal3_machine_spec.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3::v1beta2 {

// Labels and annotations that the clones get.
struct TemplateMeta {
  std::map<std::string, std::string> labels, annotations;

  static void describe(auto& v) {
    v.schema("minProperties", 1);
    v.field("labels", &TemplateMeta::labels).doc("Labels of the clone.");
    v.field("annotations", &TemplateMeta::annotations).doc("Annotations of the clone.");
  }
  friend bool operator==(const TemplateMeta&, const TemplateMeta&) = default;
};

template <class Spec>
struct Template {
  TemplateMeta metadata;
  Spec spec;

  static void describe(auto& v) {
    v.field("metadata", &Template::metadata).doc("Metadata of the clone.");
    v.field("spec", &Template::spec).requiredButOmitted().doc("Spec of the objects that are made from the template.");
  }
  friend bool operator==(const Template&, const Template&) = default;
};

struct Metal3ClusterTemplateSpec {
  Template<Metal3ClusterSpec> template_;

  static void describe(auto& v) {
    v.doc("Template that each clone is made from.");
    v.field("template", &Metal3ClusterTemplateSpec::template_)
        .requiredButOmitted()
        .doc("Template that each clone is made from.");
  }
  friend bool operator==(const Metal3ClusterTemplateSpec&, const Metal3ClusterTemplateSpec&) = default;
};

struct Metal3ClusterTemplate {
  kube::ObjectMeta metadata;
  Metal3ClusterTemplateSpec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("A template for Metal3Clusters.");
    v.field("metadata", &Metal3ClusterTemplate::metadata);
    v.field("spec", &Metal3ClusterTemplate::spec).requiredButOmitted();
  }
  friend bool operator==(const Metal3ClusterTemplate&, const Metal3ClusterTemplate&) = default;
};

struct Metal3MachineTemplateSpec {
  Template<Metal3MachineSpec> template_;
  std::optional<bool> nodeReuse;

  static void describe(auto& v) {
    using S = Metal3MachineTemplateSpec;
    v.doc("Template that each clone is made from.");
    v.field("template", &S::template_).requiredButOmitted().doc("Template that each clone is made from.");
    v.field("nodeReuse", &S::nodeReuse)
        .defaultTo(false)
        .doc("Whether a released host is reused for a machine of the same set.");
  }
  friend bool operator==(const Metal3MachineTemplateSpec&, const Metal3MachineTemplateSpec&) = default;
};

struct Metal3MachineTemplate {
  kube::ObjectMeta metadata;
  Metal3MachineTemplateSpec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("A template for Metal3Machines.");
    v.field("metadata", &Metal3MachineTemplate::metadata);
    v.field("spec", &Metal3MachineTemplate::spec).requiredButOmitted();
  }
  friend bool operator==(const Metal3MachineTemplate&, const Metal3MachineTemplate&) = default;
};

}  // namespace ingot::api::capm3::v1beta2

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta2::Metal3ClusterTemplate>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta2::Metal3MachineTemplate>();
