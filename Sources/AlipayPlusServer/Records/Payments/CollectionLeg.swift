package import BillfoldStorage

/// One wallet's part in a payment: the payment that we ask that wallet to collect.
///
/// A payment has one leg after another where its payer changes the wallet. At most one of them is ever booked.
package struct CollectionLeg: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// An earlier leg is not confirmed cancelled yet: the wallet is not asked so far.
        case waiting
        /// The wallet is asked, or about to be.
        case requested
        /// The wallet has collected, and it is booked.
        case paid
        /// The wallet refused: no money moved.
        case failed
        /// We want the wallet to cancel it, whatever became of it.
        case cancelling
        /// The wallet has cancelled it; what it had collected went back.
        case cancelled
        /// The wallet collected what is not wanted and can no more cancel: it is to refund.
        case returning
        /// The wallet has refunded it.
        case returned
        /// Neither cancelled nor refunded, and nobody tries any more: a person has to look.
        case stuck

        /// Whether another wallet may not be asked as long as this leg is so.
        var holdsOthers: Bool {
            switch self {
            case .requested, .cancelling, .returning, .stuck: true
            case .waiting, .paid, .failed, .cancelled, .returned: false
            }
        }
    }

    /// Our own number of it; the wallet knows it by ``AcquirerPayment/walletRequestID(of:)``.
    package var id: TimeOrderedID
    /// The wallet's payment method type: `GCASH`.
    package var wallet: String
    package var state: State

    package init(id: TimeOrderedID, wallet: String, state: State) {
        self.id = id
        self.wallet = wallet
        self.state = state
    }
}

extension TimeOrderedID: Codable {
    package init(from decoder: any Decoder) throws {
        try self.init(text: decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
