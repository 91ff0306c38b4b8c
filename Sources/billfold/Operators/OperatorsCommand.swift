import ArgumentParser
import BillfoldDiagnosis
import BillfoldServer
import Foundation

/// `billfold operators`: who may sign in at the console.
struct OperatorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operators", abstract: "Add, disable and list the console's operators, and give them new passwords.",
        discussion: """
            They work on the store that the servers use, which db migrate prepares, and each change is a row in the audit trail. \
            Servers need not stop for it: where one has a SQLite file open, that server does it.
            """, subcommands: [OperatorsAdd.self, OperatorsDisable.self, OperatorsList.self, OperatorsReset.self])
}

/// `operators add`.
struct OperatorsAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an operator.",
        discussion: "Roles: viewer, operator (asks for refunds), approver, administrator (reads the audit trail). None includes another.")

    @Argument(help: "1 to 64 letters, digits, '-', '_', '.' or '@'.") var name: String
    @Option(help: "Comma-separated roles.", transform: Self.roles) var roles: Set<OperatorRole>
    @OptionGroup var password: NewPassword
    @OptionGroup var options: OperatorsOptions

    func run() async throws {
        try await options.answer {
            .addOperator(name: name, password: try password.read().reveal(), roles: roles.sorted { $0.rawValue < $1.rawValue })
        } _: { _ in
            let list = StoreRequest.words(roles)
            return DatabaseAnswer(
                text: "\(name) can sign in as \(list.joined(separator: ", "))", object: ["operator": name, "roles": list])
        }
    }

    private static func roles(_ text: String) throws -> Set<OperatorRole> {
        Set(
            try text.split(separator: ",").map { word in
                guard let role = OperatorRole(rawValue: String(word)) else {
                    throw ValidationError("The roles are \(OperatorRole.allCases.map(\.rawValue).joined(separator: ", ")).")
                }
                return role
            })
    }

    func validate() throws {
        if roles.isEmpty { throw ValidationError("Name at least one role.") }
    }
}

/// `operators disable`.
struct OperatorsDisable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "End an operator's sessions and let them sign in no more.")

    @Argument(help: "Who.") var name: String
    @OptionGroup var options: OperatorsOptions

    func run() async throws {
        try await options.answer {
            .disableOperator(name: name)
        } _: { _ in
            DatabaseAnswer(text: "\(name) cannot sign in any more", object: ["operator": name])
        }
    }
}

/// `operators list`.
struct OperatorsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the operators and their roles.")

    @OptionGroup var options: OperatorsOptions

    func run() async throws {
        try await options.answer {
            .operators
        } _: { answer in
            guard case .operators(let operators) = answer else {
                throw CommandFailure(.ourFault, code: "internal", reason: "the answer is another request's")
            }
            let rows =
                [["NAME", "ROLES", "ADDED", "DISABLED"]]
                + operators.map {
                    [
                        $0.name, $0.roles.joined(separator: ","), Self.text($0.addedAt),
                        $0.disabledAt.map(Self.text) ?? "-",
                    ]
                }
            return DatabaseAnswer(
                text: operators.isEmpty ? "no operators" : KeysList.table(rows),
                object: [
                    "operators": operators.map { each in
                        var object: [String: Any] = [
                            "name": each.name, "roles": each.roles, "addedAt": Self.text(each.addedAt),
                        ]
                        object["disabledAt"] = each.disabledAt.map(Self.text)
                        return object
                    }
                ])
        }
    }

    private static func text(_ microseconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(microseconds / 1_000_000)).ISO8601Format()
    }
}

/// `operators reset`.
struct OperatorsReset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Give an operator a new password.",
        discussion: "Ends their sessions. One who was disabled can sign in again.")

    @Argument(help: "Who.") var name: String
    @OptionGroup var password: NewPassword
    @OptionGroup var options: OperatorsOptions

    func run() async throws {
        try await options.answer {
            .resetOperator(name: name, password: try password.read().reveal())
        } _: { _ in
            DatabaseAnswer(text: "\(name) has a new password", object: ["operator": name])
        }
    }
}
