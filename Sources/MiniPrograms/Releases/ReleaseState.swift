/// Where a version stands on its way to users of one super app in one environment (mini-programs.md#releases [D]).
///
/// Pure: a step gives the next state, or a refusal. Who may take it is the platform's matter.
public enum ReleaseState: Sendable, Hashable {
    case created
    case underReview
    case preparation
    /// For the listed users alone.
    case pilot
    /// For a share of all users, 1 to 100, beside the listed ones.
    case grayscale(percent: Int)
    case released
    /// Given up before full release.
    case canceled
    /// Superseded, or taken down.
    case archived

    /// A step. Reviews are of production; rollback is not published and inferred as the release of an archived version [I].
    public enum Event: Sendable, Hashable {
        case submit
        case withdraw
        case reject
        case approve
        case startPilot
        case startGrayscale(percent: Int)
        case release
        case cancel
        case archive
        case rollBack
    }

    /// The documented name.
    public var name: String {
        switch self {
        case .created: "New Version Created"
        case .underReview: "Under Review"
        case .preparation: "Release Preparation"
        case .pilot: "Pilot Testing"
        case .grayscale: "Grayscale Release"
        case .released: "Full Release"
        case .canceled: "Canceled"
        case .archived: "Archived"
        }
    }

    /// Takes a step; `wrong-state` where it cannot be taken from here. A share only grows: a user who had the version keeps it.
    public func applying(_ event: Event) throws(MiniProgramError) -> ReleaseState {
        switch (self, event) {
        case (.created, .submit): .underReview
        case (.underReview, .withdraw), (.underReview, .reject): .created
        case (.underReview, .approve): .preparation
        case (.preparation, .startPilot): .pilot
        case (.preparation, .startGrayscale(let percent)), (.pilot, .startGrayscale(let percent)):
            try Self.grayscale(percent, above: 0)
        case (.grayscale(let now), .startGrayscale(let percent)): try Self.grayscale(percent, above: now)
        case (.preparation, .release), (.pilot, .release), (.grayscale, .release): .released
        case (.preparation, .cancel), (.pilot, .cancel), (.grayscale, .cancel): .canceled
        case (.released, .archive): .archived
        case (.archived, .rollBack): .released
        default: throw MiniProgramError(code: .wrongState, reason: "\(event) cannot be done to a version that is \(name)")
        }
    }

    private static func grayscale(_ percent: Int, above now: Int) throws(MiniProgramError) -> ReleaseState {
        guard (1...100).contains(percent), percent > now else {
            throw MiniProgramError(code: .wrongState, reason: "a share of \(percent) % is not above \(now) and at most 100")
        }
        return .grayscale(percent: percent)
    }
}
