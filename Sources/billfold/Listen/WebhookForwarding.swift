import AsyncHTTPClient
import BillfoldDiagnosis
import BillfoldServer
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import PaymentCrypto

/// Hands events to a program of the developer's own, signed as a webhook is (Standard Webhooks 1.0): the program's verifier works as it
/// will with an endpoint.
struct WebhookForwarding: Sendable {
    /// Waits between attempts. What is not taken by then is passed over: this is no endpoint with a schedule.
    static let waits: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
    private static let prefix = "whsec_"

    let url: String
    private let key: SymmetricKey
    private let client: HTTPClient

    /// - Parameters:
    ///   - url: Where events go, over HTTP or HTTPS.
    ///   - secret: `whsec_` and base64, as the receiver's library takes it.
    /// - Throws: `usage` for an address or a secret that is none.
    init(to url: String, secret: String, client: HTTPClient) throws {
        try Self.check(address: url)
        guard secret.hasPrefix(Self.prefix), let bytes = try? StrictBase64.decode(String(secret.dropFirst(Self.prefix.count))),
            (24...64).contains(bytes.count)
        else { throw CommandFailure.usage("a webhook's secret is whsec_ and 24 to 64 bytes in base64") }
        self.url = url
        self.client = client
        key = SymmetricKey(data: bytes)
    }

    /// Refuses with `usage` what is no address to forward to.
    static func check(address url: String) throws(CommandFailure) {
        guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme), parts.host?.isEmpty == false,
            parts.user == nil
        else { throw CommandFailure.usage("'\(url)' is no address to forward to, such as http://localhost:3000/hook") }
    }

    static func secret(_ bytes: [UInt8]) -> String { prefix + StrictBase64.encode(bytes) }

    /// The header fields of one attempt.
    ///
    /// - Parameters:
    ///   - id: The event's, which is the same in every attempt.
    ///   - seconds: The time of the attempt since 1970.
    ///   - body: What is sent, byte for byte.
    func fields(id: String, at seconds: Int64, body: [UInt8]) -> HTTPHeaders {
        let code = HMAC<SHA256>.authenticationCode(for: Array("\(id).\(seconds).".utf8) + body, using: key)
        return [
            "Content-Type": "application/json", "webhook-id": id, "webhook-timestamp": String(seconds),
            "webhook-signature": "v1," + StrictBase64.encode(Array(code)),
        ]
    }

    /// Sends an event until it is taken with a 2xx, and says what came of it.
    ///
    /// - Parameter now: Seconds since 1970, at each attempt.
    func forward(id: String, body: [UInt8], now: @Sendable () -> Int64, say: @Sendable (String) -> Void) async throws {
        for (number, wait) in ([.zero] + Self.waits).enumerated() {
            if number > 0 { try await Task.sleep(for: wait) }
            let start = ContinuousClock.now
            let outcome = try await attempt(id: id, body: body, at: now())
            let took = (ContinuousClock.now - start) / .milliseconds(1)
            say("  → \(outcome.text) in \(Int(took)) ms")
            if outcome.isTaken { return }
        }
        say("  → given up after \(Self.waits.count + 1) attempts: the server's own record of the event stays")
    }

    /// Sends it once, and says what came of that.
    func attempt(id: String, body: [UInt8], at seconds: Int64) async throws -> (text: String, isTaken: Bool) {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = fields(id: id, at: seconds, body: body)
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await client.execute(request, timeout: .seconds(15))
            _ = try? await response.body.collect(upTo: 65_536)
            return (String(response.status.code), (200..<300).contains(response.status.code))
        } catch let error as CancellationError {
            throw error
        } catch {
            // In the words of the server's own record of a delivery.
            let failure = AsyncHTTPSender.failure(of: error, host: place)
            return ("\(failure.code): \(failure.reason)", false)
        }
    }

    /// Where the program should listen, for people.
    private var place: String {
        let parts = URLComponents(string: url)
        return (parts?.host ?? url) + (parts?.port.map { ":\($0)" } ?? "")
    }
}
