#include "apiserver/registry/reader.hpp"

#include "apiserver/registry/continue_token.hpp"
#include "apiserver/registry/errors.hpp"

#include <charconv>

namespace ingot::apiserver {
namespace {

constexpr const char* continueTooOld =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without "
    "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. "
    "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or "
    "deleted between the time the first chunk was returned and now may show up in the list.";

void refuseContradictions(const ListOptions& options) {
  if (options.sendInitialEvents) {
    throw invalidOptions("ListOptions",
                         {forbiddenValue("sendInitialEvents", "sendInitialEvents is forbidden for list")});
  }
  const auto forbid = [](std::string_view why) {
    throw invalidOptions("ListOptions", {forbiddenValue("resourceVersionMatch", why)});
  };
  if (options.match != VersionMatch::unset) {
    if (options.resourceVersion.empty()) forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
    if (!options.continueToken.empty()) forbid("resourceVersionMatch is forbidden when continue is provided");
    if (options.match == VersionMatch::exact && options.resourceVersion == "0") {
      forbid("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
    }
  }
  if (!options.continueToken.empty() && !options.resourceVersion.empty() && options.resourceVersion != "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
}

// Fills one page from `objects`, which is the collection at `page.revision`.
void fillPage(Listed& page, const Store::Objects& objects, const Selection& selection, const ObjectKey* after,
              std::int64_t limit) {
  auto at = after ? objects.upper_bound(*after) : objects.lower_bound(ObjectKey{selection.space, ""});
  const auto inSpace = [&](const auto& entry) {
    return selection.space.empty() || entry->first.space == selection.space;
  };
  std::int64_t more = 0;
  for (; at != objects.end() && inSpace(at); ++at) {
    const bool full = limit > 0 && static_cast<std::int64_t>(page.items.size()) >= limit;
    if (selection.selects() && !selection.matches(*at->second)) continue;
    if (!full) {
      page.items.push_back(at->second);
      continue;
    }
    ++more;
    if (selection.selects()) break;  // that there is more is all that is told
  }
  if (more == 0) return;
  page.continueToken = ContinueToken{page.revision, page.items.back()->key}.encode();
  if (!selection.selects()) page.remaining = more;
}

}  // namespace

std::optional<Revision> revisionIn(std::string_view text) {
  if (text.empty() || text == "0") return std::nullopt;
  Revision revision = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), revision);
  if (error != std::errc() || end != text.data() + text.size() || revision < 0) {
    throw badRequest(fmt::format("invalid resource version: strconv.ParseUint: parsing \"{}\": invalid syntax", text));
  }
  return revision;
}

base::Task<void> Reader::reach(std::string text) {
  const auto wanted = revisionIn(text);
  if (!wanted) co_return;
  const auto deadline = runtime_.clock.now() + options_.futureRevisionWait;
  while (store_.revision() < *wanted) {
    const bool woken = co_await store_.changed().waitUntil(runtime_.clock, deadline);
    if (!woken && store_.revision() < *wanted) throw futureRevision(text, store_.revision());
  }
}

base::Task<ObjectPtr> Reader::get(Target target, GetOptions options) {
  const auto kind = kinds_.require(target, "get");
  co_await reach(std::move(options.resourceVersion));
  auto object = store_.find(kind->stored, {kind->info.namespaced ? target.space : "", target.name});
  if (!object) throw notFound(kind->info, target.name);
  co_return object;
}

base::Task<Listed> Reader::list(Target target, ListOptions options) {
  const auto kind = kinds_.require(target, "list");
  refuseContradictions(options);
  const Selection selection{target.space, LabelSelector::parse(options.labelSelector),
                            FieldSelector::parse(options.fieldSelector, kind->info)};
  Listed page;
  if (!options.continueToken.empty()) {
    const auto token = ContinueToken::decode(options.continueToken);
    page.revision = token.revision < 0 ? store_.revision() : token.revision;
    try {
      if (page.revision == store_.revision()) {
        fillPage(page, store_.objects(kind->stored), selection, &token.after, options.limit);
      } else {
        fillPage(page, co_await store_.objectsAt(kind->stored, page.revision), selection, &token.after, options.limit);
      }
    } catch (const StoreError&) {
      throw expired(continueTooOld, ContinueToken{-1, token.after}.encode());
    }
    co_return page;
  }
  co_await reach(options.resourceVersion);
  if (options.match == VersionMatch::exact) {
    page.revision = *revisionIn(options.resourceVersion);
    try {
      fillPage(page, co_await store_.objectsAt(kind->stored, page.revision), selection, nullptr, options.limit);
    } catch (const StoreError&) {
      throw expired("The resourceVersion for the provided list is too old.");
    }
    co_return page;
  }
  page.revision = store_.revision();
  const auto limit = options.resourceVersion == "0" ? 0 : options.limit;
  fillPage(page, store_.objects(kind->stored), selection, nullptr, limit);
  co_return page;
}

}  // namespace ingot::apiserver
