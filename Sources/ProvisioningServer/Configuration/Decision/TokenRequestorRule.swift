/// Tokens are given to known wallets only. A network without an entry is not looked at.
package struct TokenRequestorRule: Sendable {
    /// Apple Pay's identities at the networks (provisioning.md#token-requestors [O]).
    package static let applePay: [CardScheme: Set<String>] = [.visa: ["40010030273"], .mastercard: ["50110030273"]]

    package var known: [CardScheme: Set<String>]

    package init(known: [CardScheme: Set<String>] = applePay) { self.known = known }
}
