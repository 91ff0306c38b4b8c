import BillfoldConcurrency

/// Values of documents that are read at every request, each decoded once for as long as its bytes stay the same.
///
/// The bytes are still read from the store each time and compared, so a change by anybody is seen at once.
public final class DecodedDocuments<Key: Hashable & Sendable, Value: Decodable & Sendable>: Sendable {
    private let known = Locked<[Key: (bytes: [UInt8], value: Value)]>([:])
    private let capacity: Int

    /// - Parameter capacity: The most values that are remembered; when one more comes, all are forgotten.
    public init(capacity: Int = 1_024) { self.capacity = capacity }

    /// The value of a document's bytes.
    ///
    /// - Parameters:
    ///   - name: Which document it is: a row's key.
    ///   - bytes: What the store holds of it now.
    /// - Throws: As ``JSONDocument/decode(_:_:)``.
    public func value(_ name: Key, _ bytes: [UInt8]) throws -> Value {
        if let last = known.withLock({ $0[name] }), last.bytes == bytes { return last.value }
        let value = try JSONDocument.decode(Value.self, bytes)
        known.withLock { known in
            if known.count >= capacity, known[name] == nil { known.removeAll(keepingCapacity: true) }
            known[name] = (bytes, value)
        }
        return value
    }
}
