/// A wallet's score of a device, an account or a phone number: 1 to 5, 5 best (provisioning.md#scores [O]).
public struct ProvisioningScore: Sendable, Hashable, Comparable {
    public let value: Int

    /// Nil outside 1 to 5.
    public init?(_ value: Int) {
        guard (1...5).contains(value) else { return nil }
        self.value = value
    }

    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// How the card's number came to the wallet, by the codes that networks pass on (provisioning.md#scores [O]).
public enum CardNumberSource: String, Sendable, Hashable, CaseIterable {
    case keyEntered = "01"
    case onFile = "02"
    case mobileBankingApp = "03"
}
