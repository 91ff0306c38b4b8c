import Alipay

/// What the open platform answers instead of a result (alipay.md#reply-codes) [D].
struct ModernRefusal: Error, Sendable, Hashable {
    var failure: ModernFailure
    /// Business failures are signed; those of the gateway itself usually are not [O].
    var isSigned = false

    static func missing(_ name: String) -> Self { Self(failure: .missing(name)) }
    static func invalid(_ name: String, _ reason: String) -> Self { Self(failure: .invalid(name, reason)) }

    static let limited = Self(
        failure: .limited("isv.app-call-limited", "too many calls of this application: wait and call again"))
    static let unavailable = Self(failure: .unavailable("aop.unknow-error"))

    static func business(_ refusal: TradeRefusal) -> Self {
        guard refusal.code == .tooSoon else { return business(refusal.subCode, refusal.reason) }
        return Self(failure: .limited(refusal.subCode, refusal.reason), isSigned: true)
    }

    static func business(_ subCode: String, _ reason: String) -> Self { Self(failure: .business(subCode, reason), isSigned: true) }
}
