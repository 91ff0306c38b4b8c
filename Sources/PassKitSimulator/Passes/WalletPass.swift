import Foundation

/// A pass in a secure element, as the broker describes it and the device keeps it.
///
/// Its JSON is the broker's: an absent description or bank's name is empty, absent verification methods are "as before".
public struct WalletPass: Sendable, Hashable, Codable, Identifiable {
    public static let passTypeIdentifier = "paymentpass.com.apple"

    public var serialNumber: String
    /// The broker's name for the card on this device; what enabling, proving and removing name.
    public var cardID: String
    public var primaryAccountIdentifier: String
    public var primaryAccountNumberSuffix: String
    public var deviceAccountIdentifier: String
    public var deviceAccountNumberSuffix: String
    public var activationState: PKSecureElementPass.PassActivationState
    /// `TeamID.bundleID` of every app that may see the pass; a `*` at the end stands for any rest.
    public var associatedApplicationIdentifiers: [String]
    public var localizedDescription: String
    /// The bank's name, as apps read it.
    public var organizationName: String
    /// How the customer may prove who he is; kept while the pass waits for it.
    public var verificationMethods: [VerificationMethod]?
    /// Where Wallet opens the bank's app for a proof there.
    public var appLaunchURL: String?

    public var id: String { serialNumber }

    public init(
        serialNumber: String, cardID: String, primaryAccountIdentifier: String, primaryAccountNumberSuffix: String,
        deviceAccountIdentifier: String, deviceAccountNumberSuffix: String,
        activationState: PKSecureElementPass.PassActivationState, associatedApplicationIdentifiers: [String],
        localizedDescription: String = "", verificationMethods: [VerificationMethod]? = nil, appLaunchURL: String? = nil,
        organizationName: String = ""
    ) {
        self.serialNumber = serialNumber
        self.cardID = cardID
        self.primaryAccountIdentifier = primaryAccountIdentifier
        self.primaryAccountNumberSuffix = primaryAccountNumberSuffix
        self.deviceAccountIdentifier = deviceAccountIdentifier
        self.deviceAccountNumberSuffix = deviceAccountNumberSuffix
        self.activationState = activationState
        self.associatedApplicationIdentifiers = associatedApplicationIdentifiers
        self.localizedDescription = localizedDescription
        self.organizationName = organizationName
        self.verificationMethods = verificationMethods
        self.appLaunchURL = appLaunchURL
    }

    private enum CodingKeys: String, CodingKey {
        case serialNumber
        case cardID = "cardId"
        case primaryAccountIdentifier, primaryAccountNumberSuffix, deviceAccountIdentifier, deviceAccountNumberSuffix
        case activationState, associatedApplicationIdentifiers, localizedDescription, organizationName, verificationMethods, appLaunchURL
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            serialNumber: try values.decode(String.self, forKey: .serialNumber),
            cardID: try values.decode(String.self, forKey: .cardID),
            primaryAccountIdentifier: try values.decode(String.self, forKey: .primaryAccountIdentifier),
            primaryAccountNumberSuffix: try values.decode(String.self, forKey: .primaryAccountNumberSuffix),
            deviceAccountIdentifier: try values.decode(String.self, forKey: .deviceAccountIdentifier),
            deviceAccountNumberSuffix: try values.decode(String.self, forKey: .deviceAccountNumberSuffix),
            activationState: try values.decode(PKSecureElementPass.PassActivationState.self, forKey: .activationState),
            associatedApplicationIdentifiers: try values.decode([String].self, forKey: .associatedApplicationIdentifiers),
            localizedDescription: try values.decodeIfPresent(String.self, forKey: .localizedDescription) ?? "",
            verificationMethods: try values.decodeIfPresent([VerificationMethod].self, forKey: .verificationMethods),
            appLaunchURL: try values.decodeIfPresent(String.self, forKey: .appLaunchURL),
            organizationName: try values.decodeIfPresent(String.self, forKey: .organizationName) ?? "")
    }

    /// Whether the library shows the pass to an app.
    func isVisible(to applicationIdentifier: String) -> Bool {
        guard !applicationIdentifier.isEmpty else { return false }
        return associatedApplicationIdentifiers.contains { entry in
            entry.hasSuffix("*") ? applicationIdentifier.hasPrefix(entry.dropLast()) : entry == applicationIdentifier
        }
    }

    /// The address by which Wallet shows the pass. Its scheme is the system's, the rest is ours.
    var walletURL: URL? {
        var components = URLComponents()
        components.scheme = Self.walletScheme
        components.host = "card"
        components.path = "/\(serialNumber)"
        return components.url
    }

    static let walletScheme = "shoebox"

    /// The link by which Wallet asks the bank's app for a proof. It is the same from a phone and from its watch.
    var verificationLink: String? {
        appLaunchURL.map { "\($0)?passTypeIdentifier=\(Self.passTypeIdentifier)&serialNumber=\(serialNumber)&action=verify" }
    }
}

/// One way of proving who the customer is.
public struct VerificationMethod: Sendable, Hashable, Codable, Identifiable {
    public var identifier: String
    /// The broker's word for it, such as `TEXT_TO_CARDHOLDER_NUMBER`.
    public var type: String
    /// Where the code goes, masked.
    public var value: String

    public var id: String { identifier }

    public init(identifier: String, type: String, value: String) {
        self.identifier = identifier
        self.type = type
        self.value = value
    }

    /// Whether Wallet opens the bank's app instead of asking for a code. Mastercard's word, and Visa's.
    public var opensApp: Bool { type == "CARDHOLDER_TO_USE_MOBILE_APP" || type == "bank_app" }
}
