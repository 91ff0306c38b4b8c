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
        try request.requireMediaType("application/json")
        let bytes = try await Data(request.body.collect(upTo: 16_384).readableBytesView)
        let body = try JSONDecoder().decode(Self.self, from: bytes)
        let sent = try JSONSerialization.jsonObject(with: bytes) as? [String: Any] ?? [:]
        guard Set(sent.keys).isSubset(of: members) else {
            throw ServerError(
                code: .malformedRequest, reason: "the body has a member that this operation does not take", status: .badRequest)
        }
        return (body, person.name)
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
