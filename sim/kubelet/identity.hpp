// How a machine proves who it is.
#pragma once

#include "base/runtime.hpp"
#include "sim/firstboot/membership.hpp"
#include "sim/kubelet/api.hpp"

namespace ingot::sim::kubelet {

// A certificate of the cluster's authority for one user, and that authority.
struct Identity {
  std::string caPem;
  net::KeyPair client;
};

[[nodiscard]] Access accessOf(const std::string& serverUrl, const Identity& identity);

// By the authority's own key: no server is asked. Throws net::CertificateError.
[[nodiscard]] Identity kubeletIdentity(const firstboot::Membership& member, base::WallTime now);
[[nodiscard]] Identity adminIdentity(const firstboot::Membership& member, base::WallTime now);

// By the bootstrap token: finds the authority as kubeadm does (ConfigMap cluster-info, whose authority must be the one
// that the data promises), asks for a kubelet's certificate and waits until it is signed. Throws ApiError,
// net::HttpError, and base::Error for an authority that is another.
[[nodiscard]] base::Task<Identity> buyIdentity(base::Runtime runtime, net::HttpTransport& transport,
                                               firstboot::Membership member);

}  // namespace ingot::sim::kubelet
