import AlipayPlusValues
import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import Hummingbird
import MiniPrograms
import NIOCore
import PaymentCrypto

/// A call whose signature, time and sender were checked.
struct SignedCall: Sendable {
    let path: String
    let party: SignedParty
    let body: [UInt8]

    /// The body as JSON; `malformed-json` otherwise.
    func object() throws(MiniProgramError) -> JSONObject {
        do throws(JSONError) {
            return try JSONReader.readObject(body)
        } catch {
            throw MiniProgramError(code: .malformedJSON, reason: "the body is not strict JSON: \(error.code)")
        }
    }
}

/// A body that goes out signed.
struct OpenAPIAnswer: Sendable {
    var result: OpenAPIResult
    var body: [UInt8]

    init(_ result: OpenAPIResult, _ body: [UInt8]) {
        self.result = result
        self.body = body
    }

    /// The result alone.
    init(_ result: OpenAPIResult) { self.init(result, JSONWriter.write(JSONObject([.init("result", result.json)]))) }
}

/// Takes signed calls and signs the answers (mini-programs.md#signed-calls): the signature is checked over the exact bytes before anything
/// is read.
///
/// The status is 200 whatever the result is. Answers to verified calls are signed. A call that is not verified is refused unsigned: whoever
/// knows a party's id would otherwise have us sign what it likes, at the cost of an RSA signature a call [I].
struct OpenAPIEnvelope: Sendable {
    let context: WalletContext
    let side: WalletConfiguration.SuperApp
    let signers: SignerRegister
    let limiter: RateLimiter

    static let bodyLimit = 65_536

    /// - Parameters:
    ///   - kind: Whose calls the route takes.
    ///   - limit: Of the body's bytes.
    ///   - isJSON: Whether the body is JSON; otherwise it is an archive.
    func answer(
        _ request: Request, from kind: SignerRecords.Kind, limit: Int = bodyLimit, isJSON: Bool = true,
        _ body: @Sendable (SignedCall) async throws -> OpenAPIAnswer
    ) async throws -> Response {
        let path = request.uri.path
        let id = request.headers[.clientID] ?? ""
        let party = id.utf8.count <= 128 ? try await signers.party(kind, id) : nil
        var call: SignedCall?
        do {
            guard let party else { throw try await signers.named(id).refusal(wanting: kind) }
            let verified = try await verified(request, path: path, from: party, limit: limit, isJSON: isJSON)
            call = verified.call
            try admit(verified)
        } catch {
            // Whoever is not verified writes into nobody's story.
            let refused = OpenAPIRefusal(refusing: error, logger: context.logger).result
            context.trace.note(
                "refused at the envelope",
                fields: [.init("resultCode", refused.resultCode), .init("path", path), .init("Client-Id", NamedParty.shown(id))],
                about: [:], problem: refused.resultMessage)
            return try response(OpenAPIAnswer(refused), path, to: call?.party)
        }
        guard let call else { return try response(OpenAPIAnswer(.unknownException), path, to: nil) }
        let story = SignedCallStory(context: context, call: call)
        story.begin(reported: context.trace.isReportedByCaller(request.headers))
        let answer: OpenAPIAnswer
        do {
            answer = try await body(call)
        } catch {
            answer = OpenAPIAnswer(OpenAPIRefusal(refusing: error, logger: context.logger).result)
        }
        context.count("wallet_signed_calls_total", [("caller", kind.rawValue), ("status", answer.result.resultStatus.rawValue)])
        story.end(answer, reported: context.trace.isReportedByCaller(request.headers))
        return try response(answer, path, to: call.party)
    }

    private func verified(
        _ request: Request, path: String, from party: SignedParty, limit: Int, isJSON: Bool
    ) async throws -> (call: SignedCall, time: String) {
        guard request.uri.query == nil else { throw OpenAPIRefusal(.paramIllegal, "a query is not signed, and not taken") }
        let body: [UInt8]
        do {
            try request.requireMediaType(isJSON ? "application/json" : "application/zip")
            body = try await request.bytes(upTo: limit)
        } catch let error as ServerError {
            throw OpenAPIRefusal(.paramIllegal, error.reason)
        }
        let signature = try OpenAPISignature(header: request.headers[.callSignature] ?? "")
        let time = request.headers[.requestTime] ?? ""
        guard let key = party.keys[signature.keyVersion] else {
            throw OpenAPIRefusal(.invalidSignature, "key version \(signature.keyVersion) is not registered")
        }
        guard signature.isValid(path: path, clientID: party.id, time: time, body: body, for: key) else {
            throw OpenAPIRefusal(.invalidSignature)
        }
        return (SignedCall(path: path, party: party, body: body), time)
    }

    /// What a party may ask is counted once it is known to be that party: an id is no secret.
    private func admit(_ verified: (call: SignedCall, time: String)) throws {
        let party = verified.call.party
        guard party.isOpen else { throw OpenAPIRefusal(.invalidAuthClientStatus) }
        let clocks = [context.now(), side.clientsClock?.now()].compactMap(\.self)
        guard clocks.contains(where: { $0.isNear(verified.time, within: side.timeTolerance) }) else {
            guard (try? AlipayPlusTime(verified.time)) != nil else {
                throw OpenAPIRefusal(.paramIllegal, "Request-Time is no ISO 8601 time with an offset")
            }
            throw OpenAPIRefusal(
                .paramIllegal,
                "Request-Time is more than \(side.timeTolerance.components.seconds) seconds from now, which is \(context.now().openAPITime)"
            )
        }
        guard limiter.admit(party.id) == .admitted else { throw OpenAPIRefusal(.trafficExceedsLimit) }
    }

    private func response(_ answer: OpenAPIAnswer, _ path: String, to party: SignedParty?) throws -> Response {
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"]
        if let party {
            let time = context.now().openAPITime
            headers[.clientID] = party.id
            headers[.responseTime] = time
            headers[.callSignature] =
                try OpenAPISignature(
                    path: path, clientID: party.id, time: time, body: answer.body, by: side.key, keyVersion: side.keyVersion
                ).description
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
}

extension HTTPField.Name {
    static let clientID = HTTPField.Name("Client-Id")!  // swift-format-ignore: NeverForceUnwrap
    static let requestTime = HTTPField.Name("Request-Time")!  // swift-format-ignore: NeverForceUnwrap
    static let responseTime = HTTPField.Name("Response-Time")!  // swift-format-ignore: NeverForceUnwrap
    static let callSignature = HTTPField.Name("Signature")!  // swift-format-ignore: NeverForceUnwrap
}
