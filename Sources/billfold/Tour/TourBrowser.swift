import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A browser without script at one origin: pages, forms and cookies.
final class TourBrowser {
    struct Page {
        /// Below the origin, or where a redirect leads elsewhere.
        var path: String
        var status: Int
        var text: String

        /// What stands in an attribute, the first of that name.
        func attribute(_ name: String) -> String? {
            guard let start = text.range(of: "\(name)=\"") else { return nil }
            return Self.plain(text[start.upperBound...].prefix { $0 != "\"" })
        }

        /// The same within the element that begins with a text.
        func attribute(_ name: String, in element: String) -> String? {
            guard let start = text.range(of: element) else { return nil }
            let rest = text[start.lowerBound...].prefix { $0 != ">" }
            guard let found = rest.range(of: "\(name)=\"") else { return nil }
            return Self.plain(rest[found.upperBound...].prefix { $0 != "\"" })
        }

        /// Where the link with a mark leads.
        func link(marked mark: String) -> String? {
            guard let end = text.range(of: "\" \(mark)"), let start = text[..<end.lowerBound].range(of: "href=\"", options: .backwards)
            else { return nil }
            return Self.plain(text[start.upperBound..<end.lowerBound])
        }

        var heading: String { text.firstMatch(of: /<h1[^>]*>([^<]*)</).map { "“\($0.1)”" } ?? "no page" }

        private static func plain(_ text: some StringProtocol) -> String {
            String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        }
    }

    let origin: String
    /// Must not follow redirects.
    private let client: HTTPClient
    private(set) var cookies: [String: String] = [:]

    init(_ origin: String, _ client: HTTPClient) {
        self.origin = origin
        self.client = client
    }

    func keep(cookie: String) {
        let pair = cookie.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
    }

    func get(_ address: String) async throws -> Page { try await open(.GET, path(address), fields: nil) }

    func post(_ path: String, _ fields: [String: String] = [:]) async throws -> Page { try await open(.POST, path, fields: fields) }

    private func path(_ address: String) -> String { address.hasPrefix(origin) ? String(address.dropFirst(origin.count)) : address }

    private func open(_ method: HTTPMethod, _ path: String, fields: [String: String]?) async throws -> Page {
        var (method, path, fields) = (method, path, fields)
        for _ in 0..<10 {
            var request = HTTPClientRequest(url: origin + path)
            request.method = method
            request.headers.add(name: "Accept", value: "text/html")
            if !cookies.isEmpty {
                request.headers.add(name: "Cookie", value: cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; "))
            }
            if let fields {
                request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
                let body = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escaped($0.value))" }.joined(separator: "&")
                request.body = .bytes(ByteBuffer(string: body))
            }
            let response = try await client.execute(request, timeout: .seconds(60))
            let body = try await response.body.collect(upTo: 1_048_576)
            for cookie in response.headers["Set-Cookie"] { keep(cookie: String(cookie.prefix { $0 != ";" })) }
            guard response.status.code == 303, let next = response.headers.first(name: "Location"), next.hasPrefix("/") else {
                return Page(path: path, status: Int(response.status.code), text: String(buffer: body))
            }
            (method, path, fields) = (.GET, next, nil)
        }
        throw CommandFailure(.refused, code: "page-differs", reason: "the pages lead in circles")
    }

    private static func escaped(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}
