// Metal3ClusterTemplate and Metal3MachineTemplate, infrastructure.cluster.x-k8s.io/v1beta1: what Cluster API clones.
#pragma once

#include "api/capm3/v1beta1/metal3_cluster_spec.hpp"
#include "api/capm3/v1beta1/metal3_machine_spec.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api::capm3::v1beta1 {

template <class Spec>
struct Template {
  Spec spec;

  static void describe(auto& v) {
    v.field("spec", &Template::spec).required().doc("Spec of the objects that are made from the template.");
  }
  friend bool operator==(const Template&, const Template&) = default;
};

struct Metal3ClusterTemplateSpec {
  Template<Metal3ClusterSpec> template_;

  static void describe(auto& v) {
    v.doc("Template that each clone is made from.");
    v.field("template", &Metal3ClusterTemplateSpec::template_).required().doc("Template that each clone is made from.");
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
    v.field("spec", &Metal3ClusterTemplate::spec).always();
  }
  friend bool operator==(const Metal3ClusterTemplate&, const Metal3ClusterTemplate&) = default;
};

struct Metal3MachineTemplateSpec {
  Template<Metal3MachineSpec> template_;
  bool nodeReuse = false;

  static void describe(auto& v) {
    using S = Metal3MachineTemplateSpec;
    v.doc("Template that each clone is made from.");
    v.field("template", &S::template_).required().doc("Template that each clone is made from.");
    v.field("nodeReuse", &S::nodeReuse)
        .always()
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
    v.field("spec", &Metal3MachineTemplate::spec).always();
  }
  friend bool operator==(const Metal3MachineTemplate&, const Metal3MachineTemplate&) = default;
};

}  // namespace ingot::api::capm3::v1beta1

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3ClusterTemplate>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3MachineTemplate>();
