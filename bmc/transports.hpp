// What the conversations with BMCs ride on, lent by main or a test.
#pragma once

#include "base/subprocess.hpp"
#include "net/client.hpp"

#include <string>

namespace ingot::bmc {

class EventInbox;

struct Transports {
  net::HttpTransport& http;
  base::ProcessRunner& processes;
  std::string ipmitoolHome;          // its HOME (ipmi/home.hpp); "": none
  EventInbox* eventInbox = nullptr;  // where BMCs may push; nullptr: nowhere
};

}  // namespace ingot::bmc
