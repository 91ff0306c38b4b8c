import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// `sandbox parties`: who was registered beside the running sandbox.
struct SandboxParties: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "parties", abstract: "List the parties that were registered with sandbox register, and where their keys are.",
        discussion: "No secret is shown: it stands in the env file of the party's folder.")

    @OptionGroup var place: SandboxPlace
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> CommandReply {
        _ = try await place.running()
        let parties = try OwnParties(place.data).read()
        let lines = parties.map { party in
            ([party.role, party.name, "since \(party.registeredAt)", party.folder] + (party.space ? ["with a space"] : [])
                + party.identifiers.map { "\($0.name)=\($0.value)" }).joined(separator: "  ")
        }
        return CommandReply(
            text: DiagnosisText.lines(lines.isEmpty ? ["nobody: billfold sandbox register ROLE registers a party"] : lines),
            object: JSONObject([
                .init(
                    "parties",
                    .array(
                        parties.map { party in
                            .object(
                                JSONObject([
                                    .init("role", .string(party.role)), .init("name", .string(party.name)),
                                    .init("registeredAt", .string(party.registeredAt)), .init("folder", .string(party.folder)),
                                    .init("space", .bool(party.space)),
                                    .init(
                                        "identifiers",
                                        .object(JSONObject(party.identifiers.map { .init($0.name, .string($0.value)) }))),
                                ]))
                        }))
            ]))
    }
}

/// `sandbox end`: ends the keys of a party, so that its name is free.
struct SandboxEnd: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End the keys of a party that was registered, so that its name is free.",
        discussion: """
            Its API key is not taken any more, and in the place of its other keys stand ones that nobody has. What it has made stays: orders, \
            payments, and its space's time. The files in its folder stay too, and are of no use.
            """)

    @Argument(help: "merchant, acquirer or author.") var role: SandboxRegister.Role
    @Option(help: "The party's name, as it was registered.") var name = SandboxRegister.standardName
    @OptionGroup var place: SandboxPlace
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        if !role.holdsKeys {
            throw ValidationError("A \(role.rawValue) has no keys that end: the sandbox has one bank, and a super app signs nothing.")
        }
    }

    func reply() async throws -> CommandReply {
        let addresses = try await place.running()
        let parties = OwnParties(place.data)
        guard let entry = try parties.find(role.rawValue, named: name) else {
            throw CommandFailure(
                .refused, code: "party-not-found",
                reason: "no \(role.rawValue) was registered here as \(name): billfold sandbox parties\(place.words) lists all")
        }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-end-\(SystemRandomness.name())").path
        let folder = try OwnPartyFolder(path, key: nil)
        // Keys that nobody has once the folder is gone.
        defer { folder.discard() }
        let registration = OwnPartyRegistration(
            place: place, addresses: addresses, folder: folder, name: name, origins: SandboxRegister.standardOrigins,
            givesSpace: entry.space)
        _ = try await registration.party(of: role)
        if role == .merchant { try await registration.endAPIKeys() }
        try parties.giveBack(entry, to: nil)
        return CommandReply(
            text: DiagnosisText.printable("ended \(role.rawValue) \(name); the keys in \(entry.folder) are not taken any more"),
            object: JSONObject([
                .init("role", .string(role.rawValue)), .init("name", .string(name)), .init("ended", true),
                .init("folder", .string(entry.folder)),
            ]))
    }
}
