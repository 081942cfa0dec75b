// The conversation with one Redfish service: login, headers, retries, redirects, errors (spec/bmc.md §2, §3).
#pragma once

#include "bmc/governor.hpp"
#include "bmc/open_sessions.hpp"
#include "bmc/redfish/error_body.hpp"
#include "bmc/redfish/login_pace.hpp"
#include "bmc/redfish/message_registry.hpp"
#include "bmc/redfish/resources.hpp"
#include "bmc/target.hpp"
#include "bmc/write_permit.hpp"
#include "net/client.hpp"

#include <array>
#include <map>
#include <optional>

namespace ingot::bmc::redfish {

struct ConnectionOptions {
  std::string baseUrl;  // scheme://host[:port]
  std::string rootPath = "/redfish/v1/";
  Login login;
  net::ClientTls tls;
};

// An answer that is not 2xx, kept whole for callers that know what to make of it.
struct Refusal {
  int status = 0;
  ErrorBody body;
};

// What became of a write.
struct Written {
  std::optional<Refusal> refused;  // nullopt: accepted (2xx)
  std::string task;                // where to ask how it goes on (task.hpp); "": it is done
  std::string created = {};        // path of the resource that has come to be (201)
  bool goesOn = false;             // the BMC has only begun (202), whether it names a task or not
};

// One look at a task.
struct Look {
  int status = 0;
  json::Value document = {};  // null where there is none
  std::optional<base::Duration> retryAfter = std::nullopt;
};

// A resource as it was when the BMC was asked for it.
template <class Resource>
struct Read {
  Resource resource;
  base::MonoTime asked{};
  std::string etag;  // "" where the BMC tells none
  bool takesPatch = false, takesDelete = false;
  std::size_t bytes = 0;  // of its document
};

// Prefers a session; a service without one gets Basic. Logs in at most once per request, and never again after a
// refused password: the governor decides when to try again. Many may ask at the same time: every exchange takes a turn
// of its own, and none is kept while a BMC that asked for patience is waited for.
class Connection {
 public:
  Connection(base::Runtime runtime, net::HttpTransport& transport, Governor& governor,
             std::shared_ptr<OpenSessions> sessions, ConnectionOptions options);
  ~Connection();

  [[nodiscard]] const std::string& rootPath() const { return options_.rootPath; }
  [[nodiscard]] base::MonoTime now() const { return runtime_.clock.now(); }
  [[nodiscard]] base::Clock& clock() const { return runtime_.clock; }
  [[nodiscard]] MessageRegistry& messages() { return messages_; }
  // Number of the session in use, or that was last; another one after each login. 0: there was none.
  [[nodiscard]] std::uint64_t session() const { return session_.number; }

  // Throws Error{protocol} for what no resource is called. Nothing else is asked for: who keeps a path before it has
  // been read asks this first.
  void checkTarget(const std::string& path) const;
  [[nodiscard]] std::string whyNoTarget(const std::string& path) const;

  // *** for what we log in with, as base::redacted(). For what a BMC says, before any of it is cut off: a piece of a
  // secret is not found any more.
  [[nodiscard]] std::string redacted(std::string text) const;

  // The service root, read once; without credentials as long as there is no login, unless the service wants one.
  [[nodiscard]] base::Task<ServiceRoot> root(Lane lane);

  // Throws Error. 5xx is tried again within a bound, honouring Retry-After.
  template <class Resource>
  [[nodiscard]] base::Task<Read<Resource>> read(Lane lane, std::string path) {
    const auto [value, asked, etag, takesPatch, takesDelete, bytes] = co_await getValue(lane, path);
    try {
      co_return Read<Resource>{json::decode<Resource>(value), asked, etag, takesPatch, takesDelete, bytes};
    } catch (const base::Error& error) {
      throw Error(Error::Code::protocol, fmt::format("{}{}: {}", options_.baseUrl, path, error.what()));
    }
  }
  template <class Resource>
  [[nodiscard]] base::Task<Resource> get(Lane lane, std::string path) {
    co_return (co_await read<Resource>(lane, std::move(path))).resource;
  }

  // Asked once, whatever it answers. Throws Error where it does not.
  [[nodiscard]] base::Task<Look> look(Lane lane, std::string path);

  // Sent once, if `permit` allows. A refusal comes back for the caller to judge; no answer is Error{outcomeUnknown};
  // the rest throws.
  [[nodiscard]] base::Task<Written> post(Lane lane, std::string path, std::string body, WritePermit permit);

  // As post(): the resource is gone afterwards.
  [[nodiscard]] base::Task<Written> remove(Lane lane, std::string path, WritePermit permit = {});

  // As post(), for a resource that was read with this ETag ("": none). A BMC that wants another form of it, or none, is
  // asked again that way (spec/bmc.md §2.4): nothing has been done until then.
  [[nodiscard]] base::Task<Written> patch(Lane lane, std::string path, std::string body, std::string etag,
                                          WritePermit permit);

  // A GET whose answer is pushed piece by piece, on a connection of its own: it keeps no turn once it stands. A session
  // that has run out is not renewed: ask for something else before. Throws Error where it is not answered with 200.
  [[nodiscard]] base::Task<std::unique_ptr<net::HttpStream>> stream(Lane lane, std::string path);

