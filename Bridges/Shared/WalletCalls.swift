import ApplePayApp
import Foundation

/// The four functions as a framework's bridge calls them: a card's id goes in; a value that the framework can carry comes out, or a refusal
/// with a stable code. What they mean is `WalletBridge`'s.
@MainActor
enum WalletCalls {
    /// Of the customer who is logged in. Set it after the log-in, and to nil at the log-out.
    static var bridge: WalletBridge?

    enum Function: String, CaseIterable {
        /// `{"state": 0, 1 or 2, "devices": […]}`.
        case showButton
        /// Whether the card is in the wallet of this device or of the watch.
        case containsCard
        /// The pass's state by device; 0 alone can pay.
        case activationState
        /// Begins: the wallet's screen, and how it ended.
        case addCard
    }

    struct Refusal: Error {
        var code: String
        var message: String
    }

    static func call(_ function: Function, card: String) async -> Result<Any, Refusal> {
        guard let bridge else { return .failure(Refusal(code: "not-logged-in", message: "no customer is logged in")) }
        let message = try? JSONSerialization.data(withJSONObject: ["call": function.rawValue, "card": card])
        let answer = await bridge.answer(String(decoding: message ?? Data(), as: UTF8.self))
        let read = (try? JSONSerialization.jsonObject(with: Data(answer.utf8))) as? [String: Any] ?? [:]
        if let result = read["result"] { return .success(result) }
        let error = read["error"] as? [String: String] ?? [:]
        return .failure(Refusal(code: error["code"] ?? "answer-malformed", message: error["message"] ?? ""))
    }
}

/// Carries what a framework hands in to the main actor.
// Unchecked: a reply may be called on any queue, and is called once; all else is handed in on the main thread and used there.
struct Carried<Value>: @unchecked Sendable {
    let value: Value
}
