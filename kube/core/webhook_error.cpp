#include "kube/core/webhook_error.hpp"

namespace ingot::kube {
namespace {

// The text is all that tells: both have the reason InternalError.
bool saysInternally(const Error& error, std::string_view words) {
  return error.code() == Error::Code::internal && error.status().message.find(words) != std::string::npos;
}

}  // namespace

bool isAdmissionUnreached(const Error& error) { return saysInternally(error, "failed calling webhook"); }

bool isConversionUnreached(const Error& error) { return saysInternally(error, "conversion webhook for "); }

}  // namespace ingot::kube
