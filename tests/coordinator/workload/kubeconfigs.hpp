// Kubeconfigs for tests, as a Secret holds them.
#pragma once

#include "base/base64.hpp"

#include <fmt/format.h>

#include <string>

namespace ingot::tests {

struct KubeconfigText {
  std::string server = "https://w1.test:6443";
  std::string cluster;  // further lines of the cluster and the user, "exec: {command: sh}"
  std::string user = "token: open-sesame";

  [[nodiscard]] std::string text() const {
    return fmt::format(R"(apiVersion: v1
kind: Config
current-context: admin@c1
contexts:
- name: admin@c1
  context: {{cluster: c1, user: admin}}
clusters:
- name: c1
  cluster:
    server: {}
{}users:
- name: admin
  user:
    name-of-nothing: x
{})",
                       server, cluster.empty() ? "" : "    " + cluster + "\n",
                       user.empty() ? "" : "    " + user + "\n");
  }
};

inline std::string withToken(const std::string& server, const std::string& token) {
  return KubeconfigText{.server = server, .user = "token: " + token}.text();
}

}  // namespace ingot::tests
