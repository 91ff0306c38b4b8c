/// Which of the customer's devices holds a pass, or could.
public enum PassHolder: String, Sendable, Hashable, Codable, CaseIterable {
    case thisDevice
    case watch
}

/// Whether a card can go into the wallet, and why not. Six answers, where the documented integration has three.
public enum ProvisioningEligibility: Sendable, Hashable {
    /// Device, system, region or restrictions: show nothing.
    case notSupported
    /// The issuer's remote switch is off. `code` is the issuer's.
    case disabledByIssuer(code: String, reason: String)
    /// The library says "cannot add" although this device holds no such pass: the app lacks its entitlement.
    case notEntitled
    case addable([PassHolder])
    /// Everywhere, but not usable on these: the customer must prove who he is.
    case pendingActivation([PassHolder])
    /// On every device that can be seen.
    case complete

    /// The three states of the documented integration.
    public enum DocumentedState: Int, Sendable, Codable {
        case notSupported = 0
        case alreadyAdded = 1
        case canBeAdded = 2
    }

    /// For the edge only. A missing entitlement is 0 here: the documented rule would say 1, "already added", which is not true.
    public var documentedState: DocumentedState {
        switch self {
        case .notSupported, .disabledByIssuer, .notEntitled: .notSupported
        case .pendingActivation, .complete: .alreadyAdded
        case .addable: .canBeAdded
        }
    }
}

/// What is known about the watch. PassKit does not tell; `WatchConnectivity` does.
public enum WatchPresence: String, Sendable, Hashable, CaseIterable {
    case unknown
    case none
    case inReach
    /// Paired, but not to be seen: the library does not count it.
    case outOfReach
}

/// One pass of the card, somewhere.
public struct HeldPass: Sendable, Hashable {
    /// Whether the pass can pay, with PassKit's numbers.
    public enum Activation: Int, Sendable, Hashable, Codable {
        case activated = 0
        case requiresActivation, activating, suspended, deactivated
    }

    public var device: PassHolder
    public var activation: Activation
    /// False for a pass that this app added and the library hides from it.
    public var isVisible: Bool

    public init(device: PassHolder, activation: Activation, isVisible: Bool = true) {
        self.device = device
        self.activation = activation
        self.isVisible = isVisible
    }
}

/// Everything that the answer follows from.
public struct EligibilityFacts: Sendable, Hashable {
    /// `PKAddPaymentPassViewController.canAddPaymentPass()`.
    public var deviceCanAddPasses: Bool
    public var issuer: IssuerEligibility
    /// `canAddSecureElementPass(primaryAccountIdentifier:)`.
    public var libraryCanAdd: Bool
    /// The card's passes that the library shows, and those that this app added and the library hides.
    public var passes: [HeldPass]
    public var watch: WatchPresence

    public init(
        deviceCanAddPasses: Bool, issuer: IssuerEligibility, libraryCanAdd: Bool, passes: [HeldPass], watch: WatchPresence = .unknown
    ) {
        self.deviceCanAddPasses = deviceCanAddPasses
        self.issuer = issuer
        self.libraryCanAdd = libraryCanAdd
        self.passes = passes
        self.watch = watch
    }

    public var eligibility: ProvisioningEligibility {
        guard deviceCanAddPasses else { return .notSupported }
        if case .disabled(let code, let reason) = issuer { return .disabledByIssuer(code: code, reason: reason) }
        let holders = Set(passes.map(\.device))
        let isHere = holders.contains(.thisDevice)
        // A device without the pass makes the library say "can add", unless the app may not ask.
        guard libraryCanAdd || isHere else { return .notEntitled }
        var free: [PassHolder] = isHere ? [] : [.thisDevice]
        if watchCanTake, !holders.contains(.watch) { free.append(.watch) }
        guard free.isEmpty else { return .addable(free) }
        let pending = PassHolder.allCases.filter { device in
            passes.contains { $0.device == device && ($0.activation == .requiresActivation || $0.activation == .activating) }
        }
        return pending.isEmpty ? .complete : .pendingActivation(pending)
    }

    /// In reach, the watch counts even where the library forgets it. Of a watch that nobody knows about, the library alone can
    /// tell: what it could still add, when it sees the pass on this device, is the watch's.
    private var watchCanTake: Bool {
        switch watch {
        case .inReach: true
        case .unknown: libraryCanAdd && passes.contains { $0.device == .thisDevice && $0.isVisible }
        case .none, .outOfReach: false
        }
    }
}
