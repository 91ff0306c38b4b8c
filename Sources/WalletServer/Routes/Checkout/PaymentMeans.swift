/// What a customer pays with.
enum PaymentMeans: String, Sendable, Hashable, CaseIterable {
    /// The balance of the wallet's account.
    case balance
}
