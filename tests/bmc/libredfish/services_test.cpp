#include "bmc/libredfish/services.hpp"
#include "net/http.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace ingot;
using bmc::libredfish::Service;
using bmc::libredfish::Services;

TEST_CASE("libredfish gets so many threads and no more, and one that is over makes room") {
  const auto services = std::make_shared<Services>();
  std::vector<Service> all;
  while (all.size() < 256) all.push_back(services->open("http://127.0.0.1:1"));
  CHECK_THROWS_WITH(services->open("http://127.0.0.1:1"), Catch::Contains("256 are the most"));
  all.pop_back();
  while (all.size() < 256) {
    try {
      all.push_back(services->open("http://127.0.0.1:1"));
    } catch (const net::HttpError&) {  // the one before is being ended
      std::this_thread::yield();
    }
  }
  services->end();
  services->end();
  CHECK(services->hasEnded());
  CHECK_THROWS_AS(services->open("http://127.0.0.1:1"), net::HttpError);
}
