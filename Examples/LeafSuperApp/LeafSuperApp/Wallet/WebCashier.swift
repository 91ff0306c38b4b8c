import AppContainer
import BillfoldJSON
import UIKit
import WalletAPI

/// The wallet's cashier in the browser.
///
/// The app opens the cashier's session itself and asks it how it ended. What the address of the way back says is not believed: anybody can
/// write one.
struct WebCashier: WalletCashier {
    let server: WalletServer
    let returns: Returns
    let scheme: String

    func pays(_ order: CashierOrder, in context: IAPWalletAPIContext?) async throws -> PaymentEnding {
        let session: String
        switch order {
        case .orderString(let text): session = try await opened(["order": text])
        case .tradeNumber(let number): session = try await opened(["tradeNO": number])
        case .paymentURL(let address):
            // A page of somebody else's would only look like the cashier.
            guard let path = Self.session(address.text, of: server.origin) else {
                throw WalletFailure(.appServiceError, "paymentUrl is no page of the wallet's cashier")
            }
            session = path
        }
        let before = await returns.count
        if let page = URL(string: server.origin + session), await UIApplication.shared.open(page) { await returns.next(after: before) }
        return await ending(of: session)
    }

    /// Opens a session of the cashier. Throws only while nothing could have been paid.
    private func opened(_ fields: [String: String]) async throws -> String {
        var form = URLComponents()
        form.queryItems = fields.merging(["scheme": scheme]) { first, _ in first }.map { URLQueryItem(name: $0.key, value: $0.value) }
        // A form's plus is a space.
        let text = (form.percentEncodedQuery ?? "").replacingOccurrences(of: "+", with: "%2B")
        let answer: RequestingHost.Response
        do { answer = try await post("/cashier", text) } catch { throw WalletFailure(.systemError, "the wallet does not answer") }
        let place = answer.headers.first { $0.name == "location" }?.value ?? ""
        guard answer.status == 303, let session = Self.session(place, of: "") else {
            throw WalletFailure(.appServiceError, "the cashier does not take the order")
        }
        return session
    }

    /// How the session ended. It is closed, so that nothing is paid in it later; a payment that is under way goes on, and its end is not
    /// known here.
    private func ending(of session: String) async -> PaymentEnding {
        guard let answer = try? await post("\(session)/closing", ""), answer.status == 200,
            let status = try? JSONReader.readObject(answer.body, maximumBytes: 262_144)["resultStatus"]?.string
        else { return .unknown }
        return PaymentEnding(rawValue: status) ?? .unknown
    }

    private func post(_ path: String, _ form: String) async throws -> RequestingHost.Response {
        try await server.exchange("POST", path, as: nil, Array(form.utf8), type: "application/x-www-form-urlencoded")
    }

    /// The path of a session's first page: `/cashier/` and a token, nothing behind it.
    private static func session(_ address: String, of origin: String) -> String? {
        guard address.hasPrefix(origin + "/cashier/") else { return nil }
        let path = String(address.dropFirst(origin.count))
        let token = path.dropFirst("/cashier/".count)
        return !token.isEmpty && token.allSatisfy(\.isHexDigit) ? path : nil
    }
}

/// Counts how often the app came back to the front, by a link or without one: whoever sent the person away waits for the next time.
@MainActor
final class Returns {
    private(set) var count = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func cameToFront() {
        count += 1
        for each in waiting { each.resume() }
        waiting = []
    }

    func next(after count: Int) async {
        guard self.count == count else { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
