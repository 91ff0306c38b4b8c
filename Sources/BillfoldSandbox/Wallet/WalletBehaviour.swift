import ApplePayForging

/// Something that the device can be told to do, under a name: a setting of the knobs that is worth playing.
package struct WalletBehaviour: Sendable, Hashable, Codable {
    package var name: String
    /// For people, in a few words.
    package var title: String
    /// Whether a correct merchant takes the payment.
    package var isAccepted: Bool
    package var knobs: WalletKnobs

    private init(_ name: String, title: String, isAccepted: Bool = false, _ change: (inout WalletKnobs) -> Void) {
        var knobs = WalletKnobs()
        change(&knobs)
        (self.name, self.title, self.isAccepted, self.knobs) = (name, title, isAccepted, knobs)
    }

    /// What is genuine, if unusual, and then what a merchant refuses.
    package static let all: [WalletBehaviour] = [
        .init("genuine", title: "Makes a genuine token", isAccepted: true) { _ in },
        .init("merchant-token", title: "Adds a merchant token identifier", isAccepted: true) { $0.merchantToken = true },
        .init("pin-block", title: "Adds a PIN block without being asked", isAccepted: true) { $0.pinBlock = true },
        .init("no-pin-block", title: "Leaves the PIN block out", isAccepted: true) { $0.pinBlock = false },
        .init("embedded-content", title: "Repeats the content inside the signature", isAccepted: true) {
            $0.tokenFlaws = [.embeddedContent]
        },
        .init("leading-zero-secret", title: "Agrees on a secret that starts with zero", isAccepted: true) {
            $0.tokenFlaws = [.leadingZeroSecret]
        },
        .init("upper-case-identifier", title: "Writes the transaction in upper case", isAccepted: true) {
            $0.tokenFlaws = [.upperCaseTransactionIdentifier]
        },
        .init("bundled-root", title: "Sends the genuine root along", isAccepted: true) { $0.tokenFlaws = [.bundledRoot] },

        .init("replayed", title: "Hands over the last token again") { $0.replaysLastToken = true },
        .init("stale", title: "Signed an hour ago") { $0.signingTimeOffsetSeconds = -3_600 },
        .init("future", title: "Signed in an hour") { $0.signingTimeOffsetSeconds = 3_600 },
        .init("other-order", title: "Bound to another order") { $0.applicationData = .otherOrder },
        .init("no-order", title: "Bound to no order") { $0.applicationData = .none },
        .init("lower-amount", title: "Holds a lower amount") { $0.amountOffset = -100 },
        .init("other-currency", title: "Holds another currency") { $0.currencyCode = "840" },
        .init("three-d-secure", title: "Holds 3-D Secure data for a UnionPay card") { $0.paymentData = .threeDSecure },
        .init("foreign-root", title: "Signed under a root of its own, sent along") { $0.foreignRoot = true },
        .init("rogue-root", title: "Signed under a root that only has the right name") { $0.chainFlaws = [.rogueRoot] },
        .init("unmarked-leaf", title: "Signed by a certificate for something else") { $0.chainFlaws = [.leafWithoutMarker] },
        .init("expired-leaf", title: "Signed by an expired certificate") { $0.chainFlaws = [.leafExpired] },
        .init("no-signature", title: "Signature stripped") { $0.tokenFlaws = [.noSignature] },
        .init("foreign-signature", title: "Signed by another key") { $0.tokenFlaws = [.signedByStranger] },
        .init("flipped-signature", title: "One bit of the signature changed") { $0.tokenFlaws = [.flippedSignature] },
        .init("other-content", title: "Signature of something else") { $0.tokenFlaws = [.embeddedOtherContent] },
        .init("substituted-key", title: "Key and data replaced after signing") { $0.tokenFlaws = [.substitutedKey] },
        .init("flipped-data", title: "One bit of the data changed") { $0.tokenFlaws = [.flippedData] },
        .init("flipped-tag", title: "One bit of the tag changed") { $0.tokenFlaws = [.flippedTag] },
        .init("flipped-order", title: "One bit of the order's binding changed") { $0.tokenFlaws = [.flippedApplicationData] },
        .init("other-key", title: "Encrypted to another key than it names") { $0.tokenFlaws = [.encryptedToOtherKey] },
        .init("unknown-key", title: "Names a key that nobody holds") { $0.tokenFlaws = [.otherPublicKeyHash] },
        .init("other-merchant", title: "Encrypted to another merchant") { $0.otherMerchantKey = true },
        .init("other-identifier", title: "Derived for another merchant identifier") {
            $0.derivedForMerchantIdentifier = "merchant.example.other"
        },
        .init("weak-wrapping", title: "Wraps the key with SHA-1") { $0.tokenFlaws = [.oaepSHA1] },
        .init("empty", title: "Hands over no payment data") { $0.tokenFlaws = [.emptyPaymentData] },
    ]
}
