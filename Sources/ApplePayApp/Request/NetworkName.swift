#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// The names of networks as the server and the web write them, matched letter for letter: `chinaunionpay` is unknown.
public enum NetworkName: String, Sendable, Hashable, Codable, CaseIterable {
    case amex, bancomat, bancontact, cartesBancaires, chinaUnionPay, dankort, discover, eftpos, electron, elo, girocard, interac
    case jcb = "JCB"
    case mada, maestro, masterCard, mir, privateLabel, visa, vPay

    /// Refuses an unknown or differently spelled name with `unknown-network`.
    public init(exactly name: String) throws(ApplePayAppError) {
        guard let known = NetworkName(rawValue: name) else {
            throw ApplePayAppError(code: .unknownNetwork, reason: "no network is named \(name.prefix(40)); names count letter case")
        }
        self = known
    }

    /// PassKit's own constant.
    public var network: PKPaymentNetwork {
        switch self {
        case .amex: .amex
        case .bancomat: .bancomat
        case .bancontact: .bancontact
        case .cartesBancaires: .cartesBancaires
        case .chinaUnionPay: .chinaUnionPay
        case .dankort: .dankort
        case .discover: .discover
        case .eftpos: .eftpos
        case .electron: .electron
        case .elo: .elo
        case .girocard: .girocard
        case .interac: .interac
        case .jcb: .JCB
        case .mada: .mada
        case .maestro: .maestro
        case .masterCard: .masterCard
        case .mir: .mir
        case .privateLabel: .privateLabel
        case .visa: .visa
        case .vPay: .vPay
        }
    }
}
