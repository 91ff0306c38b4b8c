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
        struct Item: Decodable {
            var name: String
            var bytes: String
        }
        var artifacts: [Item]
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
            try request.requireMediaType("application/json")
            let artifacts = try Self.artifacts(try await request.body.collect(upTo: 1_048_576).readableBytesView)
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

    private static func artifacts(_ body: some Sequence<UInt8>) throws -> [Artifact] {
        let body = Data(body)
        let submission = try JSONDecoder().decode(Submission.self, from: body)
        try requireKnownMembers(body)
        guard (1...mostFiles).contains(submission.artifacts.count) else {
            throw malformed("1 to \(mostFiles) artifacts are examined at once")
        }
        return try submission.artifacts.map { item in
            guard (1...128).contains(item.name.unicodeScalars.count) else { throw malformed("an artifact's name has 1 to 128 characters") }
            guard let bytes = Data(base64Encoded: item.bytes), bytes.count <= mostBytes else {
                throw malformed("an artifact is base64 of at most \(mostBytes) bytes")
            }
            return Artifact(name: item.name, bytes: Array(bytes))
        }
    }

    /// Refuses a member that nobody reads: it may be meant to say something.
    private static func requireKnownMembers(_ body: Data) throws {
        let object = try JSONSerialization.jsonObject(with: body) as? [String: Any]
        let items = object?["artifacts"] as? [[String: Any]] ?? []
        guard object?.keys.allSatisfy({ $0 == "artifacts" }) ?? false, items.allSatisfy({ Set($0.keys) == ["name", "bytes"] }) else {
            throw malformed("the body is {\"artifacts\":[{\"name\",\"bytes\"}]} and nothing else")
        }
    }

    private static func malformed(_ reason: String) -> ServerError {
        ServerError(code: .malformedRequest, reason: reason, status: .unprocessableContent)
    }
}
