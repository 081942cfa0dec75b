// Which disk an image goes to.
#pragma once

#include "json/value.hpp"
#include "sim/machine/machine.hpp"

namespace ingot::sim::ramdisk {

// By Ironic's root device hints ("s== X", "<in> X", ">= N", "<or> …" excepted), else the smallest disk of at least 4
// GiB. nullptr when no disk fits.
[[nodiscard]] Disk* chooseRootDevice(Machine& machine, const json::Object& hints);

// The hints of a node: instance_info wins over properties.
[[nodiscard]] json::Object rootDeviceHints(const json::Value& node);

}  // namespace ingot::sim::ramdisk
