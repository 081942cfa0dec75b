#include "base/version.hpp"

namespace ingot::base {

const char* const version = INGOT_VERSION;

}  // namespace ingot::base
