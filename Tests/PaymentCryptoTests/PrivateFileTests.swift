import Foundation
import PaymentCrypto
import Testing

@Suite struct PrivateFileTests {
    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("private-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func mode(_ path: String) throws -> Int? { try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int }

    @Test func whatIsReplacedIsItsOwnersAlone() throws {
        try inFolder { folder in
            let path = folder.appendingPathComponent("key").path
            try Data([1]).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let long = [UInt8](repeating: 7, count: 300_000)
            try PrivateFile.replace(path, with: long)
            #expect(FileManager.default.contents(atPath: path) == Data(long))
            #expect(try mode(path) == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
        }
    }

    @Test func ofSeveralWritersOneMakesTheFile() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("private-\(UUID().uuidString)").path
        defer { unlink(path) }
        let made = try await withThrowingTaskGroup(of: (UInt8, Bool).self) { group in
            for number in UInt8(1)...20 { group.addTask { (number, try PrivateFile.create(path, with: [number, number])) } }
            return try await group.reduce(into: [UInt8]()) { if $1.1 { $0.append($1.0) } }
        }
        let first = try #require(made.first)
        #expect(made.count == 1)
        #expect(FileManager.default.contents(atPath: path) == Data([first, first]))
        #expect(try mode(path) == 0o600)
    }

    @Test func folderThatIsMissingIsAnError() {
        let error = #expect(throws: PaymentCryptoError.self) { try PrivateFile.replace("/nonexistent/key", with: [1]) }
        #expect(error?.code == .keyStoreUnavailable)
    }
}
