public import BillfoldStorage

/// Makes ids that are known again as ours when their rows are lost: their last 32 bits are a keyed hash of the rest and of the owner.
///
/// An id that is known and has no row stood for something once, perhaps for money that was sent: its absence says nothing. One that is not
/// known was never given to this owner, up to a chance of one in four thousand million.
public struct IssuedIdentifiers: Sendable {
    private struct OneWord: RandomNumberGenerator {
        let word: UInt64
        func next() -> UInt64 { word }
    }

    private static let tail = 12..<16

    private let key: HashingKey
    private let source: IdentifierSource

    public init(key: HashingKey, source: IdentifierSource) {
        self.key = key
        self.source = source
    }

    /// A new id, which ``haveIssued(_:to:)`` knows again for this owner alone.
    public func next(at instant: Timestamp, for owner: MerchantID) -> TimeOrderedID { make(source.bits(), at: instant, owner) }

    /// The id of an intent: the same for the same intent and instant, whoever asks and whatever was lost since.
    public func id(ofIntent intent: [UInt8], at instant: Timestamp, for owner: MerchantID) -> TimeOrderedID {
        let hash = KeyedHash(of: Array(owner.description.utf8) + [0] + intent, purpose: "intent", key: key)
        return make(hash.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, at: instant, owner)
    }

    /// Whether the id was made here for the owner.
    public func haveIssued(_ id: TimeOrderedID, to owner: MerchantID) -> Bool {
        id.bytes[Self.tail].elementsEqual(mark(id.bytes, owner))
    }

    private func make(_ word: UInt64, at instant: Timestamp, _ owner: MerchantID) -> TimeOrderedID {
        var random = OneWord(word: word)
        let bare = TimeOrderedID(at: instant, using: &random)
        // The version and the variant lie before the tail, so the bytes are an id still.
        return (try? TimeOrderedID(bytes: bare.bytes[..<Self.tail.lowerBound] + mark(bare.bytes, owner))) ?? bare
    }

    private func mark(_ bytes: [UInt8], _ owner: MerchantID) -> ArraySlice<UInt8> {
        KeyedHash(
            of: Array(owner.description.utf8) + [0] + bytes[..<Self.tail.lowerBound], purpose: "issued-id", key: key
        ).bytes.prefix(Self.tail.count)
    }
}
