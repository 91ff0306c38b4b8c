import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// `sandbox register`: a party of the caller's own in place of one that the sandbox plays.
struct SandboxRegister: ReplyingCommand {
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case merchant, bank, acquirer, author
        case superApp = "super-app"

        /// Whether a party in it has keys under its name, which a later registration ends.
        var holdsKeys: Bool { self != .bank && self != .superApp }
    }

    static let standardName = "Own party"
    static let standardOrigins = ["http://127.0.0.1:3000", "http://localhost:3000"]

    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Register a party of your own, and write what its program needs to know.",
        discussion: """
            Roles: merchant (card payments and express orders), bank (provisioning), acquirer (the payment sheet), super-app and author (mini \
            programs). Keys are made in the folder of --to where it holds none, and used again when it does; with --key yours are registered. \
            The folder gets an env file with addresses, identifiers, the files of private keys, and the bearer that the sandbox gives: the \
            file is for its owner alone. Doing it again into the same folder registers the same party anew; a merchant's API key is a new one \
            each time. A name that is registered into another folder is taken: see sandbox parties and sandbox end. Test mode only.
            """)

    @Argument(help: "merchant, bank, acquirer, super-app or author.") var role: Role
    @Option(help: "The party's name; its identifiers are made from it.") var name = Self.standardName
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
    @Flag(help: "Take a name that is registered into another folder: the keys there end.") var replace = false
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
        let path = to ?? "billfold-\(role.rawValue)"
        var entry = OwnParties.Entry(
            role: role.rawValue, name: name, slug: OwnPartyRegistration.slug(of: name), folder: OwnPartyFolder.place(of: path),
            registeredAt: Date().ISO8601Format(), space: space)
        let parties = OwnParties(place.data, words: place.words)
        let earlier = role.holdsKeys ? try parties.take(entry, replacing: replace) : nil
        do {
            let folder = try OwnPartyFolder(path, key: key)
            // Links are followed where the folder is there.
            entry.folder = OwnPartyFolder.place(of: path)
            do {
                let (party, file) = try await register(addresses, into: folder)
                entry.variables = Dictionary(party.variables.filter { !$0.isSecret }.map { ($0.name, $0.value) }) { first, _ in first }
                if role.holdsKeys { try parties.keep(entry) }
                return answer(party, file: file, ended: ended(by: entry, of: earlier))
            } catch {
                // Who is not registered has no use for keys.
                folder.discard()
                throw error
            }
        } catch {
            if role.holdsKeys { try? parties.giveBack(entry, to: earlier) }
            throw error
        }
    }

    private func register(
        _ addresses: ServedAddresses, into folder: OwnPartyFolder
    ) async throws -> (OwnPartyRegistration.Party, file: String) {
        let origins = address.compactMap(Self.origin)
        let registration = OwnPartyRegistration(
            place: place, addresses: addresses, folder: folder, name: name, origins: origins.isEmpty ? Self.standardOrigins : origins,
            givesSpace: space)
        var party = try await registration.party(of: role)
        party.steps += registration.clockSteps(of: role)
        return (party, try folder.write(party.variables, to: "\(role.rawValue).env"))
    }

    /// What does not work any more, in words; `nil` where there was nothing before.
    private func ended(by entry: OwnParties.Entry, of earlier: OwnParties.Entry?) -> String? {
        guard let earlier else { return nil }
        guard earlier.folder.utf8.elementsEqual(entry.folder.utf8) else { return "the keys in \(earlier.folder) have ended" }
        return role == .merchant ? "its API key is a new one, and the one before has ended" : nil
    }

    private func answer(_ party: OwnPartyRegistration.Party, file: String, ended: String?) -> CommandReply {
        let reading = "your program's settings, in a shell: set -a; . \(OwnPartyFolder.quoted(file)); set +a"
        let steps = [reading] + party.steps
        let first = steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
        let text =
            [
                "registered \(role.rawValue) \(name)\(ended.map { "; " + $0 } ?? ""); \(file) says what its program needs",
                "what to build first:",
            ] + first
        return CommandReply(
            text: DiagnosisText.lines(text),
            object: JSONObject([
                .init("role", .string(role.rawValue)), .init("name", .string(name)), .init("ended", ended.map(JSONValue.string) ?? .null),
                .init("env", .string(file)),
                .init("variables", .object(JSONObject(party.variables.filter { !$0.isSecret }.map { .init($0.name, .string($0.value)) }))),
                .init("steps", .array(steps.map(JSONValue.string))),
            ]))
    }
}

extension DiagnosisText {
    /// Several lines, each printable.
    static func lines(_ lines: [String]) -> String { lines.map { printable($0) }.joined(separator: "\n") }
}
