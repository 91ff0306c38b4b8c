import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import NIOHTTP1

/// `sandbox clock`: what time it is in one's own part of the sandbox, and a later one.
struct SandboxClock: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock", abstract: "Say what time it is in your part of the sandbox, or move it on.",
        discussion: """
            With the key of a space it is the space's time: what is registered with --space comes due by it, and nobody else's does. Without a \
            key it is everybody's time, which --everybody moves. Time goes forward only. Test mode only.
            """)

    @Option(
        parsing: .unconditional, help: "How far to move it, such as 90s, 16m, 2h or 1d.",
        transform: { text in
            guard let time = WholeTime(argument: text) else { throw ValidationError(WholeTime.advice) }
            return time
        })
    var advance: WholeTime?
    @Option(help: "The file of the key of your space: a merchant's API key, or space.key.") var keyFile: String?
    @Flag(help: "Move everybody's time, that of every space with it.") var everybody = false
    @OptionGroup var place: SandboxPlace
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        if everybody, keyFile != nil { throw ValidationError("A key moves its own space's time; --everybody has none.") }
        if advance != nil, keyFile == nil, !everybody {
            throw ValidationError("Say whose time: --key-file moves your space's, --everybody that of all who share the sandbox.")
        }
    }

    func reply() async throws -> CommandReply {
        let url = try await place.running().sandboxOrigin() + "/clock"
        let key = try keyFile.map { try CommandFile.key($0) }
        let answer =
            if let advance {
                try await LocalClient.send(
                    .PUT, url, key: key, object: JSONObject([.init("advanceSeconds", .number(String(advance.seconds)))]))
            } else {
                try await LocalClient.send(.GET, url, key: key).object()
            }
        let (now, ahead) = (answer["now"]?.string ?? "", answer["offsetSeconds"]?.integer ?? 0)
        let whose = answer["space"]?.string.map { "in the space \($0), \(ahead) seconds ahead of everybody" }
        return CommandReply(
            text: DiagnosisText.printable("\(now) \(whose ?? "for everybody, \(ahead) seconds ahead of the time of day")"), object: answer)
    }
}

/// A whole number of seconds, minutes, hours or days, as people write it.
struct WholeTime: Sendable {
    static let advice = "Time goes forward only, by whole seconds, minutes, hours or days, such as 90s, 16m, 2h or 1d."

    var seconds: Int64

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let last = argument.last, let unit = units[last], (2...9).contains(argument.utf8.count),
            argument.dropLast().utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(argument.dropLast()), number > 0
        else { return nil }
        seconds = number * unit
    }
}
