import AsyncHTTPClient
import BillfoldSandbox
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import billfold

/// `billfold serve` with every role in one process, on free ports and a folder of its own.
struct ServedSandbox: Sendable {
    let merchant: String
    let console: String
    let sandbox: String
    let folder: String

    /// The shop's key at the merchant's server.
    func apiKey() throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: folder + "/api.key")), as: UTF8.self)
    }

    static func run(_ body: (ServedSandbox) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-sandbox-\(UUID())").path
        defer { for path in [folder, folder + ".log"] { try? FileManager.default.removeItem(atPath: path) } }
        let ports = try FreePorts.find(3)
        let addresses = ports.map { "127.0.0.1:\($0)" }
        let process = try PartyProcess(
            name: "all", executable: Program.path,
            arguments: [
                "serve", "--listen", addresses[0], "--console", addresses[1], "--sandbox", addresses[2], "--data", folder, "--log", "json",
            ], address: "http://\(addresses[0])", errors: folder + ".log")
        var isReady = false
        for _ in 0..<3_600 where !isReady && process.isRunning {
            isReady = (try? await TourClient.get(process.address + "/readyz"))?.status == 200
            if !isReady { try await Task.sleep(for: .milliseconds(50)) }
        }
        let result: (any Error)?
        do {
            try #require(isReady, "\(process.lastWords)")
            try await body(
                ServedSandbox(
                    merchant: "http://\(addresses[0])", console: "http://\(addresses[1])", sandbox: "http://\(addresses[2])", folder: folder
                ))
            result = nil
        } catch { result = error }
        await process.stop()
        if let result { throw result }
    }

    /// Waits until commands beside the server find it.
    func findable() async throws {
        for _ in 0..<200
        where !["addresses.json", "control.sock"].allSatisfy({ FileManager.default.fileExists(atPath: "\(folder)/\($0)") }) {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Waits until the merchant's server has taken over its changed keys so many times.
    func keysExchanged(times: Int) async throws {
        func count() -> Int {
            String(decoding: FileManager.default.contents(atPath: folder + ".log") ?? Data(), as: UTF8.self)
                .matches(of: /the keys were exchanged/).count
        }
        for _ in 0..<1_200 where count() < times { try await Task.sleep(for: .milliseconds(50)) }
        try #require(count() >= times)
    }

    /// Has the device do something from the next token on.
    func tell(_ knobs: WalletKnobs) async throws {
        #expect(try await TourClient.put("\(sandbox)/phone/wallet", knobs).status == 200)
    }

    /// Buys electronic goods on a new phone, to the last screen.
    func buy(product: String = "field-guide") async throws -> ShopperScript.Result {
        let script = ShopperScript(lines: [CartLine(product: product, quantity: 1)], card: "unionpay-credit", pin: "123456")
        let connection = HTTPMerchantConnection(origin: sandbox, client: .shared, limitSeconds: 60)
        return try await script.run(on: RemotePhone(opening: .ready, lines: script.lines, over: connection))
    }

    /// Makes an order as a merchant's own back end does, and returns its id.
    func placeOrder(reference: String) async throws -> String {
        struct Order: Decodable { var id: String }
        var request = HTTPClientRequest(url: merchant + "/v1/orders")
        request.method = .POST
        request.headers = [
            "Authorization": "Bearer \(try apiKey().trimmingCharacters(in: .whitespacesAndNewlines))", "Idempotency-Key": reference,
            "Content-Type": "application/json",
        ]
        request.body = .bytes(
            ByteBuffer(
                string: """
                    {"reference":"\(reference)","goods":"electronic","currency":"CNY","country":"CN","merchantName":"Own",
                     "lines":[{"label":"Song","unitAmount":"1.00","quantity":1}]}
                    """))
        let body = try await HTTPClient.shared.execute(request, timeout: .seconds(60)).body.collect(upTo: 65_536)
        return try JSONDecoder().decode(Order.self, from: Data(body.readableBytesView)).id
    }

    /// How many transactions the acquirer has booked.
    func booked() async throws -> Int {
        struct Orders: Decodable {
            struct Listed: Decodable {}
            var orders: [Listed]
        }
        return try await TourClient.get("\(sandbox)/unionpay/control/orders").read(Orders.self).orders.count
    }

    /// How many tokens the merchant has refused, by the code that the customer is not told.
    func refusals() async throws -> [String: Int] {
        let text = String(decoding: try await TourClient.get("\(console)/metrics").body, as: UTF8.self)
        var counts: [String: Int] = [:]
        for match in text.matches(of: /card_payments_tokens_refused_total\{code="([^"]+)"\} (\d+)/) {
            counts[String(match.1)] = Int(match.2)
        }
        return counts
    }
}
