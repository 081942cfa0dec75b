// Why nothing is known of a workload cluster right now.
#pragma once

#include "json/enum.hpp"

#include <string>

namespace ingot::coordinator::workload {

struct Unknown {
  enum class Reason {
    noKubeconfig,       // there is no Secret <cluster>-kubeconfig, or nothing under its key `value`
    kubeconfigRefused,  // it cannot be used, or asks for what a Secret may not ask for
    connecting,         // the first try of this connection has not ended yet
    unreachable,        // no answer, or none any more
    untrusted,          // TLS: its certificate is not signed by the CA of the kubeconfig, or is for another name
    unauthorized,       // it does not accept the credentials of the kubeconfig
    forbidden,          // it does not let us see its Nodes (403)
    failing,            // it answers, but not with its Nodes
  };
  Reason reason = Reason::connecting;
  // For people and conditions: names the server, no credential and no word that the server or the kubeconfig chose.
  std::string text;
  friend bool operator==(const Unknown&, const Unknown&) = default;
};

constexpr auto namesOf(Unknown::Reason) {
  using Reason = Unknown::Reason;
  return std::to_array<json::EnumName<Reason>>({{Reason::noKubeconfig, "NoKubeconfig"},
                                                {Reason::kubeconfigRefused, "KubeconfigRefused"},
                                                {Reason::connecting, "Connecting"},
                                                {Reason::unreachable, "Unreachable"},
                                                {Reason::untrusted, "Untrusted"},
                                                {Reason::unauthorized, "Unauthorized"},
                                                {Reason::forbidden, "Forbidden"},
                                                {Reason::failing, "Failing"}});
}

}  // namespace ingot::coordinator::workload
