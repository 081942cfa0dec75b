// Long messages in pieces, and which version two ends speak.
#include "wire/pieces.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace ingot;

namespace {

std::vector<wire::Piece> piecesOf(std::int64_t id, std::size_t bytes) {
  std::vector<wire::Piece> pieces;
  for (const auto& frame : wire::inPieces(id, std::string(bytes, static_cast<char>('a' + id))))
    pieces.push_back(std::get<wire::Piece>(wire::decode(frame).value()));
  return pieces;
}

}  // namespace

TEST_CASE("a message of any length up to the limit comes back from its pieces, each of which fits") {
  const std::size_t bytes =
      GENERATE(std::size_t{1}, wire::longestMessage, wire::longestMessage + 1, wire::longestWhole);
  wire::PieceAssembly assembly;
  std::optional<std::string> whole;
  for (const auto& piece : piecesOf(1, bytes)) {
    CHECK_FALSE(whole);
    whole = assembly.add(piece);
  }
  CHECK(whole == std::string(bytes, 'b'));
}

TEST_CASE("a message of which a piece was lost is given up, and the next one is whole") {
  wire::PieceAssembly assembly;
  const auto first = piecesOf(1, 3 * wire::longestMessage), second = piecesOf(2, 3 * wire::longestMessage);
  const auto lost = GENERATE(0U, 1U, 3U);
  for (unsigned i = 0; i < first.size(); ++i)
    if (i != lost) CHECK_FALSE(assembly.add(first[i]));
  std::optional<std::string> whole;
  for (const auto& piece : second) whole = assembly.add(piece);
  CHECK(whole == std::string(3 * wire::longestMessage, 'c'));
}

TEST_CASE("pieces of two messages are not mixed") {
  wire::PieceAssembly assembly;
  const auto first = piecesOf(1, 2 * wire::longestMessage), second = piecesOf(2, 2 * wire::longestMessage);
  REQUIRE(first.size() == second.size());
  CHECK_FALSE(assembly.add(first[0]));
  for (unsigned i = 1; i < second.size(); ++i) CHECK_FALSE(assembly.add(second[i]));
}

TEST_CASE("no more is kept than the longest message") {
  wire::PieceAssembly assembly;
  CHECK_THROWS_AS(assembly.add({.id = 1, .index = 0, .count = 1'000'000, .part = {"x"}}), wire::CodecError);
  const std::string part(wire::longestWhole / 2 + 1, 'x');
  CHECK_FALSE(assembly.add({.id = 2, .index = 0, .count = 2, .part = {part}}));
  CHECK_THROWS_AS(assembly.add({.id = 2, .index = 1, .count = 2, .part = {part}}), wire::CodecError);
  CHECK_FALSE(assembly.add({.id = 3, .index = -1, .count = 2, .part = {part}}));
  CHECK_FALSE(assembly.add({.id = 4, .index = 0, .count = 0, .part = {part}}));
}

TEST_CASE("two ends speak the newest version that both know") {
  CHECK(wire::commonVersion(1, 1) == 1);
  CHECK(wire::commonVersion(1, wire::newestVersion) == wire::newestVersion);
  CHECK(wire::commonVersion(1, wire::newestVersion + 5) == wire::newestVersion);
  CHECK_FALSE(wire::commonVersion(wire::newestVersion + 1, wire::newestVersion + 5));
  CHECK_FALSE(wire::commonVersion(0, 0));
  CHECK_FALSE(wire::commonVersion(3, 1));
}

TEST_CASE("a piece out of turn gives up its message, and one that is too long keeps nothing") {
  wire::PieceAssembly assembly;
  const auto pieces = piecesOf(1, 2 * wire::longestMessage);
  REQUIRE(pieces.size() == 3);
  CHECK_FALSE(assembly.add(pieces[0]));
  CHECK_FALSE(assembly.add(pieces[2]));
  CHECK_FALSE(assembly.add(pieces[1]));
  CHECK_FALSE(assembly.add(pieces[2]));
  const std::string part(wire::longestWhole / 2 + 1, 'x');
  CHECK_FALSE(assembly.add({.id = 2, .index = 0, .count = 2, .part = {part}}));
  CHECK_THROWS_AS(assembly.add({.id = 2, .index = 1, .count = 2, .part = {part}}), wire::CodecError);
  CHECK_FALSE(assembly.add({.id = 2, .index = 1, .count = 2, .part = {"x"}}));
}

TEST_CASE("what can wait is named kind by kind") {
  std::set<std::string_view> patient;
  const std::vector<wire::Message> all{
      wire::Hello{},       wire::Facts{},    wire::CommandResult{},   wire::Idle{},        wire::Heartbeat{},
      wire::SensorFacts{}, wire::LogFacts{}, wire::BootResult{},      wire::EraseReport{}, wire::EraseConfirm{},
      wire::StillFresh{},  wire::Piece{},    wire::InventoryResult{}, wire::Leaving{},     wire::HardwareFacts{}};
  for (const auto& message : all)
    if (wire::isPatient(message)) patient.insert(wire::kindOf(message));
  CHECK(patient == std::set<std::string_view>{"hardware", "inventory", "log", "piece", "sensors"});
}
