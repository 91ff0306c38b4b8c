import AlipayPlus
import AlipayPlusValues
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Crypto
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PaymentCrypto

/// The signed API of both sides, `POST /aps/api/v1/<group>/<api>`. The client decides the side; the status is 200 whatever the result is,
/// and every answer to a verified call is signed (alipay-plus.md#envelope [D]).
///
/// A call that is not verified is refused unsigned: errors about signature or client may be, and clients take such an answer with F or U
/// (alipay-plus.md#unsigned-answers [O]). Whoever knows a client's id would otherwise have us sign what it likes, at the cost of an RSA
/// signature a call.
struct EnvelopeRoutes: Sendable {
    let context: AlipayPlusServerContext
    let acquirerAPI: AcquirerAPI
    let walletAPI: WalletAPI
    let limiter: RateLimiter

    /// Bodies of more bytes are refused: no message that keeps the rules has as many.
    private static let bodyLimit = 65_536

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let path = RouterPath("\(AlipayPlusPath.base)**")
        router.post(path) { request, _ in try await answer(request) }
        for method: HTTPRequest.Method in [.get, .put, .delete, .patch] {
            router.on(path, method: method) { _, _ in response(CallAnswer(.methodNotSupported).body) }
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        let (target, headers) = (request.uri.path, request.headers)
        let known = try await context.parties.party(clientID: headers[wire: AlipayPlusHeaders.clientID] ?? "")
        let side = known.map { Side($0.party) }
        let api = target.hasPrefix(AlipayPlusPath.base) ? String(target.dropFirst(AlipayPlusPath.base.count)) : ""
        let (outcome, isVerified) = await self.outcome(request, target: target, api: api, known: known, side: side)
        context.metrics.called(by: side?.name ?? "unknown", api: Self.isKnown(api) ? api : "unknown", code: outcome.result.resultCode)
        let body = outcome.body
        guard let side, isVerified else { return response(body) }
        let keys = context.configuration.keys
        let signed = try SignedAlipayPlusMessage(
            .answer, target: target, clientID: side.clientID, time: context.clock.everybodysNow.alipayPlusTime, body: body,
            by: side.isWallet ? keys.walletSide : keys.acquirerSide, keyVersion: keys.keyVersion)
        return response(body, signed.headers)
    }

    /// Who calls.
    private struct Side: Sendable {
        var clientID: String
        var name: String
        var isWallet: Bool
        var party: Party

        init(_ party: PartyRegister.Party) {
            switch party {
            case .acquirer(let acquirer):
                (clientID, name, isWallet, self.party) = (acquirer.clientID, "acquirer", false, AcquiringGatewayTrace.acquirer)
            case .wallet(let wallet):
                (clientID, name, isWallet, self.party) = (wallet.clientID, "wallet", true, AcquiringGatewayTrace.wallet(wallet.type))
            }
        }
    }

    /// Labels of metrics come from a closed list.
    private static func isKnown(_ api: String) -> Bool { AcquirerAPI.calls[api] != nil || WalletAPI.calls[api] != nil }

    private func outcome(
        _ request: Request, target: String, api: String, known: PartyRegister.Known?, side: Side?
    ) async -> (CallAnswer, isVerified: Bool) {
        var isVerified = false
        do {
            guard let known, let side else { throw ResultRefusal(.invalidClient) }
            let message = try await verified(request, target: target, known)
            isVerified = true
            try admit(message, side)
            let tells = !context.trace.isReportedByCaller(request.headers)
            let body = CallMessage { () throws(AlipayPlusError) in try message.json }
            let about = CallStory.about(.init(try? body.get()), isWallet: side.isWallet)
            if tells { context.trace.record(api, .request, from: side.party, to: AcquiringGatewayTrace.gateway, about: about) }
            let answered: CallAnswer
            do {
                switch known.party {
                case .acquirer(let acquirer):
                    OwnTime.enter(acquirer.id.description)
                    answered = try await acquirerAPI.answer(api, body, by: acquirer)
                case .wallet(let wallet): answered = try await walletAPI.answer(api, body, by: wallet)
                }
            } catch { answered = refusal(error, api) }
            if tells {
                let answerAbout = about.merging(CallStory.about(answered.names, isWallet: side.isWallet)) { first, _ in first }
                context.trace.record(
                    api, .response, from: AcquiringGatewayTrace.gateway, to: side.party,
                    fields: AcquiringGatewayTrace.fields(answered.result),
                    about: answerAbout,
                    problem: answered.result.isFailure ? answered.result.resultMessage : nil)
            }
            return (answered, isVerified)
        } catch {
            let refused = refusal(error, api)
            if let wrong = error as? WrongSignature, context.configuration.mode == .test {
                return (noted(CallAnswer(refused.result, verifiedText: wrong.text, key: wrong.key)), isVerified)
            }
            return (noted(refused), isVerified)
        }
    }

