/// How the add-pass flow ended, and what the app may now tell the customer.
public enum AddPassOutcome: Sendable, Hashable {
    /// In the wallet, and usable: say "you can pay with it".
    case added(AddedPass)
    /// In the wallet, and not usable yet: say what is missing, never "ready".
    case pendingActivation(AddedPass)
    /// The customer closed the screen. Nothing was added.
    case cancelled
    /// Whether the card was added is not known, neither to the wallet nor from its passes. Never to be told as a failure: the pass may
    /// show later. The error's code and reason are for developers.
    case unknown(ApplePayAppError)
    /// Nothing was added, as far as the wallet and its passes say; trying again is safe. The error's code and reason are for developers: the customer reads ``customerText``.
    case failed(ApplePayAppError)

    /// A plain sentence for the customer.
    public var customerText: String {
        switch self {
        case .added(let pass): "Your card ending in \(pass.suffix) is ready to pay."
        case .pendingActivation(let pass): "Your card ending in \(pass.suffix) is in the wallet \(Self.missing(pass.activation))"
        case .cancelled: "The card was not added."
        case .unknown: "It is not certain yet whether your card was added. Please look in the wallet before you try again."
        case .failed(let error) where error.code == .screenGone: "The card was not added, because its screen was closed."
        case .failed(let error) where error.code == .walletRefused:
            "The wallet did not take the card. Please look there before you try again."
        case .failed(let error) where error.code == .serverRefused: "This card cannot be added now. Please contact your bank."
        case .failed(let error) where error.code == .notPresented || error.code == .walletUnsupported:
            "This device cannot take this card."
        case .failed: "The card could not be added. Please try again later."
        }
    }

    /// What a pass that is there still lacks. The wallet does not tell the app whether the customer has a proof to give or the bank
    /// looks at the card by itself: the sentence must be true of both.
    private static func missing(_ activation: HeldPass.Activation) -> String {
        switch activation {
        case .requiresActivation:
            "and cannot pay yet. If the wallet asks for a proof, give it there; otherwise your bank is checking and will tell you."
        case .activating: "and is being activated. There is nothing that you have to do."
        case .activated, .suspended, .deactivated: "and cannot be used. Please contact your bank."
        }
    }
}

/// A pass that the flow put into the wallet.
public struct AddedPass: Sendable, Hashable {
    public var device: PassHolder
    public var activation: HeldPass.Activation
    public var serialNumber: String
    public var primaryAccountIdentifier: String
    /// The network's reference of the token, opaque to the app.
    public var deviceAccountIdentifier: String
    /// The last digits of the card number.
    public var suffix: String
    /// False when the library does not show the pass to this app: its metadata lacks the app's identifier.
    public var isVisible: Bool
}

/// How the add-pass flow waits.
public struct AddPassSettings: Sendable {
    /// Within which the issuer must have answered, repetitions included: well below the wallet's own twenty seconds.
    public var requestLimit = Duration.seconds(15)
    /// The pauses between repetitions of an unanswered request; the last one repeats.
    public var retryPauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2)]
    /// How often, and how far apart, the library is asked for the new pass: a watch's pass takes a moment to show.
    public var visibilityPolls = 5
    public var visibilityPause = Duration.milliseconds(200)
    /// How often the flow looks whether its screen is still there: nobody tells an app that something else took it away.
    public var presencePause = Duration.milliseconds(400)
    public var wait: CheckoutConfiguration.Wait

    public init(wait: @escaping CheckoutConfiguration.Wait = { try await Task.sleep(for: $0) }) { self.wait = wait }
}
