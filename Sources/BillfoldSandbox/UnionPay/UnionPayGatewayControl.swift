import BillfoldDiagnosis
import BillfoldStorage
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PaymentCrypto
import SwiftASN1
import UnionPay
import X509

/// The sandbox's own interface to the gateway: merchants, plans and books, as JSON.
struct UnionPayGatewayControl: Sendable {
    let service: UnionPayGatewayService
    let trustPEM: String

    private struct Registration: Decodable {
        var merId: String
        var certificate: String?
        var secureKey: String?

        private enum CodingKeys: String, CodingKey, CaseIterable { case merId, certificate, secureKey }

        init(from decoder: any Decoder) throws {
            try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a registration")
            let container = try decoder.container(keyedBy: CodingKeys.self)
            merId = try container.decode(String.self, forKey: .merId)
            certificate = try container.decodeIfPresent(String.self, forKey: .certificate)
            secureKey = try container.decodeIfPresent(String.self, forKey: .secureKey)
        }
    }

    private struct Listed: Encodable {
        struct Notification: Encodable {
            struct Attempt: Encodable {
                var number: Int
                var at: Int64
                var milliseconds: Int64
                var status: Int?
                var reply: String
                var reason: String?
                var note: String
            }

            var id: String
            var url: String
            var state: String
            var attempts: Int64
            var status: Int64?
            var nextAt: Int64?
            var log: [Attempt]

