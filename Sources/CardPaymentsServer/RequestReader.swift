import ApplePay
import BillfoldJSON

/// Reads request bodies, refusing with `malformed-request`.
typealias RequestReader = ClosedObjectReader<CardPaymentsError>

extension CardPaymentsError: RequestRefusal {
    package static func malformed(_ reason: String) -> Self { Self(code: .malformedRequest, reason: reason) }
}
