// The same test body on the double and on a real Ironic (INGOT_TEST_IRONIC).
#pragma once

#include "base/run.hpp"
#include "ironic-client/client.hpp"
#include "net/loopback.hpp"
#include "tests/support/fake_ironic.hpp"

#include <cstdlib>
#include <memory>

namespace ingot::tests {

class IronicServer {
 public:
  virtual ~IronicServer() = default;
  [[nodiscard]] virtual base::Runtime runtime() = 0;
  [[nodiscard]] virtual net::HttpTransport& transport() = 0;
  [[nodiscard]] virtual ironic::Settings settings() const = 0;
  virtual void run(base::Task<void> task) = 0;
};

class DoubleServer final : public IronicServer {
 public:
  DoubleServer() { net_.serve("http://ironic:6385", ironic_); }
  base::Runtime runtime() override { return {io_.get_executor(), clock_, *random_, base::Log::silent()}; }
  net::HttpTransport& transport() override { return net_; }
  ironic::Settings settings() const override {
    ironic::Settings out;
    out.endpoint = "http://ironic:6385/v1";
    return out;
  }
  void run(base::Task<void> task) override { base::run(io_, clock_, std::move(task)); }

 private:
  boost::asio::io_context io_;
  base::ManualClock clock_{io_};
  std::unique_ptr<base::Random> random_ = base::seededRandom(7);
  net::Loopback net_{runtime()};
  FakeIronic ironic_{runtime()};
};

class RealServer final : public IronicServer {
 public:
  explicit RealServer(std::string endpoint) : endpoint_(std::move(endpoint)) {}
  base::Runtime runtime() override { return {io_.get_executor(), clock_, *random_, base::Log::silent()}; }
  net::HttpTransport& transport() override { return *net_; }
  ironic::Settings settings() const override {
    ironic::Settings out;
    out.endpoint = endpoint_;
    return out;
  }
  void run(base::Task<void> task) override { base::run(io_, std::move(task)); }

 private:
  std::string endpoint_;
  boost::asio::io_context io_;
  base::SystemClock clock_;
  std::unique_ptr<base::Random> random_ = base::systemRandom();
  std::unique_ptr<net::HttpTransport> net_ = net::curlTransport(runtime());
};

// nullptr when none was started for this run.
[[nodiscard]] inline std::unique_ptr<IronicServer> realServer() {
  const char* endpoint = std::getenv("INGOT_TEST_IRONIC");
  return endpoint ? std::make_unique<RealServer>(endpoint) : nullptr;
}

// Runs `body` on the double, and on the real one when there is one.
template <class Body>
void onBoth(Body body) {
  DoubleServer imitation;
  body(static_cast<IronicServer&>(imitation), "double");
  if (const auto real = realServer()) body(*real, "real");
}

}  // namespace ingot::tests
