import BillfoldConcurrency

/// Intermediates that were verified up to a pinned root, by their bytes.
///
/// Verifying the root's P-384 signature is most of an uncached token check. Only accepted chains enter, so strangers cannot
/// fill it; it is bounded all the same. Validity and every other rule are checked again at each use. Safe to share
/// among threads.
public final class VerifiedIntermediateCache: Sendable {
    struct Entry: Sendable {
        var certificate: ParsedCertificate
        /// The rest of the path above it, and the anchor under which it was verified.
        var above: [ParsedCertificate]
        var anchor: TrustAnchor
    }

    private struct State {
        var entries: [CertificateBytes: Entry] = [:]
        var order: [CertificateBytes] = []
    }

    /// The most entries; the oldest one leaves first.
    public let capacity: Int
    private let state = Locked(State())

    public init(capacity: Int = 64) { self.capacity = max(0, capacity) }

    public var count: Int { state.withLock { $0.entries.count } }

    /// Forgets everything, as when anchors change.
    public func removeAll() { state.withLock { $0 = State() } }

    func entry(_ der: [UInt8]) -> Entry? { state.withLock { $0.entries[CertificateBytes(der)] } }

    /// Remembers the intermediates of an accepted path.
    func remember(_ path: CertificatePath) {
        guard capacity > 0, let anchor = path.anchor, path.verifiedFrom > 1 else { return }
        state.withLock { state in
            for index in path.certificates.indices.dropFirst() {
                let certificate = path.certificates[index]
                let key = CertificateBytes(certificate.der)
                guard state.entries[key] == nil else { continue }
                if state.order.count == capacity { state.entries[state.order.removeFirst()] = nil }
                state.order.append(key)
                state.entries[key] = Entry(
                    certificate: certificate, above: Array(path.certificates[(index + 1)...]), anchor: anchor)
            }
        }
    }
}
