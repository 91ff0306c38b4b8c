public import Foundation

#if canImport(PassKit) && canImport(UIKit)
    import PassKit
#else
    import PassKitSimulator
#endif

/// The issuer's host, as the bank's app knows it within one app session. Every failure is an ``ApplePayAppError``:
/// `server-refused` when the host decided, `server-unanswered` or `answer-malformed` when nobody knows.
public protocol IssuerServer: Sendable {
    /// The customer's cards.
    func cards() async throws(ApplePayAppError) -> [IssuerCard]

    /// Whether the programme and the card are switched on.
    func eligibility(card: IssuerCard.ID) async throws(ApplePayAppError) -> IssuerEligibility

    /// What the add-pass screen shows of the card, and how the wallet is to ask for it.
    func configuration(card: IssuerCard.ID) async throws(ApplePayAppError) -> PassConfiguration

    /// Has the card sealed for the wallet's broker. The same challenge gets the same answer, however often it is sent.
    func passData(card: IssuerCard.ID, for challenge: PassChallenge) async throws(ApplePayAppError) -> IssuerPassData

    /// The customer, logged in to the app, vouches for a pass that waits for a proof. Refused for one that only a person may approve.
    func activate(card: IssuerCard.ID, tokenReference: String) async throws(ApplePayAppError)
}

extension IssuerServer {
    /// Asks for the sealed card until somebody answers: the same challenge again gets the same answer.
    ///
    /// - Parameters:
    ///   - card: Whose.
    ///   - challenge: The wallet's.
    ///   - scheme: What the wallet was asked with.
    ///   - settings: The pauses between questions that nobody answered.
    ///   - isWanted: Whether anybody still waits.
    /// - Returns: Nil where nobody waits any more.
    @MainActor
    func sealed(
        _ card: IssuerCard.ID, for challenge: PassChallenge, scheme: PKEncryptionScheme, settings: AddPassSettings,
        while isWanted: @MainActor () -> Bool
    ) async -> Result<PKAddPaymentPassRequest, ApplePayAppError>? {
        var pauses = settings.retryPauses[...]
        while isWanted() {
            do throws(ApplePayAppError) {
                return .success(try await passData(card: card, for: challenge).request(for: scheme))
            } catch {
                guard error.code == .serverUnanswered else { return .failure(error) }
                let pause = pauses.first ?? .seconds(2)
                if pauses.count > 1 { pauses = pauses.dropFirst() }
                do { try await settings.wait(pause) } catch { return nil }
            }
        }
        return nil
    }
}

/// A card as the app shows it; its number stays at the issuer.
public struct IssuerCard: Sendable, Hashable, Codable, Identifiable {
    public var id: String
    /// The issuer's word: `visa`, `mastercard`, `unionPay`.
    public var network: String
    /// The last digits of the number.
    public var suffix: String
    public var displayName: String
    public var cardholderName: String
    /// The network's reference of the card; empty while it was never in a wallet.
    public var primaryAccountIdentifier: String
    /// `active`, `blocked`, `closed`.
    public var status: String

    public init(
        id: String, network: String, suffix: String, displayName: String, cardholderName: String, primaryAccountIdentifier: String,
        status: String = "active"
    ) {
        self.id = id
        self.network = network
        self.suffix = suffix
        self.displayName = displayName
        self.cardholderName = cardholderName
        self.primaryAccountIdentifier = primaryAccountIdentifier
        self.status = status
    }
}

/// The issuer's remote switch, for the programme and for the card.
public enum IssuerEligibility: Sendable, Hashable {
    case enabled
    /// `code` is stable and the issuer's; `reason` is a sentence for the customer.
    case disabled(code: String, reason: String)
}

/// What the add-pass screen shows of a card, from the issuer.
public struct PassConfiguration: Sendable, Hashable, Codable {
    /// A further line under the card, with its label.
    public struct Line: Sendable, Hashable, Codable {
        public var label: String
        public var value: String
    }

    /// `EV_ECC_v2` or `EV_RSA_v2`.
    public var encryptionScheme: String
    public var cardholderName: String
    public var primaryAccountSuffix: String
    public var localizedDescription: String
    public var primaryAccountIdentifier: String
    /// PassKit's own word, such as `Visa`.
    public var paymentNetwork: String
    /// `payment` or `access`.
    public var style: String
    public var cardDetails: [Line]
    public var requiresFelicaSecureElement: Bool
    public var productIdentifiers: [String]
}

/// What the wallet handed to the app for one attempt, to be handed on unchanged.
public struct PassChallenge: Sendable, Hashable {
    /// DER, the leaf first.
    public var certificates: [Data]
    public var nonce: Data
    public var nonceSignature: Data

    public init(certificates: [Data], nonce: Data, nonceSignature: Data) {
        self.certificates = certificates
        self.nonce = nonce
        self.nonceSignature = nonceSignature
    }
}

/// What the issuer sealed, as raw bytes.
public struct IssuerPassData: Sendable, Hashable {
    public var encryptedPassData: Data
    /// Absent where the network is to ask the customer for a proof.
    public var activationData: Data?
    /// The key that goes with the scheme.
    public var key: Key

    /// By what the wallet's broker opens the sealed data.
    public enum Key: Sendable, Hashable {
        /// 65 bytes: an uncompressed point.
        case ephemeralPublicKey(Data)
        case wrappedKey(Data)
    }

    public init(encryptedPassData: Data, activationData: Data?, key: Key) {
        self.encryptedPassData = encryptedPassData
        self.activationData = activationData
        self.key = key
    }
}
