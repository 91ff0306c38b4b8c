import ApplePay
import BillfoldDiagnosis

/// A way in which a customer proves that the request was theirs (provisioning.md#verification-methods [O]).
struct VerificationMethod: Sendable, Hashable, Encodable {
    enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case text = "TEXT_TO_CARDHOLDER_NUMBER"
        case email = "EMAIL_TO_CARDHOLDER_ADDRESS"
        case call = "CARDHOLDER_TO_CALL_AUTOMATED_NUMBER"
        case app = "CARDHOLDER_TO_USE_MOBILE_APP"

        /// How operators and pages call it.
        var channel: String {
            switch self {
            case .text: "SMS"
            case .email: "e-mail"
            case .call: "call"
            case .app: "app"
            }
        }
    }

    /// The processor's name for the contact.
    var identifier: String
    var type: Kind
    /// Masked: it is shown on the device.
    var value: String

    /// `nil` for a contact by which nobody can be verified.
    init?(_ contact: CardSecrets.Contact) {
        guard let kind = Kind(rawValue: contact.type) else { return nil }
        identifier = contact.identifier
        type = kind
        value =
            switch kind {
            case .text: Mask.phone(contact.value)
            case .email: Mask.email(contact.value)
            // The number that the customer calls, and the app's name, are the bank's own.
            case .call, .app: contact.value
            }
    }

    /// What the network may offer for a decision. For green it may still want the customer verified; nothing is offered for orange,
    /// which a person decides on, nor for red (provisioning.md#verification-methods [O]).
    static func offered(for colour: DecisionColour, contacts: [CardSecrets.Contact]) -> [VerificationMethod] {
        colour < .orange ? contacts.compactMap(VerificationMethod.init) : []
    }
}
