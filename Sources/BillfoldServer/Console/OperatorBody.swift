import Foundation
import HTTPTypes
package import Hummingbird

/// What an operator sends: JSON with no other members than these.
package protocol OperatorBody: Decodable, Sendable {
    static var members: Set<String> { get }
}

extension OperatorBody {
    /// Reads the body of somebody who has the role `operator`. Refuses with `malformed-request`, and with what the role's check refuses.
    package static func read(_ request: Request, _ context: ServerRequestContext) async throws -> (body: Self, person: String) {
        let person = try context.operatorInRole(.operator)
        return (try await request.decoded(Self.self, of: members, upTo: 16_384), person.name)
    }
}

/// Why an operator does something: for the trail.
package struct OperatorRemark: OperatorBody {
    package static let members: Set = ["remark"]
    package var remark: String

    private static let longest = 500

    /// The text without space around it. Refuses with `malformed-request` none, and one that is too long.
    package static func checked(_ text: String) throws(ServerError) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...longest).contains(trimmed.count) else {
            throw ServerError(
                code: .malformedRequest, reason: "a remark has 1 to \(longest) characters", status: .unprocessableContent)
        }
        return trimmed
    }
}
