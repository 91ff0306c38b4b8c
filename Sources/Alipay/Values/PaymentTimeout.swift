/// How long an order may stay unpaid: `it_b_pay` and `timeout_express`.
///
/// Source: alipay.md#payment-time [D]: an integer with `m`, `h` or `d` from 1m to 15d, or `1c`; no decimals. The clock starts when the
/// trade is made.
public enum PaymentTimeout: Sendable, Hashable, CustomStringConvertible {
    case minutes(Int)
    case hours(Int)
    case days(Int)
    /// `1c`: the trade closes at the midnight that ends the day on which the order was made, in China.
    case endOfDay

    /// Fifteen days, the longest and, in one text, the default [D].
    public static let longest = PaymentTimeout.days(15)

    /// `invalid-parameter` outside the grammar.
    public init(_ text: String) throws(AlipayError) {
        if text == "1c" {
            self = .endOfDay
            return
        }
        let digits = text.dropLast()
        guard let unit = text.last, (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.first != "0", let count = Int(digits)
        else { throw Self.refused }
        switch unit {
        case "m" where count <= 15 * 1440: self = .minutes(count)
        case "h" where count <= 15 * 24: self = .hours(count)
        case "d" where count <= 15: self = .days(count)
        default: throw Self.refused
        }
    }

    private static var refused: AlipayError {
        AlipayError(code: .invalidParameter, reason: "a timeout is a whole number of m, h or d from 1m to 15d, or 1c")
    }

    public var description: String {
        switch self {
        case .minutes(let count): "\(count)m"
        case .hours(let count): "\(count)h"
        case .days(let count): "\(count)d"
        case .endOfDay: "1c"
        }
    }

    /// When a trade that was made then closes.
    public func end(of start: AlipayTime) -> AlipayTime {
        switch self {
        case .minutes(let count): start.adding(seconds: Int64(count) * 60)
        case .hours(let count): start.adding(seconds: Int64(count) * 3600)
        case .days(let count): start.adding(seconds: Int64(count) * 86_400)
        case .endOfDay: start.endOfDay
        }
    }
}
