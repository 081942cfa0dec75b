// What the API says of one object now, before what cannot be taken back: caches may be minutes behind.
#pragma once

#include "coordinator/machine/error.hpp"
#include "kube/client/client.hpp"
#include "kube/core/error.hpp"

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>

namespace ingot::coordinator::machine {

// An API that does not serve the kind, or does not answer, proves nothing.
[[nodiscard]] MachineError unproved(std::string_view what, std::string_view why);

// A 404 is the API's word of this object only when it names it: a proxy knows no objects.
[[nodiscard]] bool isOf(const kube::Error& error, const std::string& name);

// nullptr: there is none, as the API says. Throws MachineError(waiting) where that cannot be told.
template <class T>
[[nodiscard]] base::Task<std::shared_ptr<const T>> ask(kube::Client& client, kube::ObjectKey key) {
  try {
    auto found = co_await client.api().raw("GET", kube::objectPath(kube::Resource::of(T::info), key));
    co_return std::make_shared<const T>(kube::decodeObject<T>(std::move(found)));
  } catch (const base::Cancelled&) {
    throw;
  } catch (const kube::Error& error) {
    if (!isOf(error, key.name)) throw unproved(fmt::format("{} {}", T::info.kind, key.name), error.what());
  } catch (const base::Error& error) {
    throw unproved(fmt::format("{} {}", T::info.kind, key.name), error.what());
  }
  co_return nullptr;
}

}  // namespace ingot::coordinator::machine
