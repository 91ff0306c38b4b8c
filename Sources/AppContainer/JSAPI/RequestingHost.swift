public import BillfoldJSON
public import Foundation
import MiniPrograms

/// Answers `my.request` over a connection that the super app gives, and hands the other calls on (mini-programs.md#request,
/// mini-programs.md#domains, mini-programs.md#isolation).
///
/// Every redirect is held against the mini program's list before it is followed, so that nothing reaches a server that is not on it.
/// Cookies are those of the user and mini program alone, and only where the script sets `enableCookie`.
public struct RequestingHost: JSAPIHost {
    /// One request, as it goes out.
    public struct Request: Sendable {
        public var method: String
        public var address: URL
        /// Names in lower case.
        public var headers: [String: String]
        public var body: [UInt8]
        public var timeout: Duration

        public init(method: String, address: URL, headers: [String: String] = [:], body: [UInt8] = [], timeout: Duration) {
            self.method = method
            self.address = address
            self.headers = headers
            self.body = body
            self.timeout = timeout
        }
    }

    /// One answer, as it came. Redirects are answers too.
    public struct Response: Sendable {
        public var status: Int
        /// Names in lower case; a name may occur again.
        public var headers: [(name: String, value: String)]
        public var body: [UInt8]

        public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    /// Why there is no answer.
    public enum NoAnswer: Error, Sendable {
        case network
        case timedOut
    }

    private let domains: DomainList
    private let cookies: MiniProgramCookies
    private let now: @Sendable () -> Double
    private let send: @Sendable (Request) async throws -> Response
    private let screen: any JSAPIHost

    static let redirectLimit = 5
    /// What a script may not say of itself.
    static let ownHeaders: Set<String> = ["cookie", "host", "content-length", "connection", "transfer-encoding", "origin", "referer"]

    /// - Parameters:
    ///   - domains: The mini program's servers, as in its grant.
    ///   - cookies: One for all mini programs.
    ///   - now: Milliseconds since 1970.
    ///   - screen: Answers everything else.
    ///   - send: Sends one request, follows no redirect and keeps no cookies; throws ``NoAnswer``.
    public init(
        domains: DomainList, cookies: MiniProgramCookies, now: @escaping @Sendable () -> Double, screen: any JSAPIHost,
        send: @escaping @Sendable (Request) async throws -> Response
    ) {
        self.domains = domains
        self.cookies = cookies
        self.now = now
        self.screen = screen
        self.send = send
    }

    public var systemInfo: JSONObject { screen.systemInfo }
    public func show(_ update: ViewUpdate, painted: @escaping @Sendable () -> Void) { screen.show(update, painted: painted) }
    public func observe(_ event: ProgramEvent) { screen.observe(event) }

    public func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) {
        guard call.name == "request" else { return screen.answer(call, reply) }
        // A server is waited for, and the program's thread must not.
        Task {
            do {
                reply(try await perform(call))
            } catch let failure as JSAPIFailure {
                reply(.failure(failure))
            } catch NoAnswer.timedOut {
                reply(.failure(JSAPIFailure(error: 13, errorMessage: "request: no answer in time")))
            } catch {
                reply(.failure(JSAPIFailure(error: 12, errorMessage: "request: the server cannot be reached")))
            }
        }
    }

    private func perform(_ call: JSAPICall) async throws -> JSAPIAnswer {
        var request = try Self.request(call.arguments)
        let usesCookies = call.arguments["enableCookie"]?.bool == true
        let partition = call.identity.partition
        for _ in 0...Self.redirectLimit {
            request.headers["cookie"] = usesCookies ? cookies.header(for: request.address, at: now(), of: partition) : nil
            let response = try await send(request)
            if usesCookies {
                let set = response.headers.filter { $0.name == "set-cookie" }.map(\.value)
                cookies.take(set, from: request.address, at: now(), for: partition)
            }
            guard (301...308).contains(response.status), ![304, 305, 306].contains(response.status),
                let location = response.headers.first(where: { $0.name == "location" })?.value
            else { return try Self.answer(response, as: call.arguments["dataType"]?.string ?? "json") }
            guard let next = URL(string: location, relativeTo: request.address)?.absoluteURL else {
                throw JSAPIFailure(error: 12, errorMessage: "request was redirected to what is no address")
            }
            if let refusal = domains.refusal(of: next.absoluteString) {
                throw JSAPIFailure(error: 11, errorMessage: "request was redirected: \(refusal)")
            }
            request.redirect(to: next, status: response.status)
        }
        throw JSAPIFailure(error: 12, errorMessage: "request was redirected more than \(Self.redirectLimit) times")
    }

