import AlipayPlus
import AlipayPlusValues
import BillfoldStorage
import BillfoldTrace
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The wallet side of the API, `POST /aps/api/v1/<group>/<api>`: verified, let befall by the fault plan, answered under a signature. An error
/// that only we know of is U: whoever called sends the same again, or asks.
struct MobileWalletMessages: Sendable {
    let service: MobileWalletService
    let intake: AlipayPlusIntake

    private typealias Call = @Sendable (MobileWalletService, VerifiedAlipayPlusMessage) async throws -> any AlipayPlusAnswer

    private static func call<Asked: AlipayPlusRequest>(
        _ type: Asked.Type, _ body: @escaping @Sendable (MobileWalletService, Asked) async throws -> Asked.Answer
    ) -> (String, Call) {
        (Asked.path, { service, message in try await body(service, message.read(Asked.self)) })
    }

    private static let calls: [String: Call] = Dictionary(
        uniqueKeysWithValues: [
            call(WalletPayRequest.self) { try await $0.pay($1) }, call(WalletInquiryRequest.self) { try await $0.inquire($1) },
            call(WalletCancelRequest.self) { try await $0.cancel($1) }, call(WalletRefundRequest.self) { try await $0.refund($1) },
            call(PrepareRequest.self) { try await $0.prepare($1) }, call(ApplyTokenRequest.self) { try await $0.applyToken($1) },
            call(CancelTokenRequest.self) { try await $0.cancelToken($1) },
        ])

    func take(_ request: Request) async throws -> Response {
        let path = request.uri.path
        let taken: AlipayPlusIntake.Taken
        do { taken = try await intake.take(request) } catch {
            let result = (error as? AlipayPlusError).map { AlipayPlusResult(refusing: $0) } ?? .unknownException
            intake.surroundings.reporter.report(
                .note, from: service.party, to: service.party, "refused at the envelope", correlation: [:], problem: "\(result)")
            return intake.refusal(result)
        }
        let about = Self.about(taken.message)
        if !taken.isReported {
            intake.surroundings.reporter.report(.request, from: .alipayPlus, to: service.party, path, correlation: about)
        }
        guard path == WalletPayRequest.path, let asked: WalletPayRequest = try? taken.message.read() else {
            return try await answer(taken.message, about)
        }
        return try await pay(asked, in: taken.message, about: about)
    }

    private func answer(_ message: VerifiedAlipayPlusMessage, _ about: [String: String], damaged: Bool = false) async throws -> Response {
        let body: [UInt8]
        do {
            guard let call = Self.calls[message.path] else {
                return try intake.answer(PlainAnswer(result: .noInterfaceDef).body, to: message.path)
            }
            body = try await call(service, message).body
        } catch let error as AlipayPlusError {
            body = PlainAnswer(result: AlipayPlusResult(refusing: error)).body
        } catch {
            intake.surroundings.logger.error("a call could not be answered", metadata: ["error": "\(error)"])
            body = PlainAnswer(result: .unknownException).body
        }
        return try intake.answer(body, to: message.path, damaged: damaged)
    }

    /// A request to collect, with what the payment's fault plan does to it.
    private func pay(_ asked: WalletPayRequest, in message: VerifiedAlipayPlusMessage, about: [String: String]) async throws -> Response {
        let fault = try await service.fault(befalling: asked)
        if let fault, fault != .lateSuccess { note(fault, about) }
        switch fault {
        case .requestLost: return PartyIntake.brokenConnection
        case .replyLost:
            _ = try await answer(message, about)
            return PartyIntake.brokenConnection
        case .replyLate:
            try await Task.sleep(for: .seconds(1))
            return try await answer(message, about)
        case .requestDoubled:
            _ = try await answer(message, about)
            return try await answer(message, about)
        case .replyCorrupt: return try await answer(message, about, damaged: true)
        case .unknownFirst:
            _ = try await answer(message, about)
            return try intake.answer(WalletPayAnswer(result: .paymentInProcess).body, to: message.path)
        default: return try await answer(message, about)
        }
    }

    private func note(_ fault: MobileWalletFault, _ about: [String: String]) {
        intake.surroundings.reporter.report(
            .note, from: service.party, to: service.party, "fault plan", correlation: about, problem: fault.rawValue)
    }

    /// What a message is about, by its own words.
    private static func about(_ message: VerifiedAlipayPlusMessage) -> [String: String] {
        struct Named: WireMessage {
            var paymentRequestId: String?
            var authState: String?
        }
        guard let named: Named = try? message.read() else { return [:] }
        var about: [String: String] = [:]
        about[AlipayPlusTrace.walletRequest] = named.paymentRequestId
        about[AlipayPlusTrace.authorization] = named.authState
        return about
    }
}

extension MobileWalletService {
    /// What befalls this request to collect; what befell it once is over with the second. Nil for none, and for what comes later.
    func fault(befalling request: WalletPayRequest) async throws -> MobileWalletFault? {
        let (id, order) = (request.paymentRequestId, request.order.referenceOrderId)
        let named = request.paymentMethod?.customerId
        return try await database.write { tx in
            if let known = try PartyRecords.find(MobilePayment.self, id, in: tx) {
                guard known.fault == .unknownFirst, known.met < MobileWalletFault.unknownTimes else { return nil }
                return known.fault
            }
            // A request that is lost leaves no payment behind: that it was lost is noted here.
            guard try PartyRecords.find(MobileLostRequest.self, id, in: tx) == nil else { return nil }
            let customer = try named ?? PartyRecords.find(MobileScan.self, id, in: tx)?.customer
            let (fault, wish) = try Self.planned(order: order, customer: customer, in: tx)
            guard fault == .requestLost else { return fault }
            try PartyRecords.put(MobileLostRequest(id: id), in: tx)
            if let wish { try PartyRecords.remove(MobileFaultWish.self, wish, in: tx) }
            return fault
        }
    }
}

/// A request to collect that the fault plan has lost, so that its repetition arrives.
struct MobileLostRequest: PartyDocument {
    static let kind = "mobile.lost"
    var id: String
}
