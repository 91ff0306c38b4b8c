import BillfoldJSON
import BillfoldServer
import HTTPTypes
import MiniPrograms

/// The platform's actions that wait for a second person.
///
/// - `mini-program-approve`, `-reject`, `-pilot`, `-gray`, `-release`, `-roll-back`, `-cancel`, `-archive`: the subject is
///   `<appId>@<version>`; detail `{"reason","percent"?,"users"?}`
/// - `mini-program-grant`: the subject is the app id; detail `{"reason","grant":{"features"?,"customInterfaces"?,"scenes"?,"scopes"?}}`
/// - `mini-program-take-down`, `mini-program-restore`: the subject is the app id; detail `{"reason"}`
/// - `mini-program-workspace`, `mini-program-author`, `oauth-client`: the subject is the party's id; the detail is what it is registered
///   with
struct MiniProgramActions: Sendable {
    let office: MiniProgramOffice

    private typealias Reader = SuperAppWish.Reader

    var all: [String: ApprovalQueue.Action] {
        let steps: [(String, @Sendable (Reader) throws -> ReleaseState.Event)] = [
            ("approve", { _ in .approve }), ("reject", { _ in .reject }), ("pilot", { _ in .startPilot }),
            ("gray", { .startGrayscale(percent: Int(try $0.integer("percent", in: 1...100))) }), ("release", { _ in .release }),
            ("roll-back", { _ in .rollBack }), ("cancel", { _ in .cancel }), ("archive", { _ in .archive }),
        ]
        var all: [String: ApprovalQueue.Action] = [
            "mini-program-grant": { try await asked($0) { try await grant($0) } },
            "mini-program-take-down": { try await asked($0) { try await setOpen(false, $0) } },
            "mini-program-restore": { try await asked($0) { try await setOpen(true, $0) } },
            "mini-program-workspace": registration(SuperAppWish.workspaceMembers, SuperAppWish.workspace, \.id) {
                try await office.register($0, by: $1)
            },
            "mini-program-author": registration(SuperAppWish.authorMembers, SuperAppWish.author, \.id) {
                try await office.register($0, by: $1)
            },
            "oauth-client": registration(SuperAppWish.clientMembers, SuperAppWish.client, \.id) {
                try await office.register($0, by: $1)
            },
        ]
        for (name, event) in steps {
            all["mini-program-\(name)"] = { request in try await asked(request) { try await step($0, event) } }
        }
        return all
    }

    /// Registers the party that the detail describes. Who approves has seen the subject: the detail may name no other.
    private func registration<Wish: Sendable>(
        _ members: [String], _ read: @Sendable @escaping (Reader) throws(WalletError) -> Wish,
        _ id: @Sendable @escaping (Wish) -> String, _ register: @Sendable @escaping (Wish, String) async throws -> Void
    ) -> ApprovalQueue.Action {
        { request in
            try await asked(request) { request in
                let wish = try read(detail(request, members))
                guard id(wish) == request.subject else {
                    throw WalletError.malformed("the detail is of another party than the subject")
                }
                try await register(wish, people(request))
                return id(wish)
            }
        }
    }

    private func step(_ request: ApprovalRequest, _ event: (Reader) throws -> ReleaseState.Event) async throws -> String {
        let reader = try detail(request, ["reason", "percent", "users"])
        let halves = request.subject.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, let version = MiniProgramVersion(text: String(halves[1])) else {
            throw WalletError.malformed("the subject is not <appId>@<version>")
        }
        let users = reader.object["users"] == nil ? nil : try reader.texts("users", maximum: ReleaseDesk.mostPilotUsers, length: 16)
        return try await office.take(
            event(reader), appID: String(halves[0]), version: version, users: users, request: "approval-\(request.id)",
            by: people(request), reason: reader.text("reason", maximum: 500)
        ).state.name
    }

    private func grant(_ request: ApprovalRequest) async throws -> String {
        let reader = try detail(request, ["reason", "grant"])
        guard let grant = try reader.object("grant", allowing: SuperAppWish.grantMembers) else {
            throw WalletError.malformed("grant is missing")
        }
        try await office.grant(
            SuperAppWish.grant(grant), to: request.subject, by: people(request), reason: reader.text("reason", maximum: 500))
        return "granted"
    }

    private func setOpen(_ isOpen: Bool, _ request: ApprovalRequest) async throws -> String {
        let reason = try detail(request, ["reason"]).text("reason", maximum: 500)
        try await office.setOpen(isOpen, appID: request.subject, by: people(request), reason: reason)
        return isOpen ? "restored" : "taken down"
    }

    private func detail(_ request: ApprovalRequest, _ members: [String]) throws(WalletError) -> Reader {
        try Reader(Array(request.detail.utf8), allowing: members)
    }

    private func people(_ request: ApprovalRequest) -> String {
        [request.requestedBy, request.decidedBy].compactMap(\.self).joined(separator: ", ")
    }

    /// A refusal of the wallet means that nothing changed.
    private func asked(_ request: ApprovalRequest, _ body: (ApprovalRequest) async throws -> String) async throws -> String {
        do {
            return try await body(request)
        } catch let error as WalletError {
            throw ServerError(Refusal(error))
        }
    }
}
