// Reading the objects that a command names.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "cli/run/session.hpp"
#include "cli/show/subjects.hpp"
#include "json/shape.hpp"

namespace ingot::cli {

// Throw Failure{notFound} that says what there is instead.
[[nodiscard]] base::Task<api::BareMetalHost> findHost(Session& session, std::string name);
[[nodiscard]] base::Task<api::ProvisioningAgent> findAgent(Session& session, std::string name);

// One that holds what its kind cannot hold is a Failure that names it, as `word` says.
template <kube::Kind T>
[[nodiscard]] base::Task<std::optional<T>> readNamed(Session& session, kube::ObjectKey key, std::string_view word) {
  try {
    co_return co_await session.client.get<T>(key);
  } catch (const json::DecodeError& error) {
    throw Failure(ExitCode::failed, fmt::format("{} {}: {}", word, key.name, error.what()));
  }
}

// An object of a namespace, or of none of them. `there`: what there is of its kind.
enum class Searched { namespace_, everywhere };
[[nodiscard]] Failure notThere(const Session& session, const SubjectInfo& subject, const std::string& name,
                               const std::vector<std::string>& there, Searched searched = Searched::namespace_);
[[nodiscard]] Failure noAgent(const std::string& name, const std::vector<std::string>& there);

}  // namespace ingot::cli
