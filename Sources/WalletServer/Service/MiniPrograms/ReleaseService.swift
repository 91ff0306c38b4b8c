import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import MiniPrograms

/// Moves builds through their states, each step with its line in the audit trail.
struct ReleaseService: Sendable {
    let context: WalletContext

    /// A build that a step moved.
    struct Step: Sendable {
        var appID: String
        var version: MiniProgramVersion
        var event: ReleaseState.Event
        /// The test group, where it changes: users' numbers.
        var pilotUsers: [String]?
        /// Whose mini program it has to be; nil for an operator's step.
        var author: String?
        /// The approval under which an operator's step is taken. Taking it again does nothing more.
        var request: String?
        var reason = ""
    }

    static let mostPilotUsers = 1_000

    /// Takes a step, or refuses it: `not-found`, `taken-down`, `wrong-state`.
    ///
    /// A release archives what was released before it; a rollback archives what is released and releases again what that had replaced, one
    /// step and no more (mini-programs.md#releases [I]).
    @discardableResult
    func take(_ step: Step, by actor: String) async throws -> MiniProgramBuild {
        let now = context.now()
        // Without an approval the call itself: a commit whose answer was lost is found by it.
        let request = step.request ?? "step-\(context.identifiers.next(at: now))"
        let build = try await context.database.writeRepeatably { [self] tx in
            guard let app = try MiniProgramRecords.take(step.appID, in: tx), step.author == nil || step.author == app.author,
                var build = try MiniProgramRecords.build(step.appID, step.version, in: tx)
            else { throw WalletError(code: .notFound, reason: "there is no such build") }
            if build.detail.lastRequest == request { return build }
            guard app.isOpen else { throw WalletError(code: .takenDown, reason: "the mini program was taken down") }
            switch step.event {
            case .rollBack: build = try rollBack(from: build, step, in: tx)
            case .release:
                build.state = try build.state.applying(.release)
                build.detail.replaced = try archiveReleased(of: step.appID, in: tx)?.version.description
            default: build.state = try build.state.applying(step.event)
            }
            if let users = step.pilotUsers { build.detail.pilotUsers = users }
            build.detail.lastRequest = request
            try MiniProgramRecords.update(build, in: tx)
            try context.audit(
                "mini-program.\(Self.name(of: step.event))", object: "\(step.appID)@\(step.version)",
                result: step.reason.isEmpty ? build.state.name : "\(build.state.name): \(step.reason)", by: actor, at: now, in: tx)
            return build
        }
        context.trace.note(
            "mini program \(Self.name(of: step.event))",
            fields: [.init("releaseVersion", build.version.description), .init("state", build.state.name)],
            about: ["mini-program.build": "\(step.appID)@\(step.version)"])
        return build
    }

    /// Archives what is released now.
    private func archiveReleased(of appID: String, in tx: any Transaction) throws -> MiniProgramBuild? {
        guard var released = try MiniProgramRecords.builds(appID, states: [.released], in: tx).last else { return nil }
        released.state = try released.state.applying(.archive)
        try MiniProgramRecords.update(released, in: tx)
        return released
    }

    /// Puts what a released build had replaced in its place, and gives that build, archived, back to be stored.
    private func rollBack(from build: MiniProgramBuild, _ step: Step, in tx: any Transaction) throws -> MiniProgramBuild {
        guard build.state == .released, let text = build.detail.replaced, let version = MiniProgramVersion(text: text),
            var earlier = try MiniProgramRecords.build(build.appID, version, in: tx)
        else { throw MiniProgramError(code: .wrongState, reason: "only a released version that replaced another is rolled back") }
        earlier.state = try earlier.state.applying(.rollBack)
        try MiniProgramRecords.update(earlier, in: tx)
        var build = build
        build.state = try build.state.applying(.archive)
        return build
    }

    static func name(of event: ReleaseState.Event) -> String {
        switch event {
        case .submit: "submit"
        case .withdraw: "withdraw"
        case .reject: "reject"
        case .approve: "approve"
        case .startPilot: "pilot"
        case .startGrayscale: "gray"
        case .release: "release"
        case .cancel: "cancel"
        case .archive: "archive"
        case .rollBack: "roll-back"
        }
    }

    /// Refuses with `malformed-request` what is no list of users' numbers.
    static func pilotUsers(_ numbers: [String]) throws(WalletError) -> [String] {
        guard numbers.count <= mostPilotUsers, numbers.allSatisfy(WalletAccount.isNumber) else {
            throw WalletError(code: .malformedRequest, reason: "users is no list of at most \(mostPilotUsers) users' numbers")
        }
        return Set(numbers).sorted()
    }
}
