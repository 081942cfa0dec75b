// The kinds of infrastructure.cluster.x-k8s.io in both versions (spec/capm3.md §1.1).
#include "api/capm3/admission.hpp"
#include "api/capm3/conversion/convert.hpp"
#include "api/capm3/v1beta1/metal3_cluster.hpp"
#include "api/capm3/v1beta1/metal3_data.hpp"
#include "api/capm3/v1beta1/metal3_data_claim.hpp"
#include "api/capm3/v1beta1/metal3_data_template.hpp"
#include "api/capm3/v1beta1/metal3_machine.hpp"
#include "api/capm3/v1beta1/remediation.hpp"
#include "api/capm3/v1beta1/templates.hpp"
#include "api/kinds/row.hpp"

namespace ingot::api {

namespace {

namespace v1beta1 = capm3::v1beta1;
namespace v1beta2 = capm3::v1beta2;

// Conversion by webhook for every kind; upstream leaves out Metal3ClusterTemplate, whose failureDomains differ too.
CrdMeta clusterApiMeta() {
  return {.labels = {{"cluster.x-k8s.io/provider", "infrastructure-metal3"},
                     {"cluster.x-k8s.io/v1beta1", "v1beta1"},
                     {"cluster.x-k8s.io/v1beta2", "v1beta2"}},
          .annotations = {{"cert-manager.io/inject-ca-from", "capm3-system/capm3-serving-cert"}},
          .conversion = byWebhook("capm3-webhook-service", "capm3-system")};
}

CrdMeta movedByClusterctl() {
  auto out = clusterApiMeta();
  out.labels["clusterctl.cluster.x-k8s.io/move"] = "";
  return out;
}

// Its plural is irregular, which clusterctl would refuse.
CrdMeta withIrregularPlural() {
  auto out = clusterApiMeta();
  out.annotations["clusterctl.cluster.x-k8s.io/skip-crd-name-preflight-check"] = "";
  return out;
}

template <class Old, class New, CrdMeta (*With)()>
json::Object labelledCrd() {
  return crdOfBoth<Old, New>(With());
}

template <class Old, class New, CrdMeta (*With)() = clusterApiMeta>
KindRow clusterApiRow() {
  auto row = rowOf<New>(KindSet::clusterApi, labelledCrd<Old, New, With>);
  row.convert = capm3::convert;
  return row;
}

}  // namespace

std::vector<KindRow> clusterApiKinds() {
  return {clusterApiRow<v1beta1::Metal3Cluster, v1beta2::Metal3Cluster>(),
          clusterApiRow<v1beta1::Metal3ClusterTemplate, v1beta2::Metal3ClusterTemplate>(),
          clusterApiRow<v1beta1::Metal3DataClaim, v1beta2::Metal3DataClaim>(),
          clusterApiRow<v1beta1::Metal3Data, v1beta2::Metal3Data, withIrregularPlural>(),
          clusterApiRow<v1beta1::Metal3DataTemplate, v1beta2::Metal3DataTemplate, movedByClusterctl>(),
          clusterApiRow<v1beta1::Metal3Machine, v1beta2::Metal3Machine>(),
          clusterApiRow<v1beta1::Metal3MachineTemplate, v1beta2::Metal3MachineTemplate>(),
          clusterApiRow<v1beta1::Metal3Remediation, v1beta2::Metal3Remediation>(),
          clusterApiRow<v1beta1::Metal3RemediationTemplate, v1beta2::Metal3RemediationTemplate>()};
}

}  // namespace ingot::api
