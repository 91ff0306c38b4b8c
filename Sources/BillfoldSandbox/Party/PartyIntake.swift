import BillfoldTrace
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A body that has these members and no others.
protocol StrictBody: Decodable {
    static var members: [String] { get }
    /// By a member's name, what it may be, for refusals; empty where nothing is listed.
    static var choices: [String: [String]] { get }
}

extension StrictBody {
    static var choices: [String: [String]] { [:] }
}

/// A request as a party's routes see it: its body read, its credential and its test aids found.
struct PartyRequest: Sendable {
    var body: [UInt8]
    /// What stands behind `Bearer`.
    var credential: String?
    /// The attempt that the request belongs to, where its sender said so.
    var attempt: String?
    /// The run of a mini program that the request belongs to, where its sender said so.
    var run: String?

    /// Reads a request whose body is small; refuses with `body-too-large` otherwise.
    init(_ request: Request, limit: Int = 65_536) async throws {
        let buffer: ByteBuffer
        do { buffer = try await request.body.collect(upTo: limit) } catch {
            throw SandboxRefusal(code: "body-too-large", reason: "the body is too large", status: 413)
        }
        body = Array(buffer.readableBytesView)
        credential = request.headers[.authorization].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
        attempt = Self.name(PartyIntake.attemptHeader, of: request)
        run = Self.name(PartyIntake.runHeader, of: request)
    }

    private static func name(_ header: String, of request: Request) -> String? {
        let value = HTTPField.Name(header).flatMap { request.headers[$0] }
        return Exchange.isName(value) ? value : nil
    }

    var correlation: [String: String] {
        var ids: [String: String] = [:]
        ids[Correlation.attempt] = attempt
        ids[Correlation.run] = run
        return ids
    }

    /// Refuses with `body-malformed` what is no JSON of this form, or has a member that the form has not.
    func decode<Body: StrictBody>(_ type: Body.Type) throws(SandboxRefusal) -> Body {
        let data = Data(body)
        do {
            let strange = try JSONDecoder().decode(MemberNames.self, from: data).names.filter { !type.members.contains($0) }
            guard strange.isEmpty else {
                throw SandboxRefusal(
                    code: "body-malformed",
                    reason:
                        "the body has no member \(strange.sorted().joined(separator: ", ")); there are \(type.members.joined(separator: ", "))",
                    status: 400)
            }
            return try JSONDecoder().decode(type, from: data)
        } catch let refusal as SandboxRefusal {
            throw refusal
        } catch let error as DecodingError {
            throw SandboxRefusal(code: "body-malformed", reason: error.complaint(choices: type.choices), status: 400)
        } catch {
            throw SandboxRefusal(code: "body-malformed", reason: "the body is not of the expected form", status: 400)
        }
    }

    private struct MemberNames: Decodable {
        var names: [String]
        init(from decoder: any Decoder) throws {
            names = try decoder.container(keyedBy: AnyCodingKey.self).allKeys.map(\.stringValue)
        }
    }
}

/// Where a party takes messages: it reads them, lets its fault plan befall them, and reports what nobody else reports.
struct PartyIntake: Sendable {
    static let attemptHeader = "X-Billfold-Attempt"
    static let runHeader = "X-Billfold-Run"

    let party: Party
    let reporter: PartyReporter
    let faults: PartyFaults

    /// Takes one message. `work` may run twice: a message that arrives twice is a fault a party must bear.
    ///
    /// - Parameter isQuiet: Whether the message is a question that is asked over and over, and clutters the trace.
    func take(
        _ request: Request, as operation: String, from caller: Party, isQuiet: Bool = false,
        _ work: @Sendable (PartyRequest) async throws -> Response
    ) async throws -> Response {
        let read = try await PartyRequest(request)
        let isReported = isQuiet || Exchange.isName(HTTPField.Name(Exchange.headerName).flatMap { request.headers[$0] })
        if !isReported {
            reporter.report(.request, from: caller, to: party, operation, correlation: read.correlation)
        }
        let fault = try await faults.claim(operation)
        switch fault?.fault {
        case .requestLost:
            note(operation, in: read, problem: "the message was lost (fault plan)")
            return Self.brokenConnection
        case .requestRefused:
            note(operation, in: read, problem: "the message was refused (fault plan)")
            throw SandboxRefusal(code: "unavailable", reason: "the party cannot take this now", status: 503)
        case .replyLate: try await Task.sleep(for: .milliseconds(fault?.delayMilliseconds ?? 0))
        case .requestDoubled:
            note(operation, in: read, problem: "the message arrived twice (fault plan)")
            _ = try? await work(read)
        case .replyLost:
            _ = try? await work(read)
            note(operation, in: read, problem: "the answer was lost (fault plan)")
            return Self.brokenConnection
        case nil: break
        }
        do {
            let response = try await work(read)
            if !isReported { answer(operation, read, to: caller, status: response.status.code, problem: nil) }
            return response
        } catch let refusal as SandboxRefusal {
            let said = "\(refusal.code): \(refusal.reason)"
            switch (isReported, refusal.isAnswer) {
            case (true, true): break
            case (true, false): note(operation, in: read, problem: said)
            case (false, let isAnswer):
                answer(operation, read, to: caller, status: refusal.status, said: isAnswer ? said : nil, problem: isAnswer ? nil : said)
            }
            throw refusal
        }
    }

    private func answer(
        _ operation: String, _ request: PartyRequest, to caller: Party, status: Int, said: String? = nil, problem: String?
    ) {
        reporter.report(
            .response, from: party, to: caller, operation, correlation: request.correlation,
            fields: [.init("status", String(status))] + (said.map { [.init("answer", $0)] } ?? []), problem: problem)
    }

    private func note(_ operation: String, in request: PartyRequest, problem: String) {
        reporter.report(.note, from: party, to: party, operation, correlation: request.correlation, problem: problem)
    }

    /// Promises a body and breaks off, which is what a caller sees of an answer that is lost.
    static var brokenConnection: Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(contentLength: 512) { _ in
                throw SandboxError(code: .noAnswer, reason: "the connection is broken off on purpose")
            })
    }
}
