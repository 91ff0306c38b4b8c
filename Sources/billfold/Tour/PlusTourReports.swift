import Foundation

/// Has the gateway's reports made: by this program again, on the store of a gateway that was stopped for it.
struct PlusTourReports: Sendable {
    let executable: String
    let folder: String
    let gateway: PartyProcess?

    /// The files of a day, by name. Refuses with `reports-not-made`.
    func make(_ day: String) async throws -> [(name: String, bytes: [UInt8])] {
        await gateway?.stop()
        let place = "\(folder)/reports-\(day)"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = ["alipay-plus", "reports", "--day", day, "--to", place, "--data", folder, "--json"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch {
            throw CommandFailure(.ourFault, code: "process-not-started", reason: "the reports could not be asked for")
        }
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        struct Reply: Decodable { var files: [String] }
        guard process.terminationStatus == 0, let reply = try? JSONDecoder().decode(Reply.self, from: said) else {
            throw CommandFailure(
                .refused, code: "reports-not-made", reason: "the reports were not made: \(String(decoding: said, as: UTF8.self))")
        }
        return try reply.files.map { path in
            guard let data = FileManager.default.contents(atPath: path) else {
                throw CommandFailure(.refused, code: "reports-not-made", reason: "\(path) is not there")
            }
            return ((path as NSString).lastPathComponent, [UInt8](data))
        }
    }
}
