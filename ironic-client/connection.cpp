#include "ironic-client/connection.hpp"

namespace ingot::ironic {

Connection::Connection(base::Runtime runtime, net::HttpTransport& transport, Settings settings)
    : runtime_(runtime.named("ironic")),
      transport_(transport),
      settings_(std::move(settings)),
      probing_(runtime.executor, 1) {}

Connection::~Connection() = default;

bool Connection::believed() const {
  return client_ && provedAt_ && runtime_.clock.now() - *provedAt_ < settings_.cacheTtl;
}

base::Task<std::shared_ptr<Client>> Connection::ready() {
  if (believed()) co_return client_;
  const auto turn = co_await probing_.acquire();
  if (believed()) co_return client_;  // somebody else has asked meanwhile
  try {
    if (!client_) client_ = std::make_shared<Client>(runtime_, transport_, settings_);
    static_cast<void>(co_await client_->probe());
  } catch (const Error& error) {
    noteDown(error);
    throw;
  }
  provedAt_ = runtime_.clock.now();
  noteUp();
  co_return client_;
}

void Connection::invalidate() { provedAt_.reset(); }

void Connection::noteDown(const Error& error) {
  provedAt_.reset();
  client_.reset();  // the next one reads certificates anew
  if (!down_) runtime_.log.warn("Ironic is not ready", {{"reason", error.what()}});
  down_ = true;
  if (answered_) answered_(false);
}

void Connection::noteUp() {
  if (answered_) answered_(true);
  if (!down_) return;
  down_ = false;
  runtime_.log.info("Ironic is ready again", {{"api", client_->features().microversion()}});
  if (returned_) returned_();
}

}  // namespace ingot::ironic
