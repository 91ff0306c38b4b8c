import AppContainer
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import MiniPrograms

/// `mini-program lint`: says what is missing, misspelt, left over or dangerous in a mini program's files.
struct MiniProgramLintCommand: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Say what is missing, misspelt, left over or dangerous in a mini program's files.",
        discussion: """
            Defects exit with 1, warnings do not. With --domain, addresses in scripts are held against the list of servers that the \
            platform has; without it they are not looked at. Syntax is for pack and run.
            """)

    @Argument(help: "The mini program's folder, or a package; its signature is not looked at.") var program: String
    @Option(help: "A server that the platform lists, such as api.shop.example or *.shop.example; may be repeated.") var domain: [String] =
        []
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> CommandReply {
        let files =
            try MiniProgramSource.isFolder(program)
            ? MiniProgramFolder(MiniProgramSource.folder(program)).files : PackageFile.read(program).files
        let findings = MiniProgramLint(files: files, serverDomains: domain.isEmpty ? nil : domain).findings()
        let first = findings.first { $0.severity == .defect }
        var object = JSONObject([
            .init("outcome", .string(first == nil ? "accepted" : "refused")), .init("files", .number(String(files.count))),
            .init("findings", .array(findings.map(\.json))),
        ])
        if let first { object["error"] = .object(JSONObject([.init("code", .string(first.code)), .init("reason", .string(first.cause))])) }
        let text = DiagnosisText(usesColour: isatty(STDOUT_FILENO) == 1).render(Diagnosis(findings: findings))
        return CommandReply(text: text, object: object, exitCode: first == nil ? 0 : 1)
    }
}

extension MiniProgramSource {
    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// A path that has to be a folder's.
    static func folder(_ path: String) throws(CommandFailure) -> URL {
        guard isFolder(path) else { throw CommandFailure(.refused, code: "unreadable-file", reason: "\(path) is no folder") }
        return URL(filePath: path)
    }

    /// esbuild, where it is in the search path.
    static var packer: ESBuildPacker? { ESBuildPacker.find(in: ProcessInfo.processInfo.environment["PATH"] ?? "") }
}
