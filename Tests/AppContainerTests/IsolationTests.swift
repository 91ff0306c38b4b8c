import AppContainer
import BillfoldJSON
import Foundation
import MiniPrograms
import Synchronization
import Testing

/// A server in memory that keeps what it was asked.
final class FakeServer: Sendable {
    private let seen = Mutex<[RequestingHost.Request]>([])
    private let answers: @Sendable (RequestingHost.Request) throws -> RequestingHost.Response

    init(_ answers: @escaping @Sendable (RequestingHost.Request) throws -> RequestingHost.Response) { self.answers = answers }

    var requests: [RequestingHost.Request] { seen.withLock { $0 } }

    func answer(_ request: RequestingHost.Request) throws -> RequestingHost.Response {
        seen.withLock { $0.append(request) }
        return try answers(request)
    }
}

/// What one mini program must not learn of another, and where its requests may go (mini-programs.md#domains, mini-programs.md#isolation).
struct IsolationTests {
    private let list = DomainList(["api.example", "*.cdn.example"])

    /// Runs a page that asks a server, until it has logged so often.
    private func ask(
        _ body: String, _ server: FakeServer, cookies: MiniProgramCookies = MiniProgramCookies(), app: String = "app",
        user: String = "user",
        logs: Int = 1
    ) async throws -> [String] {
        let screen = Witness()
        var setup = setup("Page({ async onLoad() { \(body) } })", screen)
        setup.identity = MiniProgramIdentity(appID: app, userID: user)
        setup.grant.requestDomains = list
        setup.host = RequestingHost(domains: list, cookies: cookies, now: { 1_000 }, screen: screen) { try server.answer($0) }
        let program = MiniProgram(setup)
        program.launch()
        #expect(await screen.wait { $0.logs.count >= logs || !$0.errors.isEmpty })
        program.end()
        return screen.logs
    }

    private let request = "console.log((await my.request({ url: 'https://api.example/a', enableCookie: true })).status);"

