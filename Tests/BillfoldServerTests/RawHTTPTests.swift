import BillfoldServer
import BillfoldServerTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

/// Malformed and hostile requests, byte by byte, and the status of each answer; none where the connection is closed without one.
@Suite(.serialized) struct RawHTTPTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var statuses: [Int]
        var testDescription: String { name }
    }

    /// `@` stands for the listener's own host with its port.
    private static func request(_ line: String, _ fields: [String] = ["Host: @"], _ body: String = "") -> String {
        ([line] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    private func nothing(_: Router<ServerRequestContext>) {}

    private static func get(_ fields: String...) -> String { request("GET /healthz HTTP/1.1", ["Host: @"] + fields) }

    private static func post(_ fields: String..., body: String = "") -> String {
        request("POST /healthz HTTP/1.1", ["Host: @"] + fields, body)
    }

    private static let second = request("GET /metrics HTTP/1.1")
    private static let long = String(repeating: "a", count: 20_000)

    private static let texts: [(String, String, [Int])] = [
        ("plain", get(), [200]),
        ("no host", request("GET /healthz HTTP/1.1", []), [403]),
        ("HTTP/1.0 without a host", request("GET /healthz HTTP/1.0", []), [403]),
        ("two hosts, own and foreign", get("Host: evil.example"), [400]),
        ("two hosts, foreign and own", request("GET /healthz HTTP/1.1", ["Host: evil.example", "Host: @"]), [400]),
        ("two hosts, twice the same", get("host: @"), [400]),
        ("foreign host", request("GET /healthz HTTP/1.1", ["Host: evil.example"]), [403]),
        ("host with a user", request("GET /healthz HTTP/1.1", ["Host: a@@"]), [403]),
        ("host with a suffix", request("GET /healthz HTTP/1.1", ["Host: 127.0.0.1.evil.example"]), [403]),
        ("host with a dot", request("GET /healthz HTTP/1.1", ["Host: localhost."]), [403]),
        ("host written short", request("GET /healthz HTTP/1.1", ["Host: 127.1"]), [403]),
        ("host as a mapped address", request("GET /healthz HTTP/1.1", ["Host: [::ffff:127.0.0.1]"]), [403]),
        ("absolute own target, foreign host", request("GET http://@/healthz HTTP/1.1", ["Host: evil.example"]), [403]),
        ("absolute own target, own host", request("GET http://@/healthz HTTP/1.1"), [200]),
        ("absolute own target, no host", request("GET http://localhost/healthz HTTP/1.1", []), [200]),
        ("absolute foreign target, own host", request("GET http://evil.example/healthz HTTP/1.1"), [400]),
        ("absolute foreign target, foreign host", request("GET http://evil.example/healthz HTTP/1.1", ["Host: evil.example"]), [400]),
        ("absolute target with a user", request("GET http://evil.example@@/healthz HTTP/1.1"), [400]),
        ("absolute target of another scheme", request("GET ftp://@/healthz HTTP/1.1"), [400]),
        ("absolute foreign target, query alone", request("GET http://evil.example?@ HTTP/1.1"), [400]),
        ("X-Forwarded-Host", get("X-Forwarded-Host: evil.example", "Forwarded: host=evil.example"), [200]),
        ("length and chunks", post("Content-Length: 4", "Transfer-Encoding: chunked", body: "0\r\n\r\n" + second), [400]),
        ("chunks and length", post("Transfer-Encoding: chunked", "Content-Length: 40", body: "0\r\n\r\n" + second), [400]),
        ("two lengths", post("Content-Length: 0", "Content-Length: 5", body: "hello"), [400]),
        ("list of lengths", post("Content-Length: 5, 5", body: "hello"), [400]),
        ("length with a plus", post("Content-Length: +5", body: "hello"), [400]),
        ("length below nothing", post("Content-Length: -1"), [400]),
        ("huge length", post("Content-Length: 99999999999999999999"), [400]),
        ("greatest length", post("Content-Length: 9223372036854775807"), [413]),
        ("coding xchunked", post("Transfer-Encoding: xchunked", body: "0\r\n\r\n"), [400]),
        ("coding chunked, identity", post("Transfer-Encoding: chunked, identity", body: "0\r\n\r\n"), [400]),
        ("coding with a space", post("Transfer-Encoding : chunked", body: "0\r\n\r\n"), [400]),
        ("coding with a tab", post("Transfer-Encoding:\tchunked", body: "0\r\n\r\n"), [405]),
        ("folded field", get("X-A: b\r\n c"), [400]),
        ("line feeds alone", get().replacing("\r\n", with: "\n"), [400]),
        ("bare return in a field", get("X-A: b\rX-B: c"), [400]),
        ("zero byte in a field", get("X-A: b\0c"), [400]),
        ("zero byte in the path", request("GET /a\0b HTTP/1.1"), [400]),
        ("chunk with an extension", post("Transfer-Encoding: chunked", body: "5;a=b\r\nhello\r\n0\r\n\r\n"), [405]),
        ("chunk of too great a size", post("Transfer-Encoding: chunked", body: "FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n"), [400]),
        ("chunks with line feeds alone", post("Transfer-Encoding: chunked", body: "5\nhello\n0\n\n"), [400]),
        ("chunk with 0x", post("Transfer-Encoding: chunked", body: "0x5\r\nhello\r\n0\r\n\r\n"), [400]),
        ("chunk below nothing", post("Transfer-Encoding: chunked", body: "-5\r\nhello\r\n0\r\n\r\n"), [400]),
        ("trailer", post("Transfer-Encoding: chunked", "Trailer: Host", body: "0\r\nHost: evil.example\r\n\r\n"), [405]),
        ("http in small letters", request("GET /healthz http/1.1"), [400]),
        ("HTTP/2.0", request("GET /healthz HTTP/2.0"), [400]),
        ("HTTP/1.9", request("GET /healthz HTTP/1.9"), [400]),
        ("prior knowledge of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]),
        ("CONNECT", request("CONNECT evil.example:443 HTTP/1.1"), [404]),
        ("OPTIONS of all", request("OPTIONS * HTTP/1.1"), [404]),
        ("TRACE", request("TRACE /healthz HTTP/1.1", ["Host: @", "Cookie: a=secret"]), [405]),
        ("up by dots", request("GET /assets/../../../../etc/passwd HTTP/1.1"), [404]),
        ("up by encoded dots", request("GET /assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd HTTP/1.1"), [404]),
        ("up by encoded slashes", request("GET /assets/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1"), [404]),
        ("double slash", request("GET //healthz HTTP/1.1"), [200]),
        ("bad escape", request("GET /%zz HTTP/1.1"), [404]),
        ("escapes that are no UTF-8", request("GET /%ff%fe HTTP/1.1"), [404]),
        ("long field", get("X-A: " + long), [431]),
        ("200 fields", get((0..<200).map { "X-\($0): a" }.joined(separator: "\r\n")), [431]),
        ("long path", request("GET /\(long) HTTP/1.1"), [431]),
        ("upgrade", get("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: AAAA"), [200]),
        ("expectation", post("Expect: 100-continue", "Content-Length: 5"), [405]),
        ("post of no origin", post("Origin: null", "Content-Length: 0"), [403]),
        ("read of a foreign origin", get("Origin: https://evil.example"), [403]),
        (
            "question of a foreign origin",
            request("OPTIONS /healthz HTTP/1.1", ["Host: @", "Origin: https://evil.example", "Access-Control-Request-Method: POST"]), [403]
        ),
    ]

    private static var cases: [Case] {
        let (before, after) = (Array("GET /".utf8), Array(" HTTP/1.1\r\nHost: @\r\n\r\n".utf8))
        return texts.map { Case(name: $0, bytes: Array($1.utf8), statuses: $2) } + [
            Case(name: "path that is no UTF-8", bytes: before + [0xff, 0xfe] + after, statuses: [400])
        ]
    }

    @Test(arguments: cases) func isAnswered(_ sent: Case) async throws {
        try await RunningServer.with(routes: nothing) { (server: RunningServer) async throws in
            let port = try #require(server.ports["public"])
            let own = Array("127.0.0.1:\(port)".utf8)
            // A user before the host is written with one sign more, and ends in the first of the two.
            var bytes: [UInt8] = []
            var rest = sent.bytes[...]
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "@"), rest.first != UInt8(ascii: "@") { bytes += own } else { bytes.append(byte) }
            }
            let answer = try await RawConnection.answers(port: port, bytes: bytes, due: sent.statuses.count)
            let statuses = answer.matches(of: RawConnection.statusLine).compactMap { Int($0.1) }
            #expect(statuses == sent.statuses, "\(answer.prefix(400))")
        }
    }

    /// Java's own client asks each server for HTTP/2, and sends its next request on a connection that does not say that it ends.
    @Test(arguments: ["h2c", "websocket"]) func aConnectionThatEndsBehindAnUpgradeSaysSo(protocol name: String) async throws {
        try await RunningServer.with(routes: nothing) { (server: RunningServer) async throws in
            let port = try #require(server.ports["public"])
            for (fields, ends) in [("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: \(name)\r\n", true), ("", false)] {
                let bytes = Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n".utf8)
                let answer = try await RawConnection.answers(port: port, bytes: bytes, due: 1)
                #expect(answer.hasPrefix("HTTP/1.1 200") && answer.lowercased().contains("\r\nconnection: close\r\n") == ends, "\(answer)")
            }
        }
    }

    /// Each has its answer, and the connection goes on (RFC 9112 section 9.3.2); how many are too many is in `RequestLimitTests`.
    @Test func fortyRequestsAhead() async throws {
        try await RunningServer.with(routes: nothing) { (server: RunningServer) async throws in
            let port = try #require(server.ports["public"])
            let bytes = Array(String(repeating: "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 40).utf8)
            let answer = try await RawConnection.answers(port: port, bytes: bytes, due: 40)
            let statuses = answer.matches(of: RawConnection.statusLine).map(\.1)
            #expect(statuses.count == 40 && statuses.allSatisfy { $0 == "200" })
            #expect(!answer.lowercased().contains("connection: close"))
        }
    }
}

extension RawConnection {
    /// What the peer says to some bytes until it closes, or for a moment after as many answers as are due.
    fileprivate static func answers(port: Int, bytes: [UInt8], due: Int) async throws -> String {
        let connection = try await open(port: port)
        return try await connection.channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: bytes))
            let channel = connection.channel.channel
            return try await withThrowingTaskGroup(of: Void.self) { group in
                // What is due has time on a busy machine.
                group.addTask {
                    try await Task.sleep(for: due == 0 ? .milliseconds(400) : .seconds(10))
                    try? await channel.close()
                }
                var received = ""
                do {
                    for try await buffer in inbound {
                        received += String(buffer: buffer)
                        guard due > 0, received.matches(of: Self.statusLine).count >= due else { continue }
                        // What is too much comes right behind it.
                        group.addTask {
                            try await Task.sleep(for: .milliseconds(200))
                            try? await channel.close()
                        }
                    }
                } catch is IOError {}
                group.cancelAll()
                return received
            }
        }
    }

    fileprivate static var statusLine: Regex<(Substring, Substring)> { #/HTTP\/1\.1 ([0-9]{3})/# }
}
