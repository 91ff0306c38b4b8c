import ArgumentParser
import BillfoldJSON
import Foundation
import Testing

@testable import billfold

/// Every case of `Tests/Field/cases.json`: files as people hold them, the findings in their order and nothing else, and the exit.
@Suite struct FieldCaseTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        var folder: String
        var `case`: String
        var command: [String]
        var findings: [String]
        var exit: Int32

        var testDescription: String { "\(folder) \(`case`)" }

        /// Its folder's path, with a slash behind it.
        var place: String { FieldCaseTests.field.appendingPathComponent(folder).path + "/" }

        /// The command, with the folder in front of its files.
        var arguments: [String] {
            command.map { FileManager.default.fileExists(atPath: place + $0) ? place + $0 : $0 }
        }
    }

    static let field = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Field")
    static let cases: [Case] =
        (try? JSONDecoder().decode([Case].self, from: Data(contentsOf: field.appendingPathComponent("cases.json")))) ?? []

    @Test func thereAreCases() { #expect(Self.cases.count > 90) }

    @Test(arguments: cases) func theDoctorSaysWhatIsWrong(each: Case) async throws {
        let command = try #require(try Billfold.parseAsRoot(each.arguments) as? any ReplyingCommand)
        let reply = try await command.reply()
        let findings = reply.object["findings"]?.array?.compactMap(\.object).map { finding in
            ["severity", "code", "subject"].compactMap { finding[$0]?.string }
        }
        #expect(findings?.map { "\($0[0]) \($0[1]) in \($0[2].replacing(each.place, with: ""))" } == each.findings)
        #expect(reply.exitCode == each.exit)
    }
}
