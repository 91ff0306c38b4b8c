/// Tokens are given to known wallets only. A network without an entry is not looked at.
package struct TokenRequestorRule: Sendable {
    /// Apple Pay's identities at the networks (provisioning.md#token-requestors [O]).
    package static let applePay: [CardScheme: Set<String>] = [.visa: ["40010030273"], .mastercard: ["50110030273"]]

    /// What the wallet is called to which a network gave a name; `nil` for one that is not known here.
    static func wallet(of requestor: String, at network: CardScheme) -> String? {
        applePay[network]?.contains(requestor) == true ? "Apple Pay" : nil
    }

    /// The short name of the wallet that is known here.
    static let applePayWallet = "apple-pay"

    /// The networks' names for a wallet of a short name; `nil` for one that is not known here.
    static func requestors(ofWallet name: String) -> [String]? {
        name == applePayWallet ? applePay.values.joined().sorted() : nil
    }

    package var known: [CardScheme: Set<String>]

    package init(known: [CardScheme: Set<String>] = applePay) { self.known = known }
}
