#include "tests/apiserver/store/fixture.hpp"

namespace ingot::apiserver::tests {

TEST_CASE("a store that closes answers the writers that still wait", "[store]") {
  ingot::tests::Loop loop;
  auto store = std::make_unique<Store>(loop.runtime, openMemoryJournal(std::make_shared<MemoryDisk>()), inLine());
  std::optional<StoreError::Code> answer;
  boost::asio::co_spawn(loop.io, store->put(things, thing("a"), nullptr, building(thing("a"), "x")),
                        [&](const std::exception_ptr& error, const ObjectPtr&) {
                          try {
                            if (error) std::rethrow_exception(error);
                          } catch (const StoreError& e) {
                            answer = e.code();
                          }
                        });
  loop.io.run_one();  // the write is queued, its batch has not started
  store.reset();
  loop.clock.settle();
  CHECK(answer == StoreError::Code::closed);
}

}  // namespace ingot::apiserver::tests
