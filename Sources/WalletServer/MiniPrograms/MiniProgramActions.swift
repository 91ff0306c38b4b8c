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
            "mini-program-workspace": { request in
                try await asked(request) { request in
                    let wish = try SuperAppWish.workspace(detail(request, SuperAppWish.workspaceMembers))
                    try requireSubject(wish.id, request)
                    try await office.register(wish, by: people(request))
                    return wish.id
                }
            },
            "mini-program-author": { request in
                try await asked(request) { request in
                    let wish = try SuperAppWish.author(detail(request, SuperAppWish.authorMembers))
                    try requireSubject(wish.id, request)
                    try await office.register(wish, by: people(request))
                    return wish.id
                }
            },
            "oauth-client": { request in
                try await asked(request) { request in
                    let wish = try SuperAppWish.client(detail(request, SuperAppWish.clientMembers))
                    try requireSubject(wish.id, request)
                    try await office.register(wish, by: people(request))
                    return wish.id
                }
            },
        ]
        for (name, event) in steps {
            all["mini-program-\(name)"] = { request in try await asked(request) { try await step($0, event) } }
        }
        return all
    }

    /// Who approves has seen the subject: the detail may name no other.
    private func requireSubject(_ id: String, _ request: ApprovalRequest) throws(WalletError) {
        guard id == request.subject else { throw .malformed("the detail is of another party than the subject") }
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

    private func detail(_ request: ApprovalRequest, _ members: Set<String>) throws(WalletError) -> Reader {
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
