import AlipayPlus
import Foundation
import Hummingbird
import NIOCore

/// The acquirer's check of the reports that it has fetched: against each other, and against its own books.
extension AlipayPlusAcquirerService {
    /// Compares the files of one clearing cycle with what the acquirer believes was paid and given back in it. Refuses with
    /// `day-malformed`.
    func check(_ files: [(name: String, bytes: [UInt8])], of day: String) async throws -> [ReportDifference] {
        guard let cycle = try? ClearingCycle(day: day) else {
            throw SandboxRefusal(code: "day-malformed", reason: "a cycle is a day yyyyMMdd", status: 400)
        }
        let books = try AcquirerBooks.transactions(of: await orders()).filter { cycle.contains($0.transactionTime) }
        return ReportChecker.differences(in: files, books: books)
    }
}

/// `POST /acquirer/v1/reports` `{"day","files":[{"name","text"}]}` → `{"agrees","differences":[{"kind","file","subject"?,"field"?,
/// "expected"?,"found"?}]}`. Files are named as they lie in their folder.
enum AcquirerReports {
    /// Files of more bytes together are refused.
    private static let limit = 16 * 1_048_576

    private struct Asked: StrictBody {
        struct File: Codable, Sendable {
            var name: String
            var text: String
        }
        static let members = ["day", "files"]
        var day: String
        var files: [File]
    }

    private struct Answer: Encodable {
        struct Difference: Encodable {
            var kind: String
            var file: String
            var subject: String?
            var field: String?
            var expected: String?
            var found: String?
        }
        var agrees: Bool
        var differences: [Difference]
    }

    static func answer(_ request: Request, _ service: AlipayPlusAcquirerService) async throws -> Response {
        let asked = try await PartyRequest(request, limit: limit).decode(Asked.self)
        let differences = try await service.check(asked.files.map { ($0.name, Array($0.text.utf8)) }, of: asked.day)
        return try SandboxBody.json(
            Answer(
                agrees: differences.isEmpty,
                differences: differences.map {
                    .init(
                        kind: $0.kind.rawValue, file: $0.file, subject: $0.subject, field: $0.field, expected: $0.expected, found: $0.found)
                }))
    }
}
