import ApplePay

/// Something that the device can be told to do, under a name: a setting of the knobs that is worth playing.
package struct WalletBehaviour: Sendable, Hashable, Codable {
    package var name: String
    /// For people, in a few words.
    package var title: String
    /// Whether a correct merchant takes the payment.
    package var isAccepted: Bool
    package var knobs: WalletKnobs

    private init(_ name: String, _ title: String, isAccepted: Bool = false, _ change: (inout WalletKnobs) -> Void) {
        var knobs = WalletKnobs()
        change(&knobs)
        (self.name, self.title, self.isAccepted, self.knobs) = (name, title, isAccepted, knobs)
    }

    /// What is genuine, if unusual, and then what a merchant refuses.
    package static let all: [WalletBehaviour] = [
        .init("genuine", "Makes a genuine token", isAccepted: true) { _ in },
        .init("merchant-token", "Adds a merchant token identifier", isAccepted: true) { $0.merchantToken = true },
        .init("pin-block", "Adds a PIN block without being asked", isAccepted: true) { $0.pinBlock = true },
        .init("no-pin-block", "Leaves the PIN block out", isAccepted: true) { $0.pinBlock = false },
        .init("embedded-content", "Repeats the content inside the signature", isAccepted: true) { $0.tokenFlaws = [.embeddedContent] },
        .init("leading-zero-secret", "Agrees on a secret that starts with zero", isAccepted: true) { $0.tokenFlaws = [.leadingZeroSecret] },
        .init("upper-case-identifier", "Writes the transaction in upper case", isAccepted: true) {
            $0.tokenFlaws = [.upperCaseTransactionIdentifier]
        },
        .init("bundled-root", "Sends the genuine root along", isAccepted: true) { $0.tokenFlaws = [.bundledRoot] },

        .init("replayed", "Hands over the last token again") { $0.replaysLastToken = true },
        .init("stale", "Signed an hour ago") { $0.signingTimeOffsetSeconds = -3_600 },
        .init("future", "Signed in an hour") { $0.signingTimeOffsetSeconds = 3_600 },
        .init("other-order", "Bound to another order") { $0.applicationData = .otherOrder },
        .init("no-order", "Bound to no order") { $0.applicationData = .none },
        .init("lower-amount", "Holds a lower amount") { $0.amountOffset = -100 },
        .init("other-currency", "Holds another currency") { $0.currencyCode = "840" },
        .init("three-d-secure", "Holds 3-D Secure data for a UnionPay card") { $0.paymentData = .threeDSecure },
        .init("foreign-root", "Signed under a root of its own, sent along") { $0.foreignRoot = true },
        .init("rogue-root", "Signed under a root that only has the right name") { $0.chainFlaws = [.rogueRoot] },
        .init("unmarked-leaf", "Signed by a certificate for something else") { $0.chainFlaws = [.leafWithoutMarker] },
        .init("expired-leaf", "Signed by an expired certificate") { $0.chainFlaws = [.leafExpired] },
        .init("no-signature", "Signature stripped") { $0.tokenFlaws = [.noSignature] },
        .init("foreign-signature", "Signed by another key") { $0.tokenFlaws = [.signedByStranger] },
        .init("flipped-signature", "One bit of the signature changed") { $0.tokenFlaws = [.flippedSignature] },
        .init("other-content", "Signature of something else") { $0.tokenFlaws = [.embeddedOtherContent] },
        .init("substituted-key", "Key and data replaced after signing") { $0.tokenFlaws = [.substitutedKey] },
        .init("flipped-data", "One bit of the data changed") { $0.tokenFlaws = [.flippedData] },
        .init("flipped-tag", "One bit of the tag changed") { $0.tokenFlaws = [.flippedTag] },
        .init("flipped-order", "One bit of the order's binding changed") { $0.tokenFlaws = [.flippedApplicationData] },
        .init("other-key", "Encrypted to another key than it names") { $0.tokenFlaws = [.encryptedToOtherKey] },
        .init("unknown-key", "Names a key that nobody holds") { $0.tokenFlaws = [.otherPublicKeyHash] },
        .init("other-merchant", "Encrypted to another merchant") { $0.otherMerchantKey = true },
        .init("other-identifier", "Derived for another merchant identifier") { $0.derivedForMerchantIdentifier = "merchant.example.other" },
        .init("weak-wrapping", "Wraps the key with SHA-1") { $0.tokenFlaws = [.oaepSHA1] },
        .init("empty", "Hands over no payment data") { $0.tokenFlaws = [.emptyPaymentData] },
    ]
}
