import BillfoldStorage

/// A public key that a merchant or an application had registered before. It verifies nothing any more: it says why a signature is refused,
/// for which the real gateway has the general code alone (alipay.md#failures).
struct FormerKey: Sendable, Hashable, Codable {
    /// DER, as it was registered.
    var key: [UInt8]
    /// When another was registered in its place.
    var endedAt: Timestamp

    /// The most that are kept of one merchant or application.
    static let most = 4
}

extension [FormerKey] {
    /// These and what ends now, without what is registered again, and no more than are kept.
    ///
    /// - Parameters:
    ///   - before: The keys that were registered until now.
    ///   - after: Those that are from now on.
    ///   - now: When they change.
    func following(_ before: [[UInt8]?], until after: [[UInt8]?], at now: Timestamp) -> [FormerKey]? {
        let registered = Set(after.compactMap { $0 })
        var ended = filter { !registered.contains($0.key) }
        for key in before.compactMap({ $0 }) where !registered.contains(key) && !ended.contains(where: { $0.key == key }) {
            ended.append(FormerKey(key: key, endedAt: now))
        }
        return ended.isEmpty ? nil : Array(ended.suffix(FormerKey.most))
    }
}
