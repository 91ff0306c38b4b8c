import BillfoldConcurrency
import Foundation
import X509

/// Remembers by their text the signing certificates whose chain was checked, each for as long as the check would pass again:
/// every message of the acquirer carries the same one.
///
/// Only certificates that passed are kept, and few of them, so a stranger's messages cannot fill it.
final class KnownSigners: Sendable {
    private static let capacity = 8
    private let known = Locked<[(pem: String, certificate: Certificate, validity: ClosedRange<Date>)]>([])

    func certificate(pem: String, at instant: Date, trust: UnionPayTrust) throws(UnionPayError) -> Certificate {
        if let found = known.withLock({ $0.first { $0.pem == pem && $0.validity.contains(instant) } }) { return found.certificate }
        let (certificate, validity) = try trust.checkedSigner(pem: pem, at: instant)
        known.withLock { known in
            known.removeAll { $0.pem == pem }
            if known.count == Self.capacity { known.removeFirst() }
            known.append((pem, certificate, validity))
        }
        return certificate
    }
}
