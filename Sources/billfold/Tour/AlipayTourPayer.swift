import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A customer who goes through the wallet's pages as a browser without script does.
struct AlipayTourPayer: Sendable {
    static let name = "mei@example.test"
    static let loginPassword = "two-leaves-tea"
    static let paymentPassword = "246810"

    let wallet: String
    /// Must not follow redirects.
    let client: HTTPClient

    private struct Page {
        var path: String
        var text: String

        /// The value of the form's field of that name.
        func field(_ name: String) -> String? {
            guard let start = text.range(of: "name=\"\(name)\" value=\"") else { return nil }
            return plain(text[start.upperBound...].prefix { $0 != "\"" })
        }

        /// Where the way back to the app leads.
        var wayBack: String? {
            guard let mark = text.range(of: "\" data-way-back"),
                let start = text[..<mark.lowerBound].range(of: "href=\"", options: .backwards)
            else { return nil }
            return plain(text[start.upperBound..<mark.lowerBound])
        }

        private func plain(_ text: some StringProtocol) -> String {
            String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        }
    }

    /// Pays from the first page on, and returns the address by which the wallet would open the app.
    func pay(from start: String) async throws -> String {
        var cookies: [String: String] = [:]
        var page = try await open(
            .GET, start.hasPrefix(wallet) ? String(start.dropFirst(wallet.count)) : start, fields: nil, cookies: &cookies)
        let session = page.path
        page = try await open(.GET, session + "/login", fields: nil, cookies: &cookies)
        page = try await submit(
            page, to: session + "/login", values: ["name": Self.name, "password": Self.loginPassword], endingAt: "/means", cookies: &cookies
        )
        page = try await submit(page, to: session + "/means", values: ["means": "balance"], endingAt: "/password", cookies: &cookies)
        page = try await submit(
            page, to: session + "/password",
            values: ["password": Self.paymentPassword, "amount": try found(page.field("amount"), what: "the amount", on: page)],
            endingAt: session, cookies: &cookies)
        return try await wayBack(from: page, session: session, cookies: &cookies)
    }

    /// Leaves from the first page without paying, and returns the address by which the wallet would open the app.
    func cancel(from start: String) async throws -> String {
        var cookies: [String: String] = [:]
        var page = try await open(
            .GET, start.hasPrefix(wallet) ? String(start.dropFirst(wallet.count)) : start, fields: nil, cookies: &cookies)
        let session = page.path
        page = try await open(.GET, session + "/login", fields: nil, cookies: &cookies)
        let fields = ["csrf": try found(page.field("csrf"), what: "the form's token", on: page)]
        page = try await open(.POST, session + "/cancel", fields: fields, cookies: &cookies)
        return try await wayBack(from: page, session: session, cookies: &cookies)
    }

    private func wayBack(from page: Page, session: String, cookies: inout [String: String]) async throws -> String {
        var page = page
        for _ in 0..<600 {
            if let back = page.wayBack { return back }
            try await Task.sleep(for: .milliseconds(50))
            page = try await open(.GET, session, fields: nil, cookies: &cookies)
        }
        throw CommandFailure(.refused, code: "not-paid", reason: "the wallet's last page shows no way back to the app")
    }

    private func submit(
        _ page: Page, to path: String, values: [String: String], endingAt ending: String, cookies: inout [String: String]
    ) async throws -> Page {
        let fields = values.merging(["csrf": try found(page.field("csrf"), what: "the form's token", on: page)]) { value, _ in value }
        let next = try await open(.POST, path, fields: fields, cookies: &cookies)
        guard next.path.hasSuffix(ending) else {
            throw CommandFailure(.refused, code: "page-differs", reason: "the wallet shows \(Self.heading(next)) instead of the next step")
        }
        return next
    }

    private func found(_ value: String?, what: String, on page: Page) throws -> String {
        guard let value else {
            throw CommandFailure(.refused, code: "page-differs", reason: "the wallet's page \(Self.heading(page)) lacks \(what)")
        }
        return value
    }

    private static func heading(_ page: Page) -> String {
        page.text.firstMatch(of: /<h1[^>]*>([^<]*)</).map { "“\($0.1)”" } ?? "no page"
    }

    private func open(
        _ method: HTTPMethod, _ path: String, fields: [String: String]?, cookies: inout [String: String]
    ) async throws -> Page {
        var (method, path, fields) = (method, path, fields)
        for _ in 0..<10 {
            var request = HTTPClientRequest(url: wallet + path)
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
            for cookie in response.headers["Set-Cookie"] {
                let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
            }
            guard response.status.code == 303, let next = response.headers.first(name: "Location") else {
                guard response.status.code == 200 else {
                    let page = Page(path: path, text: String(buffer: body))
                    throw CommandFailure(
                        .refused, code: "unexpected-answer", reason: "the wallet answered \(response.status.code), \(Self.heading(page))")
                }
                return Page(path: path, text: String(buffer: body))
            }
            (method, path, fields) = (.GET, next, nil)
        }
        throw CommandFailure(.refused, code: "page-differs", reason: "the wallet's pages lead in circles")
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
