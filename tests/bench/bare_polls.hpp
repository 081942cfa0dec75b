// The same polls as libcurl alone makes them: the request that the agent sends, with its headers and a session's token,
// on a kept connection. Answers are collected and dropped unread.
#pragma once

#include "base/error.hpp"
#include "net/curl/multi.hpp"

#include <boost/asio/io_context.hpp>

#include <curl/curl.h>

#include <string>
#include <vector>

namespace ingot::bench {

struct PolledBmc {
  std::string authority;  // host:port
  std::string systemPath;
  std::string user, password;
  [[nodiscard]] std::string url(std::string_view scheme) const {
    return fmt::format("{}://{}{}", scheme, authority, systemPath);
  }
};

class BareHandle {
 public:
  BareHandle(const PolledBmc& bmc, const std::string& caFile) {
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "ingot-agent");
    curl_easy_setopt(easy, CURLOPT_CAINFO, caFile.c_str());
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &answer_);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 60000L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    const auto token = logIn(bmc);
    for (const auto& line : {std::string("Accept: application/json"), std::string("OData-Version: 4.0"),
                             std::string("Accept-Encoding: identity"), "X-Auth-Token: " + token})
      headers_ = curl_slist_append(headers_, line.c_str());
    curl_easy_setopt(easy, CURLOPT_URL, bmc.url("https").c_str());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_);
  }
  ~BareHandle() {
    curl_easy_cleanup(easy);
    curl_slist_free_all(headers_);
  }
  BareHandle(const BareHandle&) = delete;
  BareHandle& operator=(const BareHandle&) = delete;

  void check(int code) {
    if (code != CURLE_OK) throw base::Error("a poll of the bare loop failed");
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) throw base::Error(fmt::format("the bare loop was answered {}", status));
    answer_.clear();
  }
  void poll() { check(curl_easy_perform(easy)); }

  CURL* const easy = curl_easy_init();

 private:
  static std::size_t collect(char* data, std::size_t size, std::size_t count, void* into) {
    static_cast<std::string*>(into)->append(data, size * count);
    return size * count;
  }

  // The token of a new session.
  std::string logIn(const PolledBmc& bmc) {
    const auto url = fmt::format("https://{}/redfish/v1/SessionService/Sessions", bmc.authority);
    const auto body = fmt::format(R"({{"UserName":"{}","Password":"{}"}})", bmc.user, bmc.password);
    auto* headers = curl_slist_append(nullptr, "Content-Type: application/json");
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.c_str());
    const int code = curl_easy_perform(easy);
    curl_header* token = nullptr;
    const bool isOpen =
        code == CURLE_OK && curl_easy_header(easy, "X-Auth-Token", 0, CURLH_HEADER, -1, &token) == CURLHE_OK;
    const std::string text = isOpen ? token->value : "";
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, nullptr);
    curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);  // after it, for that asks for a POST
    curl_slist_free_all(headers);
    answer_.clear();
    if (text.empty()) throw base::Error("the bare loop was given no session by " + bmc.authority);
    return text;
  }

  curl_slist* headers_ = nullptr;
  std::string answer_;
};

// One BMC after the other, in curl_easy_perform().
class BareInTurn {
 public:
  BareInTurn(const std::vector<PolledBmc>& bmcs, const std::string& caFile) {
    for (const auto& bmc : bmcs) handles_.push_back(std::make_unique<BareHandle>(bmc, caFile));
    poll(static_cast<int>(handles_.size()));
  }
  void poll(int polls) {
    for (int i = 0; i < polls; ++i) handles_[static_cast<std::size_t>(i) % handles_.size()]->poll();
  }

 private:
  std::vector<std::unique_ptr<BareHandle>> handles_;
};

// All at the same time, on the agent's loop for libcurl: Asio tells which sockets are ready, each answer is followed by
// the next request.
class BareAtOnce {
 public:
  BareAtOnce(const std::vector<PolledBmc>& bmcs, const std::string& caFile)
      : loop_(std::make_shared<net::curl::Loop>(io_.get_executor(), 4096)) {
    for (const auto& bmc : bmcs) polls_.push_back(std::make_unique<Poll>(*this, bmc, caFile));
    poll(static_cast<int>(polls_.size()));
  }

  void poll(int polls) {
    const int each = polls / static_cast<int>(polls_.size());
    running_ = polls_.size();
    for (auto& one : polls_) one->begin(each);
    while (running_ > 0) io_.run_one();
  }

 private:
  class Poll final : public net::curl::Transfer {
   public:
    Poll(BareAtOnce& all, const PolledBmc& bmc, const std::string& caFile) : all_(all), handle_(bmc, caFile) {
      all_.loop_->adopt(handle_.easy);
    }
    void begin(int polls) {
      left_ = polls;
      all_.loop_->add(handle_.easy, *this);
    }
    void finished(int code) override {
      handle_.check(code);
      if (--left_ > 0) return all_.loop_->add(handle_.easy, *this);
      --all_.running_;
    }

   private:
    BareAtOnce& all_;
    BareHandle handle_;
    int left_ = 0;
  };

  boost::asio::io_context io_{1};
  std::shared_ptr<net::curl::Loop> loop_;
  std::vector<std::unique_ptr<Poll>> polls_;  // destroyed before the loop
  std::size_t running_ = 0;
};

}  // namespace ingot::bench
