#include "cli/run/find.hpp"

#include "base/nearest.hpp"

namespace ingot::cli {
namespace {

constexpr std::int64_t kEnoughToCompare = 500;

base::Task<std::vector<std::string>> names(Session& session, kube::Resource resource, std::string namespace_) {
  const auto page = co_await session.client.api().listPage(
      resource, {.namespace_ = std::move(namespace_), .pageSize = kEnoughToCompare}, {});
  std::vector<std::string> out;
  out.reserve(page.items.size());
  for (const auto& object : page.items) out.push_back(json::textAt(object, {"metadata", "name"}));
  co_return out;
}

}  // namespace

Failure notThere(const Session& session, const SubjectInfo& subject, const std::string& name,
                 const std::vector<std::string>& there, Searched searched) {
  const bool everywhere = searched == Searched::everywhere;
  const std::string line = fmt::format("there is no {} {} in {}", subject.singular, name,
                                       everywhere ? "any namespace" : "namespace " + session.namespace_);
  if (const auto near = base::nearest(name, there); !near.empty())
    return {ExitCode::notFound, line + "; did you mean " + near + "?"};
  if (everywhere) return {ExitCode::notFound, line + "; see ingotctl get " + std::string(subject.plural) + " -A"};
  return {ExitCode::notFound,
          line + (there.empty() ? fmt::format(", nor any other {}; use -n NAMESPACE", subject.singular)
                                : fmt::format("; see ingotctl get {} -A", subject.plural))};
}

Failure noAgent(const std::string& name, const std::vector<std::string>& there) {
  const std::string line = "there is no agent " + name;
  if (const auto near = base::nearest(name, there); !near.empty())
    return {ExitCode::notFound, line + "; did you mean " + near + "?"};
  return {ExitCode::notFound,
          line + "; an agent shows up once it has reached the coordinator: see ingotctl get agents"};
}

base::Task<api::BareMetalHost> findHost(Session& session, std::string name) {
  auto host = co_await readNamed<api::BareMetalHost>(session, {session.namespace_, name}, "host");
  if (host) co_return std::move(*host);
  throw notThere(session, infoOf(Subject::hosts), name,
                 co_await names(session, kube::Resource::of(api::BareMetalHost::info), session.namespace_));
}

base::Task<api::ProvisioningAgent> findAgent(Session& session, std::string name) {
  auto agent = co_await readNamed<api::ProvisioningAgent>(session, {"", name}, "agent");
  if (agent) co_return std::move(*agent);
  throw noAgent(name, co_await names(session, kube::Resource::of(api::ProvisioningAgent::info), ""));
}

}  // namespace ingot::cli
