// The longer work that agents are asked for: reading inventories, preparing boots, erasing drives.
#pragma once

#include "coordinator/agents/boot_book.hpp"
#include "coordinator/agents/erase_book.hpp"
#include "coordinator/agents/grants.hpp"
#include "coordinator/agents/inventory_book.hpp"

namespace ingot::coordinator::agents {

class Jobs {
 public:
  // All of it outlives the jobs.
  Jobs(base::Runtime runtime, const AgentWorld& world, Conversation& conversation, Grants& grants);

  // The agent that serves the host reads inventories, and the BMC's protocol tells one.
  [[nodiscard]] bool canReadInventory(const std::string& uid) const;
  void askForInventory(const std::string& uid);
  // nullptr: none was asked for. Until forgotten.
  [[nodiscard]] const AskedInventory* askedInventory(const std::string& uid) { return inventories_.find(uid); }
  void lookAtInventory(const std::string& uid);  // by who waits for it
  void repeatLostInventoryRequest(const std::string& uid);
  void forgetInventory(const std::string& uid) { inventories_.forget(uid); }
  void forgetHardware(const std::string& uid);  // of which the address, or the host, has changed

  // The agent that serves the host sets what hosts boot from.
  [[nodiscard]] bool preparesBoots(const std::string& uid) const;
  // Asks for this, again where that is due. Nothing is sent without the right to act.
  const AskedBoot& askForBoot(const std::string& uid, const bmc::BootPlan& plan);
  void forgetBoot(const std::string& uid) { boots_.forget(uid); }

  // The agent that serves the host erases drives.
  [[nodiscard]] bool erasesDrives(const std::string& uid) const;
  // As askForBoot().
  const AskedErasure& askForErasure(const std::string& uid, const EraseAsk& ask);
  void forgetErasure(const std::string& uid) { erasures_.forget(uid); }

  void forget(const std::string& uid);

  void onInventory(const Connection& from, const wire::InventoryResult& result, bmc::Power power);
  void onBoot(const Connection& from, const wire::BootResult& result);
  void onErasure(const Connection& from, const wire::EraseReport& report);
  // The order is given again if the host says the same now; else it is called off.
  void onEraseConfirm(const Connection& from, const wire::EraseConfirm& confirm);

 private:
  [[nodiscard]] bool mayOrder(const std::string& uid, const EraseAsk& ask) const;
  [[nodiscard]] wire::EraseRequest requestFor(const std::string& uid, const EraseAsk& ask);
  base::Runtime runtime_;
  const AgentWorld& world_;
  Conversation& conversation_;
  Grants& grants_;
  InventoryBook inventories_;
  BootBook boots_;
  EraseBook erasures_;
};

}  // namespace ingot::coordinator::agents
