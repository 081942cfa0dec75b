// The hardware of a host, read when the coordinator asks for it.
#include "agent/host_observed.hpp"
#include "bmc/capability/inventory.hpp"

namespace ingot::agent {

namespace {

constexpr base::Duration keptFor = std::chrono::minutes(10);

void fail(wire::InventoryResult& result, std::string_view code, std::string why) {
  result.outcome = "failed";
  result.errorCode = code;
  result.error = std::move(why);
  result.inventory = {};
}

}  // namespace

void HostSession::takeInventory(std::int64_t id) {
  if (inventory_ && inventory_->id == id) {
    auto again = *inventory_;
    again.ageMs += ageMs(inventoryAt_);
    return report_(std::move(again));
  }
  inventoryWanted_ = id;
  if (std::exchange(readsInventory_, true)) return;  // its result answers this request, too
  tasks_.spawn("read the inventory of " + grant_.name, readInventory());
}

base::Task<void> HostSession::readInventory() {
  wire::InventoryResult result{.host = grant_.host, .outcome = "done"};
  const auto driver = driver_;
  const auto asked = runtime_.clock.now();
  try {
    if (!driver) throw bmc::Error(bmc::Error::Code::protocol, observed_->error);
    result.inventory = co_await driver->inventory->readInventory(bmc::Lane::reconcile);
  } catch (const bmc::Error& error) {
    fail(result, bmc::toText(error.code()), error.what());
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    fail(result, "internal", error.what());
  }
  readsInventory_ = false;
  result.id = inventoryWanted_;
  result.ageMs = ageMs(asked);
  if (driver != driver_) co_return takeInventory(inventoryWanted_);  // what another BMC says is not asked for any more
  inventory_ = std::make_unique<wire::InventoryResult>(std::move(result));
  inventoryAt_ = runtime_.clock.now();
  report_(*inventory_);
}

// Whoever has lost it asks again soon.
void HostSession::dropOldInventory() {
  if (inventory_ && runtime_.clock.now() - inventoryAt_ > keptFor) inventory_.reset();
}

}  // namespace ingot::agent
