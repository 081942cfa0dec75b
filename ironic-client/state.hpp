// Ironic's words for where a node is and what to do with it (spec/ironic.md §3).
#pragma once

#include "json/enum.hpp"

namespace ingot::ironic {

enum class State {
  unknown,
  enroll,
  verifying,
  manageable,
  available,
  active,
  deployWait,
  deploying,
  deployFailed,
  deployComplete,
  deployHold,
  deleting,
  deleted,
  cleaning,
  cleanWait,
  cleanFailed,
  cleanHold,
  error,
  rebuild,
  inspecting,
  inspectFailed,
  inspectWait,
  adopting,
  adoptFailed,
  rescue,
  rescueFailed,
  rescuing,
  rescueWait,
  unrescuing,
  unrescueFailed,
  servicing,
  serviceWait,
  serviceFailed,
  serviceHold,
};

constexpr auto namesOf(State) {
  return std::to_array<json::EnumName<State>>({
      {State::unknown, ""},
      {State::enroll, "enroll"},
      {State::verifying, "verifying"},
      {State::manageable, "manageable"},
      {State::available, "available"},
      {State::active, "active"},
      {State::deployWait, "wait call-back"},
      {State::deploying, "deploying"},
      {State::deployFailed, "deploy failed"},
      {State::deployComplete, "deploy complete"},
      {State::deployHold, "deploy hold"},
      {State::deleting, "deleting"},
      {State::deleted, "deleted"},
      {State::cleaning, "cleaning"},
      {State::cleanWait, "clean wait"},
      {State::cleanFailed, "clean failed"},
      {State::cleanHold, "clean hold"},
      {State::error, "error"},
      {State::rebuild, "rebuild"},
      {State::inspecting, "inspecting"},
      {State::inspectFailed, "inspect failed"},
      {State::inspectWait, "inspect wait"},
      {State::adopting, "adopting"},
      {State::adoptFailed, "adopt failed"},
      {State::rescue, "rescue"},
      {State::rescueFailed, "rescue failed"},
      {State::rescuing, "rescuing"},
      {State::rescueWait, "rescue wait"},
      {State::unrescuing, "unrescuing"},
      {State::unrescueFailed, "unrescue failed"},
      {State::servicing, "servicing"},
      {State::serviceWait, "service wait"},
      {State::serviceFailed, "service failed"},
      {State::serviceHold, "service hold"},
  });
}

// Ironic is at work on the node, or waits for its ramdisk: it will move on by itself (or time out).
[[nodiscard]] bool isTransient(State state);

// What can be asked for with PUT states/provision.
enum class Verb { manage, provide, inspect, adopt, clean, deploy, undeploy, abort, service };

constexpr auto namesOf(Verb) {
  return std::to_array<json::EnumName<Verb>>({{Verb::manage, "manage"},
                                              {Verb::provide, "provide"},
                                              {Verb::inspect, "inspect"},
                                              {Verb::adopt, "adopt"},
                                              {Verb::clean, "clean"},
                                              {Verb::deploy, "active"},
                                              {Verb::undeploy, "deleted"},
                                              {Verb::abort, "abort"},
                                              {Verb::service, "service"}});
}

enum class PowerTarget { on, off, reboot, softOff, softReboot };

constexpr auto namesOf(PowerTarget) {
  return std::to_array<json::EnumName<PowerTarget>>({{PowerTarget::on, "power on"},
                                                     {PowerTarget::off, "power off"},
                                                     {PowerTarget::reboot, "rebooting"},
                                                     {PowerTarget::softOff, "soft power off"},
                                                     {PowerTarget::softReboot, "soft rebooting"}});
}

}  // namespace ingot::ironic
