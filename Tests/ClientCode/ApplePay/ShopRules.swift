import Foundation
import PassKit

/// What a shop's server says, in PassKit's words.
enum ShopRules {
    static let networks: [String: PKPaymentNetwork] = [
        "amex": .amex, "bancomat": .bancomat, "bancontact": .bancontact, "cartesBancaires": .cartesBancaires,
        "chinaUnionPay": .chinaUnionPay,
        "dankort": .dankort, "discover": .discover, "eftpos": .eftpos, "electron": .electron, "elo": .elo, "girocard": .girocard,
        "interac": .interac, "jcb": .JCB, "mada": .mada, "maestro": .maestro, "masterCard": .masterCard, "mir": .mir,
        "privateLabel": .privateLabel, "visa": .visa, "vPay": .vPay,
    ]

    /// The issuer's word on a PIN, as card schemes number it.
    static func status(reply: String) -> PKPaymentAuthorizationStatus {
        switch reply {
        case "00": return .success
        case "1A": return .pinRequired
        case "55": return .pinIncorrect
        case "75": return .pinLockout
        default: return .failure
        }
    }

    static func capabilities(paysOut: Bool) -> PKMerchantCapability {
        var capabilities: PKMerchantCapability = [.threeDSecure, .debit]
        if #available(iOS 17.0, macOS 14.0, *), paysOut {
            capabilities.insert(.instantFundsOut)
        }
        return capabilities
    }

    enum Handover {
        case atTheDoor, inTheShop, byCourierFromHome
    }

    /// A parcel, with what each way of handing it over asks of the customer.
    static func request(_ handover: Handover) -> PKPaymentRequest {
        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.example.parcel"
        request.countryCode = "JP"
        request.currencyCode = "JPY"
        request.supportedNetworks = [.JCB, .visa]
        request.merchantCapabilities = capabilities(paysOut: false)
        request.paymentSummaryItems = [PKPaymentSummaryItem(label: "Parcel", amount: 900)]
        switch handover {
        case .atTheDoor:
            request.shippingType = .delivery
            request.requiredShippingAddressFields = .all
        case .inTheShop:
            request.shippingType = .storePickup
            request.requiredShippingContactFields = [.name, .phoneticName]
        case .byCourierFromHome:
            request.shippingType = .servicePickup
            request.requiredShippingContactFields = [.postalAddress, .name, .phoneticName, .phoneNumber]
        }
        return request
    }
}
