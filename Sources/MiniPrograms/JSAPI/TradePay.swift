public import BillfoldJSON

/// The codes in the success of `my.tradePay` (mini-programs.md#tradepay). All of them arrive in success; fail is for faults of the call
/// alone [O].
public enum TradePayResultCode: String, Sendable, CaseIterable {
    /// The wallet says paid. The merchant ships when its server knows.
    case paid = "9000"
    /// Being processed. The merchant's server asks until it knows.
    case processing = "8000"
    /// Failed; no money moved.
    case failed = "4000"
    /// The person cancelled.
    case cancelled = "6001"
    /// No network, and nobody can tell at which moment: the payment may exist all the same (mini-programs.md#tradepay [D]). Ask.
    case networkError = "6002"
    /// Sent and not answered: it may have succeeded. Ask; never pay again as new, never call it failed.
    case unknown = "6004"
    /// Left by "forgot password" (iOS, China).
    case leftForPassword = "99"

    /// Reads a code as a stranger wrote it. One that nobody documented is ``unknown``: money may have moved.
    public init(reading text: String) { self = Self(rawValue: text) ?? .unknown }

    /// Whether the payment's end is known to the client. ``paid`` too is believed only by the merchant's server.
    public var isSettled: Bool { self != .processing && self != .unknown && self != .networkError }

    /// Said with codes that are not final, so that no shop takes them for an end (mini-programs.md#failures).
    public var memo: String? { isSettled ? nil : "not final: ask the server" }

    /// What a script's success gets: the code is a text.
    public var object: JSONObject {
        var object = JSONObject([.init("resultCode", .string(rawValue))])
        object["memo"] = memo.map { .string($0) }
        return object
    }
}

/// What `my.tradePay` is asked: exactly one of three (mini-programs.md#paymentservice, mini-programs.md#tradepay).
public enum TradePayOrder: Sendable, Hashable {
    /// At most 64 characters.
    case tradeNumber(String)
    case orderString(String)
    case paymentURL(String)

    /// Reads the arguments, checked before by ``JSAPICatalogue``. Error 2 for none, several or a misspelt name, which it names.
    public init(_ arguments: JSONObject) throws(JSAPIFailure) {
        let names = ["tradeNO", "orderStr", "paymentUrl"]
        let given = names.filter { arguments[$0]?.string?.isEmpty == false }
        guard given.count == 1, let value = arguments[given[0]]?.string else {
            if given.count > 1 {
                throw JSAPIFailure(
                    .invalidParameter,
                    "tradePay takes one of \(names.joined(separator: ", ")), and not \(given.joined(separator: " with "))")
            }
            let near = arguments.members.compactMap { member in
                names.first { $0.lowercased() == member.key.lowercased() && $0 != member.key }
            }.first
            throw JSAPIFailure(
                .invalidParameter,
                "tradePay needs one of \(names.joined(separator: ", "))" + (near.map { ": write \($0) with these letters" } ?? ""))
        }
        switch given[0] {
        case "tradeNO":
            guard value.unicodeScalars.count <= 64 else {
                throw JSAPIFailure(.invalidParameter, "tradePay: tradeNO has more than 64 characters")
            }
            self = .tradeNumber(value)
        case "orderStr": self = .orderString(value)
        default: self = .paymentURL(value)
        }
    }
}
