import Foundation
import HTTPTypes
import Hummingbird

/// `POST /api/alarms/clearances` `{"payment","alarm","remark"}` → 204: an operator has dealt with an alarm. It moves nothing, so
/// one person is enough.
struct AlarmRoutes: Sendable {
    static let longestRemark = 500

    private struct Clearance: Decodable {
        var payment: String
        var alarm: String
        var remark: String
    }

    let desks: [any ConsoleDesk]

    func add(to router: some RouterMethods<ServerRequestContext>) {
        router.post("/api/alarms/clearances") { [self] request, context in
            let person = try context.operatorInRole(.operator)
            let clearance = try await request.decoded(Clearance.self, of: ["payment", "alarm", "remark"], upTo: 16_384)
            let remark = clearance.remark.trimmingCharacters(in: .whitespacesAndNewlines)
            guard (1...Self.longestRemark).contains(remark.count) else {
                throw ServerError(
                    code: .malformedRequest, reason: "a remark has 1 to \(Self.longestRemark) characters", status: .unprocessableContent)
            }
            guard try await clear(clearance.alarm, of: clearance.payment, remark: remark, by: person.name) else {
                throw ServerError(code: .notFound, reason: "the payment has no open alarm of that name", status: .notFound)
            }
            return Response(status: .noContent)
        }
    }

    private func clear(_ alarm: String, of payment: String, remark: String, by person: String) async throws -> Bool {
        for desk in desks where try await desk.clear(alarm, of: payment, remark: remark, by: person) { return true }
        return false
    }
}
