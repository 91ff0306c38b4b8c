import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// `sandbox register`: a party of the caller's own in place of one that the sandbox plays.
struct SandboxRegister: ReplyingCommand {
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case merchant, bank, acquirer, author
        case superApp = "super-app"
    }

    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Register a party of your own, and write what its program needs to know.",
        discussion: """
            Roles: merchant (card payments and express orders), bank (provisioning), acquirer (the payment sheet), super-app and author (mini \
            programs). Keys are made in the folder of --to where it holds none, and used again when it does; with --key yours are registered. \
            The folder gets an env file with addresses, identifiers, the files of private keys, and the bearer that the sandbox gives: the \
            file is for its owner alone. Doing it again replaces what is registered under the name. Test mode only.
            """)

    @Argument(help: "merchant, bank, acquirer, super-app or author.") var role: Role
    @Option(help: "The party's name; its identifiers are made from it.") var name = "Own party"
    @Option(help: "The folder for the env file and the keys. Default: billfold- and the role.") var to: String?
    @Option(help: "Your RSA key in PEM, private or public; only the public half is registered. Default: one is made.") var key: String?
    @Option(
        help: "An origin of yours that may be notified, such as http://127.0.0.1:3000; may be repeated. Default: port 3000 of this machine."
    )
    var address: [String] = []
    @Flag(help: "Give a merchant or an acquirer a space: orders that are nobody else's, and a time that its key moves.") var space = false
    @OptionGroup var place: SandboxPlace
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        if space, role != .merchant, role != .acquirer { throw ValidationError("A merchant or an acquirer can have a space.") }
        guard (1...64).contains(name.utf8.count), DiagnosisText.printable(name) == name else {
            throw ValidationError("A name has 1 to 64 bytes, and no control characters.")
        }
    }

    func reply() async throws -> CommandReply {
        let folder = try OwnPartyFolder(to ?? "billfold-\(role.rawValue)", key: key)
        let registration = OwnPartyRegistration(
            place: place, addresses: try place.addresses, folder: folder, name: name,
            origins: address.isEmpty ? ["http://127.0.0.1:3000", "http://localhost:3000"] : address, givesSpace: space)
        let party =
            switch role {
            case .merchant: try await registration.merchant()
            case .bank: try await registration.bank()
            case .acquirer: try await registration.acquirer()
            case .author: try await registration.author()
            case .superApp: try await registration.superApp()
            }
        let file = try folder.write(party.variables, to: "\(role.rawValue).env")
        let first = party.steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
        let text = ["registered \(role.rawValue) \(name); \(file) says what its program needs", "what to build first:"] + first
        return CommandReply(
            text: DiagnosisText.lines(text),
            object: JSONObject([
                .init("role", .string(role.rawValue)), .init("name", .string(name)), .init("env", .string(file)),
                .init("variables", .object(JSONObject(party.variables.filter { !$0.isSecret }.map { .init($0.name, .string($0.value)) }))),
                .init("steps", .array(party.steps.map(JSONValue.string))),
            ]))
    }
}

extension DiagnosisText {
    /// Several lines, each printable.
    static func lines(_ lines: [String]) -> String { lines.map { printable($0) }.joined(separator: "\n") }
}
