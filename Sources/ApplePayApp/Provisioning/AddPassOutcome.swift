public import CustomerLanguages

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

    /// A plain sentence for the customer, in English.
    public var customerText: String { customerText(in: .english) }

    /// A plain sentence for the customer.
    public func customerText(in language: CustomerLanguage) -> String {
        let texts = CustomerTexts(language)
        switch self {
        case .added(let pass): return texts[.cardReady, suffix: pass.suffix]
        case .pendingActivation(let pass): return texts[Self.missing(pass.activation), suffix: pass.suffix]
        case .cancelled: return texts[.cardNotAdded]
        case .unknown: return texts[.cardUncertain]
        case .failed(let error): return texts[Self.failure(error.code)]
        }
    }

    private static func failure(_ code: ApplePayAppError.Code) -> CustomerText {
        switch code {
        case .screenGone: .screenClosed
        case .walletRefused: .walletRefused
        case .serverRefused: .contactBank
        case .notPresented, .walletUnsupported: .deviceCannot
        default: .tryLater
        }
    }

    /// What a pass that is there still lacks. The wallet does not tell the app whether the customer has a proof to give or the bank
    /// looks at the card by itself: the sentence must be true of both.
    private static func missing(_ activation: HeldPass.Activation) -> CustomerText {
        switch activation {
        case .requiresActivation: .cardNeedsProof
        case .activating: .cardActivating
        case .activated, .suspended, .deactivated: .cardUnusable
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
