#include "api/hardwaredata/hardware_data.hpp"

namespace ingot::api {

namespace {

constexpr std::string_view kShortNames[] = {"hd"};
constexpr kube::Column kColumns[] = {
    {.name = "Age", .type = "date", .jsonPath = ".metadata.creationTimestamp", .description = "Time since creation"},
};

}  // namespace

const kube::KindInfo HardwareData::info{
    .group = "metal3.io",
    .version = "v1alpha1",
    .kind = "HardwareData",
    .plural = "hardwaredata",
    .shortNames = kShortNames,
    .columns = kColumns,
    .doc = "The hardware of the BareMetalHost of the same name.",
};

}  // namespace ingot::api
