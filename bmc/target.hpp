// Which BMC, and as whom.
#pragma once

#include "base/secret.hpp"
#include "bmc/model/address.hpp"

#include <string>

namespace ingot::bmc {

struct Login {
  std::string username;
  base::Secret password;
};

struct Target {
  Address address;
  Login login;
  bool verifyCertificate = true;
  std::string caFile;  // empty: the system's roots
  std::string caPem;   // in place of `caFile`
  // As net::ClientTls: a BMC that has one of these keys needs no CA.
  std::string pinnedKeys;
  bool legacyTls = false;
};

}  // namespace ingot::bmc
