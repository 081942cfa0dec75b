// What stands between the bench's driver and its fake BMC: memory, or libredfish and sockets (tests/bmc/libredfish).
#pragma once

#ifdef INGOT_BENCH_ON_LIBREDFISH
#include "tests/bmc/libredfish/wired_transport.hpp"
namespace ingot::tests {
using BenchTransport = WiredTransport;
}
#else
#include "net/loopback.hpp"
namespace ingot::tests {
using BenchTransport = net::Loopback;
}
#endif
