#include "ironic-client/messages.hpp"

namespace ingot::ironic::messages {

namespace {

json::Array cleanSteps(const std::vector<Step>& steps) {
  json::Array out;
  for (const Step& step : steps) {
    json::Object item{{"interface", step.interface}, {"step", step.step}};
    if (!step.args.empty()) item["args"] = step.args;
    out.push_back(std::move(item));
  }
  return out;
}

json::Array deploySteps(const std::vector<Step>& steps) {
  json::Array out;
  for (const Step& step : steps)
    out.push_back(json::Object{{"interface", step.interface},
                               {"step", step.step},
                               {"args", step.args},
                               {"priority", step.priority.value_or(0)}});
  return out;
}

}  // namespace

json::Object provisionBody(const ProvisionRequest& request) {
  json::Object out{{"target", json::textOf(request.verb)}};
  switch (request.verb) {
    case Verb::deploy:
      if (!request.configDrive.is_null()) out["configdrive"] = request.configDrive;
      if (!request.deploySteps.empty()) out["deploy_steps"] = deploySteps(request.deploySteps);
      break;
    case Verb::clean: out["clean_steps"] = cleanSteps(request.cleanSteps); break;
    case Verb::service: out["service_steps"] = cleanSteps(request.serviceSteps); break;
    case Verb::manage:
    case Verb::provide:
    case Verb::inspect:
    case Verb::adopt:
    case Verb::undeploy:
    case Verb::abort: break;
  }
  return out;
}

std::string nextPage(const json::Value& collection, std::string_view prefix) {
  const std::string link = json::textAt(collection, {"next"});
  // The link names the address that Ironic takes for its own, which may not be ours: only the part behind "/v1" counts.
  const auto version = link.find("/v1/");
  if (version == std::string::npos) return "";
  const std::string below = link.substr(version + 3);
  return prefix.ends_with("/v1") ? below : "/v1" + below;
}

}  // namespace ingot::ironic::messages
