package import PaymentCrypto

/// A card source that can be asked by a card's number too: for cards whose customers never opened the app, and for whatever changed.
package protocol CardDirectory: CardSource {
    /// The customer whose card has a number. `nil` where the processor says that none of its cards has it, which an answer that is missing
    /// never says: that is `processor-unavailable`, or `processor-answer`.
    ///
    /// - Parameter number: ASCII digits.
    func customer(ofCardNumbered number: SecretBytes) async throws -> String?

    /// Cards that changed behind a place in the processor's count, the earliest change first, each as it is now.
    ///
    /// - Parameter place: As an earlier answer named it; `nil` for the beginning.
    func changes(after place: String?) async throws -> CardChanges
}

/// What changed at the processor, or a part of it.
package struct CardChanges: Sendable {
    package var answer: SourceAnswer
    /// Where the next question begins.
    package var place: String
    /// Whether there is more already.
    package var hasMore: Bool

    package init(answer: SourceAnswer, place: String, hasMore: Bool) {
        self.answer = answer
        self.place = place
        self.hasMore = hasMore
    }
}
