import HTTPTypes
import NIOHTTP1

/// What a connection's limits refuse.
extension ServerError {
    static func bodyTooLarge(_ limit: Int) -> Self {
        Self(code: .bodyTooLarge, reason: "the body is larger than \(limit) bytes", status: .contentTooLarge)
    }

    static func unreadable(_ error: any Error) -> Self {
        if case .headerOverflow? = error as? HTTPParserError {
            return Self(code: .headersTooLarge, reason: "the header fields are too large", status: .requestHeaderFieldsTooLarge)
        }
        return Self(code: .malformedRequest, reason: "this is no HTTP request that can be read", status: .badRequest)
    }

    static func requestTimeout(_ limit: Duration) -> Self {
        Self(code: .requestTimeout, reason: "the body did not arrive within \(limit)", status: .requestTimeout)
    }

    static var stopping: Self {
        Self(
            code: .unavailable, reason: "this server stops, and the body had not come", status: .serviceUnavailable,
            headers: [.retryAfter: "1"])
    }

    static var stoppedMeanwhile: Self {
        Self(
            code: .deadlineExceeded, reason: "this server stops; what was begun goes on, so ask for its outcome before trying again",
            status: .serviceUnavailable)
    }

    static func headerTimeout(_ limit: Duration) -> Self {
        Self(code: .requestTimeout, reason: "the header did not arrive within \(limit)", status: .requestTimeout)
    }

    static func deadlineExceeded(_ limit: Duration) -> Self {
        Self(
            code: .deadlineExceeded,
            reason: "no answer within \(limit); what was begun goes on, so ask for its outcome before trying again",
            status: .serviceUnavailable)
    }
}
