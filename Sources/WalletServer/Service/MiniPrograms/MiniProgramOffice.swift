import BillfoldServer
import BillfoldStorage
import HTTPTypes
package import MiniPrograms

/// What operators of the platform do, each action with its line in the audit trail.
///
/// What moves trust takes two persons in the console (``WalletActions``): registering parties, granting permissions, approving and
/// releasing. Rejecting, cancelling and taking down only take away.
package struct MiniProgramOffice: Sendable {
    let context: WalletContext
    let side: WalletConfiguration.SuperApp
    let releases: ReleaseService
    let delivery: DeliveryService

    // MARK: Parties

    /// Opens a workspace, or renames it. Refuses with `identity-taken` one that is known as of the other kind.
    package func register(_ workspace: MiniProgramWorkspace, by actor: String) async throws {
        try await write("workspace.register", object: workspace.id, result: workspace.kind.rawValue, by: actor) { tx, _ in
            try SignerRecords.put(workspace, in: tx)
        }
    }

    /// Registers an author, or replaces its own data, keys included. Refuses with `unusable-key`, and with `not-found` for a workspace
    /// that is none.
    package func register(_ author: MiniProgramAuthor, by actor: String) async throws {
        guard CallKey.ring(author.keys) != nil, author.packageRing != nil else {
            throw WalletError(code: .unusableKey, reason: "an author has RSA keys for calls and keys for packages")
        }
        let versions = author.keys.map { String($0.version) }.joined(separator: ", ")
        try await write(
            "author.register", object: author.id, result: "\(author.isOpen ? "open" : "closed"), keys \(versions)", by: actor
        ) { tx, now in
            for workspace in author.workspaces where try SignerRecords.workspace(workspace, in: tx) == nil {
                throw WalletError(code: .notFound, reason: "there is no workspace \(workspace)")
            }
            return try SignerRecords.put(author, at: now, in: tx)
        }
    }

    /// Registers a merchant's client, or replaces its own data, keys included. Refuses with `unusable-key`.
    package func register(_ client: OAuthClient, by actor: String) async throws {
        guard CallKey.ring(client.keys) != nil else { throw WalletError(code: .unusableKey, reason: "a client has RSA keys") }
        let versions = client.keys.map { String($0.version) }.joined(separator: ", ")
        try await write(
            "client.register", object: client.id, result: "\(client.isOpen ? "open" : "closed"), keys \(versions)", by: actor
        ) { tx, now in
            try SignerRecords.put(client, at: now, in: tx)
        }
    }

    /// The body says whether anything changed: what did not has no line.
    private func write(
        _ action: String, object: String, result: String, by actor: String,
        _ body: @Sendable @escaping (any Transaction, Timestamp) throws -> Bool
    ) async throws {
        let (now, context) = (context.now(), context)
        try await context.database.writeRepeatably { tx in
            guard try body(tx, now) else { return }
            try context.audit(action, object: object, result: result, by: actor, at: now, in: tx)
        }
    }

    // MARK: Mini programs

    /// Replaces what a mini program is granted. Scopes hold at once, everything else in builds made afterwards. Refuses with `not-found`.
    package func grant(_ grant: HostedMiniProgram.Grant, to appID: String, by actor: String, reason: String) async throws {
        let text = [
            "features \(grant.features.joined(separator: " "))", "interfaces \(grant.customInterfaces.joined(separator: " "))",
            "scenes \(grant.scenes.joined(separator: " "))",
            "scopes \(grant.scopes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))", reason,
        ].joined(separator: "; ")
        try await change(appID, action: "mini-program.grant", result: text, by: actor) { $0.grant = grant }
    }

    /// Takes a mini program down, whatever of it is released, or lets it be delivered again. Refuses with `not-found`.
    package func setOpen(_ isOpen: Bool, appID: String, by actor: String, reason: String) async throws {
        try await change(appID, action: isOpen ? "mini-program.restore" : "mini-program.take-down", result: reason, by: actor) {
            $0.isOpen = isOpen
        }
    }

    private func change(
        _ appID: String, action: String, result: String, by actor: String,
        _ body: @Sendable @escaping (inout HostedMiniProgram) -> Void
    ) async throws {
        try await write(action, object: appID, result: result, by: actor) { tx, _ in
            guard var app = try MiniProgramRecords.take(appID, in: tx) else {
                throw WalletError(code: .notFound, reason: "there is no such mini program")
            }
            body(&app)
            try MiniProgramRecords.update(app, in: tx)
            return true
        }
    }

    /// Moves a build one step. Refuses with `not-found`, `taken-down`, or `wrong-state`.
    ///
    /// - Parameters:
    ///   - event: `ReleaseState` says from where it can be taken.
    ///   - appID: The mini program.
    ///   - version: With its stamp.
    ///   - users: The new test group, by users' numbers; nil leaves it.
    ///   - request: An approval's id. The same step under the same id does nothing more.
    ///   - actor: Who takes it, for the audit trail.
    ///   - reason: Why, for the audit trail.
    @discardableResult
    package func take(
        _ event: ReleaseState.Event, appID: String, version: MiniProgramVersion, users: [String]? = nil, request: String? = nil,
        by actor: String, reason: String
    ) async throws -> MiniProgramBuild {
        do {
            return try await releases.take(
                .init(
                    appID: appID, version: version, event: event, pilotUsers: try users.map { try ReleaseService.pilotUsers($0) },
                    request: request, reason: reason), by: actor)
        } catch let error as MiniProgramError {
            throw WalletError(code: .init(error.code.description, .conflict), reason: error.reason)
        }
    }

    // MARK: Reading

    /// In the order of their ids, after one.
    package func miniPrograms(after last: String = "", limit: Int = 100) async throws -> [HostedMiniProgram] {
        try await context.database.read { try MiniProgramRecords.list(after: last, limit: limit, in: $0) }
    }

    /// The builds of a mini program, the newest first.
    package func builds(of appID: String) async throws -> [MiniProgramBuild] {
        try await context.database.read { try MiniProgramRecords.builds(appID, in: $0) }.reversed()
    }

    package func authors(limit: Int = 100) async throws -> [MiniProgramAuthor] {
        try await context.database.read { try SignerRecords.authors(limit: limit, in: $0) }
    }

    package func clients(limit: Int = 100) async throws -> [OAuthClient] {
        try await context.database.read { try SignerRecords.clients(limit: limit, in: $0) }
    }

    package func workspaces(limit: Int = 100) async throws -> [MiniProgramWorkspace] {
        try await context.database.read { try SignerRecords.workspaces(limit: limit, in: $0) }
    }

    /// Why a user gets the version that they get (mini-programs.md#failures). Refuses with `not-found` or `taken-down`.
    ///
    /// - Parameter user: A user's number; nil for somebody who is not signed in.
    package func choice(of appID: String, user: String?, container: MiniProgramVersion) async throws -> VersionChoice {
        try await delivery.choice(appID, user: user, container: container).choice
    }

    /// The codes that open a mini program: its link, and what a printed code says, by the codes' ids.
    package func codes(of appID: String) async throws -> [(id: String, deepLink: String, content: String)] {
        try await delivery.codes(of: appID).map { ($0.id, $0.deepLink, $0.content) }
    }

    /// A promotion code for a link or a page: it cannot be opened before it is decoded (mini-programs.md#promotion-codes).
    package func promotionCode(for target: String) -> String { PromotionCode(host: side.codeHost).text(for: target) }
}
