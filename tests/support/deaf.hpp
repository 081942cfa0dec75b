// Takes an answer and keeps it to itself.
#pragma once

#include "net/server.hpp"

namespace ingot::tests {

struct Deaf final : net::Responder {
  base::Task<void> send(net::HttpResponse) override { co_return; }
  base::Task<void> begin(int, net::Headers) override { co_return; }
  base::Task<void> write(std::string) override { co_return; }
  base::Task<void> end() override { co_return; }
  void abort() override {}
};

}  // namespace ingot::tests
