import ApplePay
import BillfoldJSON
import BillfoldStorage
import Foundation

/// Reads request bodies, refusing with `malformed-request`.
typealias RequestReader = ClosedObjectReader<ProvisioningError>

extension ProvisioningError: RequestRefusal {
    package static func malformed(_ reason: String) -> Self { Self(code: .malformedRequest, reason: reason) }
}

extension Timestamp {
    var date: Date { Date(timeIntervalSince1970: TimeInterval(microseconds) / 1_000_000) }
    /// As every message of ours carries instants.
    var milliseconds: Int64 { microseconds / 1_000 }
}
