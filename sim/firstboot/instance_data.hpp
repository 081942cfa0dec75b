// What cloud-init knows of the machine and offers to templates.
#pragma once

#include "json/value.hpp"

namespace ingot::sim::firstboot {

// From the meta data of a config drive: `ds.meta_data`, `v1` with its names at the top as well, and for each name with
// a hyphen or a dot one with underscores. Throws BootError when the meta data has no uuid, as cloud-init refuses it.
[[nodiscard]] json::Object instanceData(const json::Object& metaData, const json::Value& networkData = nullptr);

// The machine's name without its domain; "" when the meta data names none.
[[nodiscard]] std::string localHostname(const json::Object& metaData);

}  // namespace ingot::sim::firstboot
