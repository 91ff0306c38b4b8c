import Crypto

/// One version as the platform offers it.
public struct OfferedVersion: Sendable, Hashable {
    public var version: MiniProgramVersion
    public var state: ReleaseState
    /// Who gets it in pilot and grayscale, whatever the share.
    public var pilotUsers: Set<String>
    public var minimumContainer: MiniProgramVersion

    public init(
        version: MiniProgramVersion, state: ReleaseState, pilotUsers: Set<String> = [],
        minimumContainer: MiniProgramVersion = .init(1, 0, 0)
    ) {
        self.version = version
        self.state = state
        self.pilotUsers = pilotUsers
        self.minimumContainer = minimumContainer
    }
}

/// Where a user falls in a gray release: stable, and monotone in the share (mini-programs.md#releases [I]).
public enum GrayRelease {
    /// 0 to 9,999, by a hash of mini program and user: a user keeps it for every version of one mini program, and has another for the next.
    public static func bucket(appID: String, userID: String) -> Int {
        let text = Array("\(appID.utf8.count):\(appID)\(userID)".utf8)
        return Int(SHA256.hash(data: text).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 10_000)
    }

    /// Whether the user is in the share. Whoever is in one is in every larger one.
    ///
    /// - Parameters:
    ///   - appID: The mini program that is released; each one sorts its users anew.
    ///   - userID: The platform's name for the user, the same at every question.
    ///   - percent: 0 to 100.
    public static func includes(appID: String, userID: String, percent: Int) -> Bool {
        bucket(appID: appID, userID: userID) < percent * 100
    }
}

/// Which version a user gets, and why: the answer to "the old version still runs" (mini-programs.md#failures).
public struct VersionChoice: Sendable, Hashable {
    /// Why a version was passed over or chosen.
    public enum Reason: Sendable, Hashable, CustomStringConvertible {
        case released
        case pilotUser
        case inShare(bucket: Int, percent: Int)
        case notOffered(state: String)
        case notPilotUser
        case outsideShare(bucket: Int, percent: Int)
        case containerTooOld(needs: MiniProgramVersion)
        case notRequested(String)

        /// Whether it is a reason to run the version.
        public var isChosen: Bool {
            switch self {
            case .released, .pilotUser, .inShare: true
            default: false
            }
        }

        public var description: String {
            switch self {
            case .released: "fully released"
            case .pilotUser: "the user is listed for the pilot"
            case .inShare(let bucket, let percent): "the user's bucket \(bucket) lies within \(percent) %"
            case .notOffered(let state): "the version is \(state)"
            case .notPilotUser: "the version is in pilot, and the user is not listed"
            case .outsideShare(let bucket, let percent): "the user's bucket \(bucket) lies outside of \(percent) %"
            case .containerTooOld(let needs): "it needs container \(needs)"
            case .notRequested(let request): "it is not \(request)"
            }
        }
    }

    /// One version that was looked at.
    public struct Step: Sendable, Hashable {
        public var version: MiniProgramVersion
        public var reason: Reason
    }

    /// Nil where nothing may run.
    public var version: MiniProgramVersion?
    /// The versions that were looked at, newest first; the last is the chosen one.
    public var steps: [Step]

    /// Chooses the newest version that the user may have.
    public init(
        appID: String, userID: String, offered: [OfferedVersion], container: MiniProgramVersion, request: VersionRequest? = nil
    ) {
        steps = []
        for offer in offered.sorted(by: { $0.version > $1.version }) {
            let reason = Self.reason(offer, appID: appID, userID: userID, container: container, request: request)
            steps.append(Step(version: offer.version, reason: reason))
            if reason.isChosen {
                version = offer.version
                return
            }
        }
    }

    private static func reason(
        _ offer: OfferedVersion, appID: String, userID: String, container: MiniProgramVersion, request: VersionRequest?
    ) -> Reason {
        if let request, !request.matches(offer.version) { return .notRequested(request.description) }
        guard container >= offer.minimumContainer else { return .containerTooOld(needs: offer.minimumContainer) }
        switch offer.state {
        case .released: return .released
        case .pilot: return offer.pilotUsers.contains(userID) ? .pilotUser : .notPilotUser
        case .grayscale(let percent):
            if offer.pilotUsers.contains(userID) { return .pilotUser }
            let bucket = GrayRelease.bucket(appID: appID, userID: userID)
            return bucket < percent * 100 ? .inShare(bucket: bucket, percent: percent) : .outsideShare(bucket: bucket, percent: percent)
        default: return .notOffered(state: offer.state.name)
        }
    }
}

/// What a container does when a mini program is opened (mini-programs.md#updates): a pure decision over what it has and what it was told.
public enum UpdateDecision: Sendable, Hashable {
    /// Nothing is installed, or what is may not run any more: download before it starts.
    case downloadFirst(MiniProgramVersion)
    /// Start what is installed; download the newer one beside it, for the next cold start.
    case startAndDownload(start: MiniProgramVersion, download: MiniProgramVersion)
    case start(MiniProgramVersion)
    /// Nothing is installed, and nothing is offered or the platform cannot be reached.
    case unavailable

    /// - Parameters:
    ///   - installed: The newest version that is whole on the device.
    ///   - offered: What the platform chose for the user; nil where it could not be reached or was not asked.
    ///   - minimum: The oldest version that may still run; nil where every one may.
    ///   - isStale: Whether the installed one was unused for so long that it must not start before an update.
    ///   - mayDownload: False on an expensive network, where the host wishes so. What must be had is downloaded all the same.
    public init(
        installed: MiniProgramVersion?, offered: MiniProgramVersion?, minimum: MiniProgramVersion? = nil, isStale: Bool = false,
        mayDownload: Bool = true
    ) {
        switch (installed, offered) {
        case (nil, nil): self = .unavailable
        case (nil, let offered?): self = .downloadFirst(offered)
        case (let installed?, nil):
            // Offline: what is there runs, unless it was forbidden.
            self = minimum.map { installed < $0 } == true ? .unavailable : .start(installed)
        case (let installed?, let offered?):
            let mustUpdate = minimum.map { installed < $0 } == true || (isStale && offered != installed)
            if mustUpdate {
                self = .downloadFirst(offered)
            } else if offered != installed, mayDownload {
                // An older one is offered after a rollback, and is taken.
                self = .startAndDownload(start: installed, download: offered)
            } else {
                self = .start(installed)
            }
        }
    }

    /// Whether the platform should be asked: at most once in the interval (30 minutes by default, mini-programs.md#updates [D]).
    public static func shouldCheck(secondsSinceLastCheck: Int64?, interval: Int64 = 1_800) -> Bool {
        // A clock that went back must not silence checks for ever.
        secondsSinceLastCheck.map { $0 >= interval || $0 < 0 } ?? true
    }
}
