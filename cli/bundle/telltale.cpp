#include "cli/bundle/telltale.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace ingot::cli::bundle {
namespace {

constexpr std::array<std::string_view, 14> kWords = {
    "password",      "passwd",       "passphrase",         "pwd",        "token",    "apikey",     "privatekey",
    "authorization", "kernelparams", "kernelappendparams", "kubeconfig", "userdata", "credential", "secret"};

std::string wordOf(std::string_view name) {
  std::string word = base::lower(name);
  std::erase_if(word, [](char c) { return c == '-' || c == '_'; });
  return word;
}

}  // namespace

bool isTelltale(std::string_view name) {
  const std::string word = wordOf(name);
  constexpr std::array<std::string_view, 5> harmless = {"name", "ref", "version", "created",
                                                        "mountserviceaccounttoken"};
  if (std::ranges::any_of(harmless, [&](std::string_view end) { return word.ends_with(end); })) return false;
  return std::ranges::any_of(kWords, [&](std::string_view each) { return word.find(each) != std::string::npos; });
}

bool isTelltaleFlag(std::string_view argument) {
  if (!argument.starts_with('-')) return false;
  const std::string name = wordOf(argument);
  constexpr std::array<std::string_view, 8> words = {"password", "passwd", "passphrase", "pwd",
                                                     "token",    "apikey", "secret",     "privatekey"};
  return std::ranges::any_of(words, [&](std::string_view word) { return name.ends_with(word); });
}

bool isOfKernel(std::string_view name) { return wordOf(name).find("kernel") != std::string::npos; }

std::string telltalePattern() {
  std::string any;
  for (const auto word : kWords) {
    if (!any.empty()) any += "|";
    for (const char letter : word) any.append(1, letter).append("[-_]*");
  }
  return R"([\w.-]*(?:)" + any + R"()[\w.-]*)";
}

}  // namespace ingot::cli::bundle
