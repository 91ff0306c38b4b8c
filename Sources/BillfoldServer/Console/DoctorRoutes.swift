public import BillfoldDiagnosis
import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix

/// Examines artifacts and says what is wrong with them. Given at composition, for the knowledge is the protocols'. It may take
/// long and runs away from requests; what it returns is masked.
public typealias ConsoleDoctor = @Sendable ([Artifact]) -> Diagnosis

/// `GET /doctor`, the form, and `POST /doctor` `{"artifacts":[{"name","bytes": base64}]}`, the page with the findings. Nothing of
/// an artifact is stored, logged or sent back: keys may be among them.
struct DoctorRoutes: Sendable {
    static let mostFiles = 12
    static let mostBytes = 262_144

    private struct Submission: Decodable {
        struct Item: Decodable {
            var name: String
            var bytes: String
        }
        var artifacts: [Item]
    }

    let doctor: ConsoleDoctor
    let page: @Sendable (Diagnosis?, ServerRequestContext) throws -> Response

    func add(to router: some RouterMethods<ServerRequestContext>) {
        router.get("/doctor") { [page] _, context in try page(nil, context) }
        router.post("/doctor") { [doctor, page] request, context in
            _ = try context.operatorInRole(.viewer)
            let body = try await request.body.collect(upTo: 1_048_576)
            let artifacts = try Self.artifacts(body.readableBytesView)
            let diagnosis = try await NIOThreadPool.singleton.runIfActive { doctor(artifacts) }
            return try page(diagnosis, context)
        }
    }

    private static func artifacts(_ body: some Sequence<UInt8>) throws -> [Artifact] {
        let submission = try JSONDecoder().decode(Submission.self, from: Data(body))
        guard (1...mostFiles).contains(submission.artifacts.count) else {
            throw malformed("1 to \(mostFiles) artifacts are examined at once")
        }
        return try submission.artifacts.map { item in
            guard (1...128).contains(item.name.utf8.count) else { throw malformed("an artifact's name has 1 to 128 bytes") }
            guard let bytes = Data(base64Encoded: item.bytes), bytes.count <= mostBytes else {
                throw malformed("an artifact is base64 of at most \(mostBytes) bytes")
            }
            return Artifact(name: item.name, bytes: Array(bytes))
        }
    }

    private static func malformed(_ reason: String) -> ServerError {
        ServerError(code: .malformedRequest, reason: reason, status: .unprocessableContent)
    }
}