    /// A signature that does not fit, the text that it was checked against, which is what the sender must sign, and the SHA-256 of the key
    /// that is registered: the sender may have one that a newer registration has ended.
    private struct WrongSignature: Error {
        var error: AlipayPlusError
        var text: String
        var key: String
    }

    private func noted(_ refused: CallAnswer) -> CallAnswer {
        // Whoever is not verified writes into nobody's story.
        context.trace.note(
            "refused at the envelope", fields: AcquiringGatewayTrace.fields(refused.result), about: [:],
            problem: refused.result.resultMessage)
        return refused
    }

    private func refusal(_ error: any Error, _ api: String) -> CallAnswer {
        let result: AlipayPlusResult
        switch error {
        case let refusal as ResultRefusal: result = refusal.result
        case let error as AlipayPlusError: result = AlipayPlusResult(refusing: error)
        case let wrong as WrongSignature: result = AlipayPlusResult(refusing: wrong.error)
        default:
            // What happened is not known to the caller: it sends the same request again, or asks.
            context.logger.error(
                "a call could not be answered",
                metadata: ["api": "\(api.prefix(64))", "error": "\(ErrorMapping.logDescription(of: error))"])
            result = .unknownException
        }
        return CallAnswer(result)
    }

    /// Unverified to verified. Strangers are held back by the listener, each address for itself, before anything is read.
    private func verified(
        _ request: Request, target: String, _ known: PartyRegister.Known
    ) async throws -> VerifiedAlipayPlusMessage {
        if let type = request.headers[.contentType], !type.lowercased().hasPrefix("application/json") {
            throw ResultRefusal(.mediaTypeNotAcceptable)
        }
        let body: [UInt8]
        do { body = Array(try await request.body.collect(upTo: Self.bodyLimit).readableBytesView) } catch is NIOTooManyBytesError {
            throw ResultRefusal(.paramIllegal, "the body has more than \(Self.bodyLimit) bytes")
        }
        let message = try UnverifiedAlipayPlusMessage(.request, target: target, body: body) { request.headers[wire: $0] }
        return try Self.verified(message, by: known.keys)
    }

    private static func verified(
        _ message: UnverifiedAlipayPlusMessage, by keys: AlipayPlusKeyVersions
    ) throws -> VerifiedAlipayPlusMessage {
        do { return try message.verified(by: keys) } catch {
            guard error.code == .signatureMismatch else { throw error }
            let key = try keys.key(version: message.signature.keyVersion)
            throw WrongSignature(
                error: error, text: String(decoding: message.message.stringToSign, as: UTF8.self),
                key: Hexadecimal.encode(Array(SHA256.hash(data: key.subjectPublicKeyInfo))))
        }
    }

    /// What a client may ask is counted once it is known to be the client: a client's id is no secret, and whoever knows it could use up
    /// its rate.
    private func admit(_ message: VerifiedAlipayPlusMessage, _ side: Side) throws {
        guard limiter.admit(side.clientID) == .admitted else { throw ResultRefusal(.requestTrafficExceedLimit) }
        let tolerance = context.configuration.timeTolerance.components.seconds
        // A client whose clock is another's, in test mode, may be fresh by its own.
        let clocks = [context.clock, context.configuration.clientsClock].compactMap { $0?.now().alipayPlusTime }
        let isFresh = clocks.contains { (try? message.requireFresh(at: $0, toleranceSeconds: tolerance)) != nil }
        if !isFresh, let ours = clocks.first { try message.requireFresh(at: ours, toleranceSeconds: tolerance) }
    }

    private func response(_ body: [UInt8], _ headers: [(name: String, value: String)] = []) -> Response {
        var fields: HTTPFields = [.contentType: AlipayPlusHeaders.contentType, .cacheControl: "no-store"]
        for header in headers { fields[wire: header.name] = header.value }
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