  // Deletes `last` ("": nothing), as far as there is a session for it, and then the session: no password is shown for
  // it. Never throws. Later requests throw Error{notPermitted}.
  [[nodiscard]] base::Task<void> close(std::string last);

  // Of our account, but for the one in use; how many there were. Error{unsupported} without sessions.
  [[nodiscard]] base::Task<int> closeOtherSessions(Lane lane, WritePermit permit);

  // Those that an earlier process left, if there is a session now. Never throws but Cancelled.
  [[nodiscard]] base::Task<void> closeLeftSessions(Lane lane);

 private:
  enum class Identified { no, yes };
  struct Session {
    base::Secret token = {};
    std::string path = {};
    std::uint64_t number = 0;  // rises; of this connection
  };
  struct Answer {
    net::HttpResponse response = {};
    base::MonoTime asked{};
    std::uint64_t session = 0;  // number of the one that it was asked with; 0: with none
  };
  struct KnownRefusal {
    std::uint64_t session = 0;
    base::MonoTime until{};
  };
  [[nodiscard]] base::Task<Read<json::Value>> getValue(Lane lane, std::string path);
  [[nodiscard]] ServiceRoot rootIn(const net::HttpResponse& response);
  struct Opened {
    std::unique_ptr<net::HttpStream> stream;
    std::uint64_t session = 0;  // see Answer
  };
  [[nodiscard]] base::Task<Opened> openStream(Lane lane, net::HttpRequest request);
  [[nodiscard]] base::Task<Written> write(Lane lane, net::HttpRequest request, WritePermit permit);
  [[nodiscard]] base::Task<Answer> authorized(Lane lane, net::HttpRequest request, const WritePermit* permit);
  [[nodiscard]] base::Task<Answer> followed(Lane lane, Identified identified, net::HttpRequest request,
                                            const WritePermit* permit);
  struct Entered {
    Governor::Turn turn;
    bool showsPassword = false;
  };
  [[nodiscard]] base::Task<Entered> enter(Lane lane, Identified identified);
  [[nodiscard]] base::Task<Answer> exchange(Lane lane, Identified identified, net::HttpRequest request,
                                            const WritePermit* permit);
  [[nodiscard]] base::Task<net::HttpResponse> send(Governor::Turn& turn, net::HttpRequest request, base::Duration limit,
                                                   const WritePermit* permit);
  void checkOpen() const;
  [[nodiscard]] bool isKnownRefusal(const std::string& path, std::uint64_t session) const;
  void noteRefusal(const std::string& path);
  [[nodiscard]] std::array<base::Secret, 3> secrets() const;
  [[nodiscard]] ErrorBody errorIn(const net::HttpResponse& response) const;
  [[nodiscard]] std::string withoutSecrets(std::string text) const;  // on one line, and not too long
  [[nodiscard]] Error refusalOfResource(const std::string& path, const Answer& answer, const ErrorBody& body) const;
  [[nodiscard]] Error refusal(const std::string& path, int status, const ErrorBody& body) const;

  // login.cpp
  [[nodiscard]] base::Task<ServiceRoot> unidentifiedRoot(Lane lane);
  [[nodiscard]] base::Task<Session> logIn(Lane lane, std::uint64_t stale, bool isDead);
  [[nodiscard]] base::Task<void> leaveQuickly(Lane lane);
  [[nodiscard]] base::Task<net::HttpResponse> askForSession(Governor::Turn& turn, std::string path);
  [[nodiscard]] bool hasGivenUpSessions();
  [[nodiscard]] Session sessionIn(const std::string& path, const net::HttpResponse& response);
  [[nodiscard]] base::Task<std::string> sessionsPath(Lane lane);
  [[nodiscard]] base::Task<void> closeLeft(Lane lane, std::string path);
  [[nodiscard]] base::Task<bool> deleteWith(Lane lane, base::Secret token, std::string path);     // never throws
  [[nodiscard]] base::Task<void> deleteSession(Lane lane, base::Secret token, std::string path);  // never throws
  [[nodiscard]] bool usesBasic() const { return runtime_.clock.now() < basicUntil_; }
  [[nodiscard]] bool isLoggedIn() const { return usesBasic() || !session_.token.empty(); }
  void authorize(net::HttpRequest& request) const;
  void learnOfBasic(const net::HttpResponse& response);

  base::Runtime runtime_;
  Governor& governor_;
  std::shared_ptr<OpenSessions> sessions_;
  ConnectionOptions options_;
  std::string sessionsKey_;
  base::Secret basic_;  // as a BMC is shown it, and may repeat it
  net::HttpTransport& transport_;
  std::unique_ptr<net::HttpClient> client_;
  std::unique_ptr<net::HttpClient> streams_;  // made at first use
  std::optional<ServiceRoot> root_;
  bool closed_ = false;
  bool closesLeft_ = false;
  base::MonoTime basicUntil_{};  // the service has no usable sessions
  std::optional<base::MonoTime> noSessionsSince_;
  Session session_;
  std::map<std::string, KnownRefusal> refusals_;  // by path: refused by a session that was just opened
  LoginPace logins_;
  MessageRegistry messages_{runtime_.clock, *this};
};

}  // namespace ingot::bmc::redfish