    /// The request that a script describes (mini-programs.md#request).
    private static func request(_ arguments: JSONObject) throws(JSAPIFailure) -> Request {
        guard let address = arguments["url"]?.string.flatMap({ URL(string: $0) }) else {
            throw JSAPIFailure(.invalidParameter, "request: url is no address")
        }
        let method = arguments["method"]?.string?.uppercased() ?? "GET"
        guard ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"].contains(method) else {
            throw JSAPIFailure(.invalidParameter, "request: the method is not known")
        }
        var headers = ["content-type": "application/json"]
        for member in arguments["headers"]?.members ?? [] where !ownHeaders.contains(member.key.lowercased()) {
            guard let value = member.value.scalar, (member.key + value).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw JSAPIFailure(error: 15, errorMessage: "request: a header cannot be sent")
            }
            headers[member.key.lowercased()] = value
        }
        let milliseconds = arguments["timeout"]?.double ?? 30_000
        var request = Request(
            method: method, address: address, headers: headers, body: [],
            timeout: .milliseconds(Int64(min(max(milliseconds, 1), 60_000))))
        request.attach(arguments["data"])
        return request
    }

    private static func answer(_ response: Response, as type: String) throws(JSAPIFailure) -> JSAPIAnswer {
        let text = String(decoding: response.body, as: UTF8.self)
        let data: JSONValue
        switch type {
        case "base64": data = .string(Data(response.body).base64EncodedString())
        case "json":
            if let value = try? JSONReader.read(response.body, maximumBytes: 16_777_216, maximumDepth: 128) {
                data = value
            } else if response.status >= 400 {
                // The status is the failure then.
                data = .string(text)
            } else {
                throw JSAPIFailure(error: 14, errorMessage: "request: the answer is no JSON")
            }
        default: data = .string(text)
        }
        // A cookie is the container's and not the script's.
        let headers = response.headers.filter { $0.name != "set-cookie" }
        let members = Dictionary(headers.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" }).sorted { $0.key < $1.key }
        return .success(
            JSONObject([
                .init("data", data), .init("status", .integer(response.status)),
                .init("headers", .object(JSONObject(members.map { .init($0.key, .string($0.value)) }))),
            ]))
    }
}

extension RequestingHost.Request {
    /// Puts data where the method and the content type want it.
    mutating func attach(_ data: JSONValue?) {
        guard let data, data.text != "null" else { return }
        let fields = data.members?.map { URLQueryItem(name: $0.key, value: $0.value.scalar ?? $0.value.text) } ?? []
        if method == "GET" || method == "HEAD" {
            if !fields.isEmpty { address.append(queryItems: fields) }
        } else if headers["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true, data.members != nil {
            var form = URLComponents()
            form.queryItems = fields
            body = Array((form.percentEncodedQuery ?? "").replacing("+", with: "%2B").utf8)
        } else {
            body = Array((data.string ?? data.text).utf8)
        }
    }

    /// Goes on as browsers do: 303, and a POST after 301 and 302, become GET. Another host is handed no authorization.
    mutating func redirect(to next: URL, status: Int) {
        if status == 303 || (status == 301 || status == 302) && method == "POST" {
            method = "GET"
            body = []
        }
        if next.host()?.lowercased() != address.host()?.lowercased() { headers["authorization"] = nil }
        address = next
    }
}
