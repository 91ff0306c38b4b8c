import ArgumentParser
import BillfoldJSON

/// `billfold version`: what `--version` says, for programs too.
struct VersionCommand: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Say the version, the commit that it was built from, and the build.")

    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> CommandReply {
        let build = BuildDescription()
        return CommandReply(
            text: build.text,
            object: JSONObject([
                .init("version", .string(build.version)), .init("commit", .string(build.commit)), .init("build", .string(build.build)),
                .init("system", .string(build.system)),
            ]))
    }
}
