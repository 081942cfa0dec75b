#include "tests/contract/manifests/inventory.hpp"
#include "tests/contract/manifests/trial.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::contract;

namespace {

const std::vector<std::string> kNone;  // compared with, so that a failure shows what there is
const std::set<std::string> kEverythingBroken;

std::set<std::string> brokenBy(const Manifest& manifest) {
  std::set<std::string> out;
  for (const auto& one : manifest.cases) out.insert(fmt::format("{} {}", one.breaks, one.where));
  return out;
}

std::set<std::string> without(const std::set<std::string>& all, const std::set<std::string>& known) {
  std::set<std::string> out;
  std::ranges::set_difference(all, known, std::inserter(out, out.end()));
  return out;
}

std::vector<Reply> storeAndAsk(Trial& trial, const Manifest& manifest) {
  std::vector<Reply> out = trial.store(manifest);
  for (const auto& reply : out) {
    INFO(reply.text);
    REQUIRE(reply.status / 100 == 2);
  }
  std::ranges::move(trial.ask(manifest), std::back_inserter(out));
  return out;
}

// `replies` ends with those to the cases.
std::vector<std::string> unexpected(const Manifest& manifest, const std::vector<Reply>& replies) {
  std::vector<std::string> out;
  auto reply = replies.end() - static_cast<std::ptrdiff_t>(manifest.cases.size());
  for (const auto& one : manifest.cases)
    if (const auto answer = answerOf(one, *reply++); answer != one.answer)
      out.push_back(fmt::format("{}: {}, not {}", one.text(), answer, one.answer));
  return out;
}

std::vector<std::string> differing(const std::vector<Reply>& ours, const std::vector<Reply>& theirs) {
  REQUIRE(ours.size() == theirs.size());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (const auto here = comparable(ours[i]), there = comparable(theirs[i]); here != there)
      out.push_back(fmt::format("{}\nbut a kube-apiserver says\n{}", here, there));
  return out;
}

}  // namespace

TEST_CASE("a case breaks each validation of each kind", "[manifests]") {
  const auto all = manifests();
  std::size_t cases = 0;
  for (const auto& manifest : all) {
    INFO(manifest.name);
    const auto wanted = validationsOf(manifest.schema());
    CHECK(without(wanted, brokenBy(manifest)) == kEverythingBroken);
    cases += manifest.cases.size();
  }
  CHECK(all.size() == 35);
  CHECK(cases > 2000);
}

TEST_CASE("manifests of every kind are accepted, and refused at the field that is wrong", "[manifests]") {
  const auto all = manifests();
  Trial trial(peer(), all);
  std::unique_ptr<Peer> embedded;
  std::unique_ptr<Trial> beside;
  if (!peer().embedded()) {  // with a kube-apiserver to compare with, to the letter
    embedded = std::make_unique<Peer>(Peer::Which::embedded);
    beside = std::make_unique<Trial>(*embedded, all);
  }
  for (const auto& manifest : all) {
    INFO(manifest.name);
    const auto replies = storeAndAsk(trial, manifest);
    CHECK(unexpected(manifest, replies) == kNone);
    if (beside) CHECK(differing(storeAndAsk(*beside, manifest), replies) == kNone);
  }
}
