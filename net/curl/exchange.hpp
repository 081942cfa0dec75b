// One request and its answer on one easy handle: options in, callbacks out.
#pragma once

#include "base/sync.hpp"
#include "net/client.hpp"
#include "net/curl/idle_handles.hpp"
#include "net/curl/low_speed.hpp"
#include "net/curl/multi.hpp"
#include "net/exchange_rules.hpp"

#include <array>
#include <exception>
#include <memory>
#include <string>

namespace ingot::net::curl {

// What the exchanges of one client have in common. The PEM texts live here because libcurl keeps pointers to them.
struct ClientState {
  ClientState(base::Runtime r, ClientOptions o, std::shared_ptr<Loop> l, std::shared_ptr<IdleHandles> i,
              LowSpeedLimit p);
  base::Runtime runtime;
  ClientOptions options;
  Origin origin;
  std::shared_ptr<Loop> loop;
  LowSpeedLimit lowSpeed;
  base::Semaphore connections;
  std::string shownOrigin;            // what URLs begin with: the origin, or tls.serverName in its place
  std::string hostHeader;             // "Host: …" when libcurl would take it from such a URL
  std::shared_ptr<IdleHandles> idle;  // configured handles, free for the next request
  void* sessions = nullptr;           // a curl_share: TLS sessions of this client alone
  void* route = nullptr;              // a curl_slist: the real address when the URL shows tls.serverName instead
  ~ClientState();
};

class Exchange final : public Transfer {
 public:
  enum class Body { collect, stream };

  Exchange(std::shared_ptr<ClientState> client, HttpRequest request, Body body);
  ~Exchange() override;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  void start(base::Duration deadline);  // zero: none of libcurl's own
  void stop();                          // closes the connection when the answer is not complete

  // Notified whenever one of the following changes.
  base::Notifier changed;
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] bool headersComplete() const { return headersComplete_ || done_; }
  [[nodiscard]] const std::string& body() const { return response_.body; }

  // Throws the HttpError that the transfer ended with, if it did.
  void throwIfFailed() const;
  [[nodiscard]] std::string shownKey() const;
  // The collected answer; leaves an empty one.
  [[nodiscard]] HttpResponse takeResponse() { return std::move(response_); }
  [[nodiscard]] const HttpResponse& response() const { return response_; }
  // What has come of a streamed body; libcurl goes on reading if it had to pause.
  [[nodiscard]] std::string takeBody();

  [[nodiscard]] HttpError timeoutError(std::string_view what) const;
  [[nodiscard]] std::string name() const { return nameOf(request_, client_->origin, target_); }
  [[nodiscard]] ClientState& client() { return *client_; }

 private:
  struct Callbacks;
  void finished(int code) override;
  void configure(base::Duration deadline);
  void setBody();
  void setHeaders();
  void setLowSpeedLimit(LowSpeedLimit lowSpeed);
  bool onHeader(std::string_view line);
  std::size_t onBody(std::string_view piece);
  std::size_t onUpload(char* into, std::size_t room);
  bool onReady();

  std::shared_ptr<ClientState> client_;
  HttpRequest request_;
  Body mode_;
  std::string target_;
  Easy easy_ = nullptr;
  void* headerList_ = nullptr;
  std::array<char, 256> errorText_{};  // CURL_ERROR_SIZE bytes that libcurl writes into
  HttpResponse response_;
  std::size_t uploaded_ = 0;
  std::exception_ptr withheld_;  // what kept the request from being sent
  int code_ = 0;
  bool running_ = false, done_ = false, headersComplete_ = false, paused_ = false, tooLarge_ = false;
};

// A failed transfer as an error that names the request and what to do.
[[nodiscard]] HttpError errorFor(int code, const std::string& detail, const std::string& name, bool tooLarge,
                                 std::size_t bodyLimit);

// A configured handle of the client: an idle one or a new one.
[[nodiscard]] Easy takeHandle(ClientState& client);

}  // namespace ingot::net::curl
