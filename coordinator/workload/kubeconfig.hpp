// A kubeconfig out of a Secret. Whoever may write Secrets in the Cluster's namespace has written it, so it may say
// where a server is, whom to trust and which credentials to show, and nothing that makes this process run a program,
// read a file, go through somebody's proxy or act as somebody else: exec, auth-provider, files, proxy-url and
// impersonation are refused by the name of the field.
//
// As in client-go: insecure-skip-tls-verify is honoured (it only harms the cluster whose Secret says so) unless a CA is
// given too; tls-server-name is checked in place of the server's name; a token excludes user name and password. Other
// than there, the server must be https: no credential travels in the clear.
#pragma once

#include "kube/client/config.hpp"

namespace ingot::coordinator::workload {

// Throws base::InvalidInput. Its text names fields and repeats nothing of what they hold.
[[nodiscard]] kube::ClusterConfig readKubeconfig(const base::Secret& text, const kube::Environment& environment);

}  // namespace ingot::coordinator::workload
