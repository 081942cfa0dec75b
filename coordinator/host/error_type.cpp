#include "coordinator/host/error_type.hpp"

namespace ingot::coordinator::host {

std::string_view text(ErrorType type) {
  switch (type) {
    case ErrorType::provisionedRegistration: return "provisioned registration error";
    case ErrorType::registration: return "registration error";
    case ErrorType::inspection: return "inspection error";
    case ErrorType::preparation: return "preparation error";
    case ErrorType::provisioning: return "provisioning error";
    case ErrorType::powerManagement: return "power management error";
  }
  return "";
}

bool isAboutReach(ErrorType type) {
  switch (type) {
    case ErrorType::provisionedRegistration:
    case ErrorType::registration:
    case ErrorType::powerManagement: return true;
    case ErrorType::inspection:
    case ErrorType::preparation:
    case ErrorType::provisioning: return false;
  }
  return false;
}

std::string_view eventReason(ErrorType type) {
  switch (type) {
    case ErrorType::provisionedRegistration: return "ProvisionedRegistrationError";
    case ErrorType::registration: return "RegistrationError";
    case ErrorType::inspection: return "InspectionError";
    case ErrorType::preparation: return "PreparationError";
    case ErrorType::provisioning: return "ProvisioningError";
    case ErrorType::powerManagement: return "PowerManagementError";
  }
  return "";
}

}  // namespace ingot::coordinator::host
