// Reading the objects that a command names.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "cli/run/session.hpp"
#include "cli/show/subjects.hpp"

namespace ingot::cli {

// Throw Failure{notFound} that says what there is instead.
[[nodiscard]] base::Task<api::BareMetalHost> findHost(Session& session, std::string name);
[[nodiscard]] base::Task<api::ProvisioningAgent> findAgent(Session& session, std::string name);

// An object of a namespace. `there`: what there is of its kind.
[[nodiscard]] Failure notThere(const Session& session, const SubjectInfo& subject, const std::string& name,
                               const std::vector<std::string>& there);
[[nodiscard]] Failure noAgent(const std::string& name, const std::vector<std::string>& there);

}  // namespace ingot::cli