    @Test func cookiesOfOneMiniProgramOrUserNeverReachAnother() async throws {
        let server = FakeServer { _ in .init(status: 200, headers: [("set-cookie", "sid=s3cret; Path=/; HttpOnly")], body: Array("{}".utf8))
        }
        let cookies = MiniProgramCookies()
        #expect(try await ask(request + request, server, cookies: cookies, logs: 2) == ["200", "200"])
        #expect(try await ask(request, server, cookies: cookies, app: "other") == ["200"])
        #expect(try await ask(request, server, cookies: cookies, user: "another") == ["200"])
        #expect(try await ask(request, server, cookies: cookies) == ["200"])
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, "sid=s3cret", nil, nil, "sid=s3cret"])
        cookies.clear(.init(user: "user", app: "app"))
        #expect(try await ask(request, server, cookies: cookies) == ["200"])
        #expect(server.requests.last?.headers["cookie"] == nil)
    }

    @Test func scriptNeitherReadsNorWritesCookies() async throws {
        let server = FakeServer { _ in .init(status: 200, headers: [("set-cookie", "sid=1"), ("x-a", "b")], body: Array("{}".utf8)) }
        let body = """
            const r = await my.request({ url: 'https://api.example/', headers: { Cookie: 'sid=forged', HOST: 'evil', 'X-Own': '1' }, enableCookie: true })
            console.log(JSON.stringify(r.headers))
            """
        #expect(try await ask(body, server) == [#"{"x-a":"b"}"#])
        #expect(server.requests.first?.headers == ["content-type": "application/json", "x-own": "1"])
    }

    @Test func redirectOffTheListIsNeverFollowed() async throws {
        let server = FakeServer { request in
            switch request.address.path() {
            case "/out": .init(status: 302, headers: [("location", "https://evil.example/take")])
            case "/in": .init(status: 307, headers: [("location", "//img.cdn.example/x")])
            case "/loop": .init(status: 301, headers: [("location", "/loop")])
            default: .init(status: 200, body: Array(#"{"a":1}"#.utf8))
            }
        }
        let body = """
            for (const p of ['out', 'in', 'loop']) { try { const r = await my.request({ url: 'https://api.example/' + p, method: 'POST', data: { k: 1 }, headers: { Authorization: 't' } })
              console.log(r.data.a) } catch (e) { console.log(e.error) } }
            """
        #expect(try await ask(body, server, logs: 3) == ["11", "1", "12"])
        #expect(!server.requests.contains { $0.address.host() == "evil.example" })
        let followed = try #require(server.requests.first { $0.address.host() == "img.cdn.example" })
        #expect(followed.method == "POST" && followed.body == Array(#"{"k":1}"#.utf8) && followed.headers["authorization"] == nil)
        #expect(server.requests.count == 1 + 2 + 6, "five redirects are followed")
    }

    @Test func requestsHaveTheirFormsAndFailuresTheirCodes() async throws {
        let server = FakeServer { request in
            switch request.address.path() {
            case "/late": throw RequestingHost.NoAnswer.timedOut
            case "/down": throw RequestingHost.NoAnswer.network
            case "/text": .init(status: 200, body: Array("no json".utf8))
            case "/gone": .init(status: 404, body: Array("gone".utf8))
            default: .init(status: 200, body: Array("{}".utf8))
            }
        }
        let body = """
            const u = 'https://api.example'
            for (const p of ['/late', '/down', '/text', '/gone']) { try { await my.request({ url: u + p }) } catch (e) { console.log(e.error, e.status, e.data) } }
            await my.request({ url: u + '/get?z=0', data: { a: '1 2', b: 3 } })
            await my.request({ url: u + '/form', method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, data: { a: '1+2' } })
            console.log((await my.request({ url: u + '/text', dataType: 'base64' })).data)
            try { await my.request({ url: u + '/x', method: 'CONNECT' }) } catch (e) { console.log(e.error) }
            """
        let logs = try await ask(body, server, logs: 6)
        #expect(
            logs == ["13 undefined undefined", "12 undefined undefined", "14 undefined undefined", "19 404 gone", "bm8ganNvbg==", "2"]
                || logs == ["13  ", "12  ", "14  ", "19 404 gone", "bm8ganNvbg==", "2"], "\(logs)")
        let asked = server.requests.map {
            "\($0.method) \($0.address.path())?\($0.address.query() ?? "") \(String(decoding: $0.body, as: UTF8.self))"
        }
        #expect(asked.contains("GET /get?z=0&a=1%202&b=3 "), "\(asked)")
        #expect(asked.contains("POST /form? a=1%2B2"), "\(asked)")
    }

    @Test(arguments: [
        ("sid=1", "https://api.example/a/b", "https://api.example/a/c", "sid=1"),
        ("sid=1", "https://api.example/a/b", "https://api.example/x", nil),
        ("sid=1; Path=/", "https://api.example/a/b", "https://api.example/x", "sid=1"),
        ("sid=1; Domain=example; Path=/", "https://api.example/", "https://other.example/", nil),
        ("sid=1; Secure; Path=/", "https://api.example/", "http://api.example/", nil),
        ("sid=1; Secure; Path=/", "http://api.example/", "https://api.example/", nil),
        ("sid=1; Path=/; Max-Age=0", "https://api.example/", "https://api.example/", nil),
        ("sid=1; Path=/; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "https://api.example/", "https://api.example/", "sid=1"),
        ("sid=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "https://api.example/", "https://api.example/", nil),
        ("sid=1; Path=/; Expires=Fri, 31-Dec-2038 23:59:59 GMT", "https://api.example/", "https://api.example/", "sid=1"),
        ("sid=1; Path=/ap", "https://api.example/", "https://api.example/api", nil),
        ("nonsense", "https://api.example/", "https://api.example/", nil),
        ("a=\u{1}", "https://api.example/", "https://api.example/", nil),
    ])
    func cookieGoesWhereItBelongs(header: String, from: String, to: String, expected: String?) throws {
        let cookies = MiniProgramCookies()
        let place = MiniProgramIdentity.Partition(user: "u", app: "a")
        cookies.take([header], from: try #require(URL(string: from)), at: 1_000, for: place)
        #expect(cookies.header(for: try #require(URL(string: to)), at: 1_001, of: place) == expected)
    }

    @Test func storageOfOneMiniProgramOrUserIsNothingToAnother() async throws {
        let store = MemoryMiniProgramStore()
        func read(app: String, user: String, _ body: String) async throws -> [String] {
            let host = Witness()
            let program = try started("Page({ onLoad() { \(body) } })", host) {
                $0.store = store
                $0.identity = MiniProgramIdentity(appID: app, userID: user)
            }
            #expect(await host.wait { !$0.logs.isEmpty })
            program.end()
            return host.logs
        }
        // What the script says of itself counts for nothing.
        let look =
            "console.log(my.getStorageSync({ key: 'k', appId: 'app', user: 'user', partition: 'app' }).data, my.getStorageInfoSync().keys.length)"
        #expect(try await read(app: "app", user: "user", "my.setStorageSync({ key: 'k', data: 'mine' }); " + look) == ["mine 1"])
        #expect(try await read(app: "other", user: "user", look) == ["null 0"])
        #expect(try await read(app: "app", user: "another", look) == ["null 0"])
        #expect(try await read(app: "other", user: "user", "my.clearStorageSync(); " + look) == ["null 0"])
        #expect(try await read(app: "app", user: "user", look) == ["mine 1"])
    }
}
