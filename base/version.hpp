// The version of these programs: that of the CMake project.
#pragma once

namespace ingot::base {

extern const char* const version;  // "2.0.0"

}  // namespace ingot::base
