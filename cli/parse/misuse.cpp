#include "cli/parse/misuse.hpp"

#include "base/nearest.hpp"

#include <fmt/ranges.h>

namespace ingot::cli {
namespace {

// The command that the words led to, and those words.
struct UsedCommand {
  const CLI::App* app;
  std::string words;
};

UsedCommand usedCommand(const CLI::App& root) {
  UsedCommand place{&root, "ingotctl"};
  for (auto used = root.get_subcommands(); !used.empty(); used = place.app->get_subcommands()) {
    place.app = used.front();
    place.words += " " + place.app->get_name();
  }
  return place;
}

std::vector<std::string> childNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* child : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(child->get_name());
  return names;
}

// The first word that nothing took; "" when there is none.
std::string unknownWord(const CLI::App& root) {
  const auto left = root.remaining(true);
  return left.empty() ? "" : left.front();
}

std::string whichCommand(const CLI::App& root, const CLI::App& app) {
  const auto names = childNames(app);
  const std::string list = fmt::format("{}", fmt::join(names, ", "));
  const std::string word = unknownWord(root);
  if (word.empty()) return "say what: " + list;
  const std::string meant = base::nearest(word, names);
  return fmt::format("\"{}\" is not one of {}{}", word, list, meant.empty() ? "" : "; did you mean " + meant + "?");
}

// "HOST" of an operand, "-f FILE" of an option.
std::string written(const CLI::Option& option) {
  if (option.get_positional()) return option.get_type_name();
  const auto& shorts = option.get_snames();
  const std::string flag = shorts.empty() ? "--" + option.get_lnames().front() : "-" + shorts.front();
  return flag + " " + option.get_type_name();
}

const CLI::Option* missingOption(const CLI::App& app) {
  const auto options = app.get_options([](const CLI::Option* o) { return o->get_required() && o->count() == 0; });
  return options.empty() ? nullptr : options.front();
}

std::string whatIsMissing(const CLI::App& root, const UsedCommand& place) {
  const CLI::Option* option = missingOption(*place.app);
  if (!option) return whichCommand(root, *place.app);
  const std::string form = written(*option);
  const std::string word = unknownWord(root);
  return fmt::format("{} is missing{}, as in: {} {}", form, word.empty() ? "" : " before \"" + word + "\"", place.words,
                     form);
}

std::string oneSentence(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (text.ends_with(' ') || text.ends_with('.')) text.pop_back();
  return text;
}

std::string problem(const CLI::App& root, const UsedCommand& place, const CLI::ParseError& why) {
  if (dynamic_cast<const CLI::RequiredError*>(&why)) return whatIsMissing(root, place);
  if (dynamic_cast<const CLI::ExtrasError*>(&why))
    return fmt::format("\"{}\" is not understood here", unknownWord(root));
  return oneSentence(why.what());
}

}  // namespace

std::string misuse(const CLI::App& root, const CLI::ParseError& why) {
  const UsedCommand place = usedCommand(root);
  return problem(root, place, why) + "; see " + place.words + " --help";
}

}  // namespace ingot::cli
