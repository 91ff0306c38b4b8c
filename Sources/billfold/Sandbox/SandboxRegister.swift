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
    @Option(
        help:
            "Your RSA key in PEM, private or public, or -: only its public half is registered, for all uses. Default: one is made for each."
    ) var key: String?
    @Option(
        help:
            "An origin of yours that may be notified, such as http://127.0.0.1:3000, without a path. Repeatable. Default: port 3000 here."
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
        for address in address where Self.origin(address) == nil {
            throw ValidationError(
                "--address \(DiagnosisText.printable(address)) is no origin: http or https, a host and perhaps a port, without a path, "
                    + "such as http://127.0.0.1:3000.")
        }
    }

    /// The origin that an address names, which may end in a slash; `nil` where it names more or less than one.
    static func origin(_ address: String) -> String? {
        let text = address.hasSuffix("/") ? String(address.dropLast()) : address
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, ["http", "https"].contains(scheme), let host = parts.host,
            !host.isEmpty, parts.user == nil, parts.path.isEmpty, parts.query == nil, parts.fragment == nil
        else { return nil }
        return text
    }

    func reply() async throws -> CommandReply {
        let addresses = try await place.running()
        let folder = try OwnPartyFolder(to ?? "billfold-\(role.rawValue)", key: key)
        let origins = address.compactMap(Self.origin)
        let registration = OwnPartyRegistration(
            place: place, addresses: addresses, folder: folder, name: name,
            origins: origins.isEmpty ? ["http://127.0.0.1:3000", "http://localhost:3000"] : origins, givesSpace: space)
        do {
            var party = try await registered(registration)
            party.steps += registration.clockSteps(of: role)
            let file = try folder.write(party.variables, to: "\(role.rawValue).env")
            return answer(party, file: file)
        } catch {
            // Who is not registered has no use for keys.
            folder.discard()
            throw error
        }
    }

    private func registered(_ registration: OwnPartyRegistration) async throws -> OwnPartyRegistration.Party {
        switch role {
        case .merchant: try await registration.merchant()
        case .bank: try await registration.bank()
        case .acquirer: try await registration.acquirer()
        case .author: try await registration.author()
        case .superApp: try await registration.superApp()
        }
    }

    private func answer(_ party: OwnPartyRegistration.Party, file: String) -> CommandReply {
        let reading = "your program's settings, in a shell: set -a; . \(OwnPartyFolder.quoted(file)); set +a"
        let steps = [reading] + party.steps
        let first = steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
        let text = ["registered \(role.rawValue) \(name); \(file) says what its program needs", "what to build first:"] + first
        return CommandReply(
            text: DiagnosisText.lines(text),
            object: JSONObject([
                .init("role", .string(role.rawValue)), .init("name", .string(name)), .init("env", .string(file)),
                .init("variables", .object(JSONObject(party.variables.filter { !$0.isSecret }.map { .init($0.name, .string($0.value)) }))),
                .init("steps", .array(steps.map(JSONValue.string))),
            ]))
    }
}

extension DiagnosisText {
    /// Several lines, each printable.
    static func lines(_ lines: [String]) -> String { lines.map { printable($0) }.joined(separator: "\n") }
}
