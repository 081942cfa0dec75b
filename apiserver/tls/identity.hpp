// The keys of one embedded API: its certificate authority, its server certificate, the administrator's certificate.
// Made at the first start and kept in the data folder; renewed before they run out.
#pragma once

#include "base/runtime.hpp"
#include "net/certificates.hpp"

#include <string>
#include <vector>

namespace ingot::apiserver {

struct Identity {
  std::string caPem;
  net::KeyPair server;
  net::KeyPair admin;  // system:masters
};

// `folder` empty: everything fresh, nothing written. `names`: DNS names and addresses the server must be good for.
// What is there is kept, unless it runs out within 30 days, lacks a name, or does not come from the authority. Throws
// base::Error in plain words; half an authority is refused, because another one would void every certificate.
[[nodiscard]] Identity openIdentity(const std::string& folder, const std::vector<std::string>& names,
                                    base::WallTime now);

// A kubeconfig for `url` with the administrator's key.
[[nodiscard]] std::string kubeconfigText(const std::string& url, const Identity& identity);

}  // namespace ingot::apiserver
