// Credentials to pull an oci:// image (spec/baremetalhost.md §8.9).
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

struct PullSecret {
  base::Secret credentials;  // "username:password"; empty when none are needed
  std::string problem;       // not empty: the Secret is unusable, and why
};

// Reads spec.image.ociAuthSecretName; does nothing for images that need none.
[[nodiscard]] base::Task<PullSecret> imagePullSecret(Scope& s);

// "docker.io" answers to the name its credentials are stored under; "" when the URL has no host.
[[nodiscard]] std::string registryOf(std::string_view imageUrl);

// The entry of a registry in a .dockerconfigjson or .dockercfg document. Pure.
[[nodiscard]] PullSecret credentialsFor(const std::string& registry, const base::Secret& document, bool legacy);

}  // namespace ingot::coordinator::host