            init(_ standing: UnionPayGatewayNotification.Standing) {
                id = Hexadecimal.encode(standing.id)
                // A query may hold what the merchant keeps secret.
                url = String(standing.url.prefix { $0 != "?" && $0 != "#" })
                (state, attempts, status) = (standing.state, standing.attempts, standing.status)
                nextAt = standing.next.map { $0.microseconds / 1_000 }
                log = standing.log.map { attempt in
                    Attempt(
                        number: attempt.number, at: attempt.at.microseconds / 1_000, milliseconds: attempt.milliseconds,
                        status: attempt.status, reply: String(decoding: attempt.reply, as: UTF8.self), reason: attempt.reason,
                        note: attempt.note)
                }
            }
        }
        var transaction: UnionPayGatewayBooks.Entry
        var notifications: [Notification]
        var plan: FaultPlan
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("certificates") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/x-pem-file"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: trustPEM)))
        }
        router.get("result-key") { _, _ in
            let pem = try service.authority.certificate.serializeAsPEM().pemString + "\n"
            return Response(
                status: .ok, headers: [.contentType: "application/x-pem-file"], body: ResponseBody(byteBuffer: ByteBuffer(string: pem)))
        }
        router.post("merchants") { request, _ in try await guarded { try await register(request) } }
        router.put("plans/{name}") { request, context in
            let name = try context.parameters.require("name")
            return try await guarded { try await setPlan(request, name) }
        }
        router.get("plans/{name}") { _, context in
            let name = try context.parameters.require("name")
            return try await guarded { try await plan(name) }
        }
        router.get("orders") { request, _ in try await guarded { try await orders(request) } }
        router.post("notifications/{merchant}/{id}/resend") { _, context in
            let (merchant, id) = (try context.parameters.require("merchant"), try context.parameters.require("id"))
            return try await guarded { try await resend(id, of: merchant) }
        }
        router.get("books") { request, _ in try await guarded { try await books(request) } }
    }

    private func register(_ request: Request) async throws -> Response {
        let body = try await decode(Registration.self, request)
        let merchant = try MerchantID(body.merId)
        let now = service.clock.now()
        var certificate: Certificate?
        if let pem = body.certificate {
            guard let read = try? Certificate(pemEncoded: pem.replacing("\r\n", with: "\n")) else {
                throw SandboxError(code: .invalidBody, reason: "certificate is not PEM")
            }
            certificate = read
        }
        guard certificate != nil || body.secureKey?.isEmpty == false else {
            throw SandboxError(code: .invalidBody, reason: "a merchant registers a certificate or a secureKey")
        }
        let (registered, secret) = (certificate, body.secureKey.map { Secret($0) })
        try await service.database.write { transaction in
            if let registered { try UnionPayGatewayMerchantRecords.register(merchant, certificate: registered, at: now, in: transaction) }
            if let secret { try UnionPayGatewayMerchantRecords.register(merchant, secureKey: secret, at: now, in: transaction) }
        }
        return try json(
            ["merId": merchant.description, "certId": certificate.map { CertificateID($0).description } ?? ""], status: .created)
    }

    private func setPlan(_ request: Request, _ name: String) async throws -> Response {
        let plan = try await decode(FaultPlanSource.self, request)
        let scope = try Self.scope(name)
        let text = try UnionPayGatewayRecords.json(plan)
        try await service.database.write { try UnionPayGatewayRecords.setPlan(text, scope: scope, in: $0) }
        return Response(status: .noContent)
    }

    private func plan(_ name: String) async throws -> Response {
        let scope = try Self.scope(name)
        guard let text = try await service.database.read({ try UnionPayGatewayRecords.planText(scope: scope, in: $0) }) else {
            throw SandboxError(code: .notFound, reason: "no plan is set for \(name)")
        }
        return try json(UnionPayGatewayRecords.decode(FaultPlanSource.self, text))
    }

    private static func scope(_ name: String) throws -> String {
        ["next", "default"].contains(name) ? name : "order:\(try OrderID(name))"
    }

    private func orders(_ request: Request) async throws -> Response {
        let merchant = try merchant(request)
        let now = service.clock.now()
        let listed = try await service.database.read { transaction in
            try UnionPayGatewayRecords.list(merchant, day: nil, in: transaction).map { row in
                Listed(
                    transaction: try UnionPayGatewayBooks.entry(row, at: now),
                    notifications: try UnionPayGatewayNotificationRecords.list(order: row.key.order.description, in: transaction)
                        .map(Listed.Notification.init), plan: row.plan)
            }
        }
        return try json(["orders": listed])
    }

    private func resend(_ text: String, of merchant: String) async throws -> Response {
        let (id, now) = ((try? Hexadecimal.decode(text)), service.clock.now())
        let isFound = try await service.database.write { transaction in
            try id.map { try UnionPayGatewayNotificationRecords.resend($0, of: merchant, at: now, in: transaction) } ?? false
        }
        guard isFound else { throw SandboxError(code: .notFound, reason: "there is no such notification") }
        return Response(status: .noContent)
    }

    private func books(_ request: Request) async throws -> Response {
        guard let text = request.uri.queryParameters["settleDate"] else {
            throw SandboxError(code: .invalidBody, reason: "settleDate is missing")
        }
        let day = try SettlementDay(String(text))
        let merchant = try merchant(request)
        let now = service.clock.now()
        let rows = try await service.database.read { try UnionPayGatewayRecords.list(merchant, day: day.description, in: $0) }
        return try json(UnionPayGatewayBooks(rows, at: now))
    }

    private func merchant(_ request: Request) throws -> MerchantID? {
        try request.uri.queryParameters["merId"].map { try MerchantID(String($0)) }
    }

    private func decode<Body: Decodable>(_ type: Body.Type, _ request: Request) async throws -> Body {
        do {
            let buffer = try await request.body.collect(upTo: 65_536)
            return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
        } catch let error as DecodingError {
            throw SandboxError(code: .invalidBody, reason: error.complaint)
        }
    }

    /// Answers refusals as `{"error":{"code","reason"}}`.
    private func guarded(_ work: () async throws -> Response) async throws -> Response {
        struct Refusal: Encodable {
            var code: String
            var reason: String
        }
        do { return try await work() } catch let error as SandboxError {
            return try json(
                ["error": Refusal(code: error.code.description, reason: error.reason)],
                status: error.code == .notFound ? .notFound : .badRequest)
        } catch let error as UnionPayError {
            return try json(["error": Refusal(code: error.code.description, reason: error.reason)], status: .badRequest)
        }
    }

    private func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: try UnionPayGatewayRecords.json(value))))
    }
}
