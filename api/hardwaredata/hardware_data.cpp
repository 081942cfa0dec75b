#include "api/hardwaredata/hardware_data.hpp"

#include "api/kind_words.hpp"

namespace ingot::api {

namespace {

constexpr std::string_view kHardwareNames[] = {"hd"};

}  // namespace

constinit const kube::KindInfo HardwareData::info =
    infoOf({"metal3.io", "v1alpha1"}, {.kind = "HardwareData",
                                       .plural = "hardwaredata",
                                       .doc = "The hardware of the BareMetalHost of the same name.",
                                       .status = false,
                                       .shortNames = kHardwareNames,
                                       .columns = kAgeOnly});

}  // namespace ingot::api

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HardwareDetails>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HardwareData>();
