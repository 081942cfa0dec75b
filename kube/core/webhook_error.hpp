// Refusals of a kube-apiserver that did not reach who is to judge an object, or to convert it.
#pragma once

#include "kube/core/error.hpp"

namespace ingot::kube {

// Nothing was written: admission comes before.
[[nodiscard]] bool isAdmissionUnreached(const Error& error);
[[nodiscard]] bool isConversionUnreached(const Error& error);

}  // namespace ingot::kube
