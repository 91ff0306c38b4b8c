import BillfoldServer
import Foundation
import HTTPTypes

/// Asks another party at the start, when it may not be there yet.
enum PartyPatience {
    /// The answer's body. Asks again while nobody listens, for half a minute; then refuses with `party-unreachable`.
    static func answer(from party: String, sender: any HTTPSender, _ request: OutgoingRequest) async throws -> [UInt8] {
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        while true {
            let answer: OutgoingAnswer
            do throws(SendFailure) {
                answer = try await sender.send(request)
            } catch {
                guard error.code == .notConnected, ContinuousClock.now < end else {
                    throw CommandFailure(.refused, code: "party-unreachable", reason: "\(party) does not answer: \(error.reason)")
                }
                try await Task.sleep(for: .milliseconds(100))
                continue
            }
            guard answer.status.kind == .successful else {
                throw CommandFailure(
                    .refused, code: "party-refused", reason: "\(party) answered \(answer.status.code) when the server started")
            }
            return answer.body
        }
    }
}
