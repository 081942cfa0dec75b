// The private certificate authority that vouches for the fleet's BMCs; kept in the data folder.
#pragma once

#include "net/certificates.hpp"

#include <string>

namespace ingot::sim {

// Reads <folder>/ca.pem and ca.key, or makes them.
[[nodiscard]] net::CertificateAuthority openAuthority(const std::string& folder, base::WallTime now);

}  // namespace ingot::sim
