import BillfoldJSON
import BillfoldServer
import BillfoldStorage
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

    var all: [String: ApprovalAction] {
        let steps: [(String, @Sendable (Reader) throws(WalletError) -> ReleaseState.Event)] = [
            ("approve", { _ in .approve }), ("reject", { _ in .reject }), ("pilot", { _ in .startPilot }),
            ("gray", { reader throws(WalletError) in .startGrayscale(percent: Int(try reader.integer("percent", in: 1...100))) }),
            ("release", { _ in .release }), ("roll-back", { _ in .rollBack }), ("cancel", { _ in .cancel }), ("archive", { _ in .archive }),
        ]
        var all: [String: ApprovalAction] = [
            "mini-program-grant": action(["grant", "reason"], of: program) { _, reader throws(WalletError) in
                guard let grant = try reader.object("grant", allowing: SuperAppWish.grantMembers) else {
                    throw Reader.malformed("grant", "is missing")
                }
                return (try SuperAppWish.grant(grant), try Self.reason(reader))
            } run: { request, wish in
                try await office.grant(wish.0, to: request.subject, by: request.people, reason: wish.1)
                return "granted"
            },
            "mini-program-take-down": opening(false), "mini-program-restore": opening(true),
            "mini-program-workspace": registration(SuperAppWish.workspaceMembers, reading: SuperAppWish.workspace, id: \.id) {
                try await office.register($0, by: $1)
            },
            "mini-program-author": registration(SuperAppWish.authorMembers, reading: SuperAppWish.author, id: \.id) {
                try await office.register($0, by: $1)
            },
            "oauth-client": registration(SuperAppWish.clientMembers, reading: SuperAppWish.client, id: \.id) {
                try await office.register($0, by: $1)
            },
        ]
        for (name, event) in steps { all["mini-program-\(name)"] = step(event) }
        return all
    }

    // MARK: The actions

    /// Registers the party that the detail describes. Who approves has seen the subject: the detail may name no other.
    private func registration<Wish: Sendable>(
        _ members: [String], reading read: @Sendable @escaping (Reader) throws(WalletError) -> Wish,
        id: @Sendable @escaping (Wish) -> String, _ register: @Sendable @escaping (Wish, String) async throws -> Void
    ) -> ApprovalAction {
        action(members, of: { .init("Register", $0) }) { subject, reader throws(WalletError) in
            let wish = try read(reader)
            guard ExactText.equal(id(wish), subject) else {
                throw WalletError.malformed("the detail is of another party than the subject")
            }
            return wish
        } run: { request, wish in
            try await register(wish, request.people)
            return id(wish)
        }
    }

    private struct Step: Sendable {
        var event: ReleaseState.Event
        var appID: String
        var version: MiniProgramVersion
        var users: [String]?
        var reason: String
    }

    private func step(_ event: @Sendable @escaping (Reader) throws(WalletError) -> ReleaseState.Event) -> ApprovalAction {
        action(["percent", "users", "reason"], of: program) { subject, reader throws(WalletError) in
            let halves = subject.split(separator: "@", omittingEmptySubsequences: false)
            guard halves.count == 2, let version = MiniProgramVersion(text: String(halves[1])) else {
                throw WalletError.malformed("the subject is not <appId>@<version>")
            }
            let users = reader.object["users"] == nil ? nil : try reader.texts("users", maximum: ReleaseService.mostPilotUsers, length: 16)
            return Step(
                event: try event(reader), appID: String(halves[0]), version: version, users: users, reason: try Self.reason(reader))
        } run: { request, step in
            try await office.take(
                step.event, appID: step.appID, version: step.version, users: step.users, request: "approval-\(request.id)",
                by: request.people, reason: step.reason
            ).state.name
        }
    }

    private func opening(_ isOpen: Bool) -> ApprovalAction {
        action(["reason"], of: program) { _, reader throws(WalletError) in
            try Self.reason(reader)
        } run: { request, reason in
            try await office.setOpen(isOpen, appID: request.subject, by: request.people, reason: reason)
            return isOpen ? "restored" : "taken down"
        }
    }

    private static func reason(_ reader: Reader) throws(WalletError) -> String { try reader.text("reason", maximum: 500) }

    // MARK: Reading and running

    /// An action whose detail is read by the same rules when it is asked for and when it is run.
    private func action<Wish: Sendable>(
        _ members: [String], of heading: @Sendable @escaping (String) async throws -> ApprovalAction.Line,
        read: @Sendable @escaping (String, Reader) throws(WalletError) -> Wish,
        run: @Sendable @escaping (ApprovalRequest, Wish) async throws -> String
    ) -> ApprovalAction {
        ApprovalAction { subject, bytes in
            try await asked {
                let reader = try Reader(bytes, allowing: members)
                _ = try read(subject, reader)
                let inOrder = members.compactMap { member in reader.object[member].map { JSONObject.Member(member, $0) } }
                return ApprovalAction.Wish(
                    detail: JSONObject(inOrder), lines: [try await heading(subject)] + inOrder.flatMap { Self.lines($0.key, $0.value) })
            }
        } run: { request in
            try await asked {
                try await run(request, read(request.subject, Reader(Array(request.detail.utf8), allowing: members)))
            }
        }
    }

    /// A mini program's name beside its id, with the version where the subject has one. What nobody knows is refused when it is run.
    @Sendable private func program(_ subject: String) async throws -> ApprovalAction.Line {
        let appID = String(subject.prefix { $0 != "@" })
        let app = try await office.context.database.read { tx in try MiniProgramRecords.find(appID, in: tx) }
        return .init("Mini program", [app?.profile.name, subject].compactMap(\.self).joined(separator: ", "))
    }

    /// A detail's members in words: what lies deeper is named by its path.
    private static func lines(_ path: String, _ value: JSONValue) -> [ApprovalAction.Line] {
        switch value {
        case .null: []
        case .object(let object): object.members.flatMap { lines("\(path).\($0.key)", $0.value) }
        case .array(let values) where values.allSatisfy({ $0.scalar != nil }):
            [.init(path, values.compactMap(\.scalar).joined(separator: ", "))]
        case .array(let values): values.enumerated().flatMap { lines("\(path) \($0.offset + 1)", $0.element) }
        default: [.init(path, value.scalar ?? value.text)]
        }
    }

    /// A refusal of the wallet means that nothing changed.
    private func asked<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as WalletError {
            throw ServerError(Refusal(error))
        }
    }
}
