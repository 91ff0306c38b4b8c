public import Foundation

/// The wallet's broker as the device knows it: certificates first, then the card, the terms, and the proof.
///
/// Errors other than ``BrokerError`` count as "no answer".
public protocol ProvisioningBroker: Sendable {
    /// Begins one attempt.
    func challenge(for device: BrokerDevice, scheme: PKEncryptionScheme) async throws -> BrokerChallenge

    /// Posts the sealed card. Nothing is added yet: the customer must agree to the terms.
    func add(_ card: CardSubmission, to device: BrokerDevice) async throws -> AcceptedCard

    /// The customer agreed. The answer's pass may still wait for a proof.
    func enable(card: String, on device: BrokerDevice) async throws -> WalletPass

    /// Asks for a code by one of the pass's methods.
    func requestCode(card: String, method: String, on device: BrokerDevice) async throws

    /// A wrong code throws a ``BrokerError`` whose reason is a ``CodeRefusal``.
    func enterCode(_ code: String, card: String, on device: BrokerDevice) async throws -> PKSecureElementPass.PassActivationState

    /// The bank's app vouches for the customer (`PKPassLibrary.activate`).
    func activate(card: String, activationData: Data, on device: BrokerDevice) async throws -> PKSecureElementPass.PassActivationState

    /// The passes of a secure element as they stand now.
    func passes(on device: BrokerDevice) async throws -> [WalletPass]

    /// The customer removed the pass.
    func remove(card: String, from device: BrokerDevice) async throws
}

/// What holds the secure element.
public enum DeviceKind: String, Sendable, Hashable, Codable, CaseIterable { case phone, tablet, watch }

/// A device as it introduces itself to the broker.
public struct BrokerDevice: Sendable, Hashable, Codable {
    /// The secure element's identifier (SEID): 48 hex digits.
    public var secureElementID: String
    public var kind: DeviceKind
    /// The owner's name for it.
    public var name: String
    public var productType: String
    /// The account that the owner signed in with.
    public var appleAccount: String
}

/// The app as its signature and its store entry name it.
public struct SignedApp: Sendable, Hashable {
    /// `TeamID.bundleID`.
    public var applicationIdentifier: String
    /// The store's number of the app; nil for a build that is not from the store.
    public var adamID: Int?
    /// `com.apple.developer.payment-pass-provisioning`, true in the profile and in the app.
    public var mayAddPasses: Bool
    /// `com.apple.developer.passkit.pass-presentation-suppression`: the app may keep Wallet from coming up at a reader.
    public var mayKeepWalletAway: Bool

    public init(applicationIdentifier: String = "", adamID: Int? = nil, mayAddPasses: Bool = false, mayKeepWalletAway: Bool = false) {
        self.applicationIdentifier = applicationIdentifier
        self.adamID = adamID
        self.mayAddPasses = mayAddPasses
        self.mayKeepWalletAway = mayKeepWalletAway
    }
}

/// What the broker hands out for one attempt; opaque to the device.
public struct BrokerChallenge: Sendable, Hashable {
    /// DER, the leaf first.
    public var certificates: [Data]
    public var nonce: Data
    public var nonceSignature: Data
    /// Goes back with the card.
    public var publicKeyHash: Data

    public init(certificates: [Data], nonce: Data, nonceSignature: Data, publicKeyHash: Data) {
        self.certificates = certificates
        self.nonce = nonce
        self.nonceSignature = nonceSignature
        self.publicKeyHash = publicKeyHash
    }
}

/// The card as the device posts it: what the app handed back, and what the app's configuration said.
public struct CardSubmission: Sendable, Hashable {
    public var scheme: PKEncryptionScheme
    public var encryptedPassData: Data
    public var activationData: Data?
    public var ephemeralPublicKey: Data?
    public var wrappedKey: Data?
    public var publicKeyHash: Data
    public var app: SignedApp
    public var cardholderName: String?
    public var primaryAccountSuffix: String?
    public var primaryAccountIdentifier: String?
    public var paymentNetwork: PKPaymentNetwork?
    public var localizedDescription: String?

    public init(
        scheme: PKEncryptionScheme, encryptedPassData: Data, activationData: Data? = nil, ephemeralPublicKey: Data? = nil,
        wrappedKey: Data? = nil, publicKeyHash: Data, app: SignedApp, cardholderName: String? = nil, primaryAccountSuffix: String? = nil,
        primaryAccountIdentifier: String? = nil, paymentNetwork: PKPaymentNetwork? = nil, localizedDescription: String? = nil
    ) {
        self.scheme = scheme
        self.encryptedPassData = encryptedPassData
        self.activationData = activationData
        self.ephemeralPublicKey = ephemeralPublicKey
        self.wrappedKey = wrappedKey
        self.publicKeyHash = publicKeyHash
        self.app = app
        self.cardholderName = cardholderName
        self.primaryAccountSuffix = primaryAccountSuffix
        self.primaryAccountIdentifier = primaryAccountIdentifier
        self.paymentNetwork = paymentNetwork
        self.localizedDescription = localizedDescription
    }
}

/// A card that the broker can add once the customer agrees to the terms.
public struct AcceptedCard: Sendable, Hashable {
    public var cardID: String
    public var termsURL: String

    public init(cardID: String, termsURL: String) {
        self.cardID = cardID
        self.termsURL = termsURL
    }
}

/// The broker's refusal, as coarse as a device gets it.
public struct BrokerError: Error, Sendable, Hashable {
    /// HTTP's status.
    public var status: Int
    /// Such as 40001; nil for a body that is no JSON.
    public var code: Int?
    public var reason: String

    public init(status: Int, code: Int? = nil, reason: String = "") {
        self.status = status
        self.code = code
        self.reason = reason
    }
}

/// Why a code was not taken.
public enum CodeRefusal: String, Sendable, CaseIterable {
    case expired = "VERIFICATION_CODE_EXPIRED"
    case wrong = "VERIFICATION_CODE_FAILED"
    case missing = "VERIFICATION_CODE_MISSING"
    /// The method is blocked from now on.
    case retriesExceeded = "VERIFICATION_CODE_RETRIES_EXCEEDED"
}

/// The broker of a device that was given none: it is not reachable.
struct NoBroker: ProvisioningBroker {
    struct Unreachable: Error {}
    func challenge(for device: BrokerDevice, scheme: PKEncryptionScheme) async throws -> BrokerChallenge { throw Unreachable() }
    func add(_ card: CardSubmission, to device: BrokerDevice) async throws -> AcceptedCard { throw Unreachable() }
    func enable(card: String, on device: BrokerDevice) async throws -> WalletPass { throw Unreachable() }
    func requestCode(card: String, method: String, on device: BrokerDevice) async throws { throw Unreachable() }
    func enterCode(_ code: String, card: String, on device: BrokerDevice) async throws -> PKSecureElementPass.PassActivationState {
        throw Unreachable()
    }
    func activate(
        card: String, activationData: Data, on device: BrokerDevice
    ) async throws -> PKSecureElementPass.PassActivationState { throw Unreachable() }
    func passes(on device: BrokerDevice) async throws -> [WalletPass] { throw Unreachable() }
    func remove(card: String, from device: BrokerDevice) async throws { throw Unreachable() }
}
