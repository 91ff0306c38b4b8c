package import BillfoldDiagnosis
import Foundation
import HTTPTypes
import Hummingbird

/// Examines artifacts and says what is wrong with them. Given at composition, for the knowledge is the protocols'. It runs away from
/// requests and ends soon after its budget is over; what it returns is masked.
package typealias ConsoleDoctor = @Sendable ([Artifact], DiagnosisBudget) -> Diagnosis

/// `GET /doctor`, the form, and `POST /doctor` `{"artifacts":[{"name","bytes": base64}]}`, the page with the findings. Nothing of
/// an artifact is stored, logged or sent back: keys may be among them.
///
/// A diagnosis ends with its time, 503 `deadline-exceeded`, and when its reader has gone. Who has too many under way is answered 429
/// `rate-limited`, and 503 `unavailable` where all places are taken.
struct DoctorRoutes: Sendable {
    static let mostFiles = 12
    static let mostBytes = 262_144
    /// Of hashing passwords, over all files of one submission: one file of a careful writer, or some hundreds of usual ones.
    static let mostRounds = 3_000_000

    private struct Submission: Decodable {
        var artifacts: [[String: String]]
    }

    let doctor: ConsoleDoctor
    let pool: WorkPool
    /// Shorter than what a request may take, so that it is answered.
    let limit: Duration
    let page: @Sendable (Diagnosis?, ServerRequestContext) throws -> Response

    func add(to router: some RouterMethods<ServerRequestContext>) {
        router.get("/doctor") { [page] _, context in try page(nil, context) }
        router.post("/doctor") { [doctor, page, pool, limit] request, context in
            let person = try context.operatorInRole(.viewer)
            let artifacts = try Self.artifacts(try await request.decoded(Submission.self, of: ["artifacts"], upTo: 1_048_576))
            // Persons who signed in share nothing; others are known by their address.
            let caller = context.operatorSession == nil ? CallerName.of(context.remoteAddress) : "operator \(person.name)"
            let diagnosis = try await context.whileReaderWaits {
                try await pool.run(for: caller, within: limit) { ticket in
                    doctor(artifacts, DiagnosisBudget(rounds: Self.mostRounds) { ticket.isCancelled })
                }
            }
            return try page(diagnosis, context)
        }
    }

    private static func artifacts(_ submission: Submission) throws -> [Artifact] {
        guard (1...mostFiles).contains(submission.artifacts.count) else {
            throw malformed("1 to \(mostFiles) artifacts are examined at once")
        }
        return try submission.artifacts.map { item in
            guard item.count == 2, let name = item["name"], let text = item["bytes"] else {
                throw malformed("the body is {\"artifacts\":[{\"name\",\"bytes\"}]} and nothing else")
            }
            guard (1...128).contains(name.unicodeScalars.count) else { throw malformed("an artifact's name has 1 to 128 characters") }
            guard let bytes = Data(base64Encoded: text), bytes.count <= mostBytes else {
                throw malformed("an artifact is base64 of at most \(mostBytes) bytes")
            }
            return Artifact(name: name, bytes: Array(bytes))
        }
    }

    private static func malformed(_ reason: String) -> ServerError {
        ServerError(code: .malformedRequest, reason: reason, status: .unprocessableContent)
    }
}
