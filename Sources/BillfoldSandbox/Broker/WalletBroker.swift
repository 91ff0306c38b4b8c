import ApplePay
import ApplePayForging
import BillfoldJSON
import BillfoldStorage
import BillfoldTrace
import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
import PassKitSimulator
import PaymentCrypto

/// The wallet owner's broker, played on this machine: it hands out certificates and nonces, opens what the issuer sealed, and says what
/// it makes of account and device. Devices get coarse errors; the trace gets the whole reason. Reports as the party `broker`.
///
/// | address under `/broker` | |
/// |---|---|
/// | `GET /v4/devices/{SEID}/issuerProvisioningCertificates` | certificates and a nonce, for one attempt |
/// | `POST /v4/devices/{SEID}/cards` | the sealed card |
/// | `POST …/cards/{id}/enable`, `…/verification`, `…/activation`, `DELETE …/cards/{id}` | terms, codes, removal |
/// | `GET …/passes`, `POST …/lost` | what the secure element holds, and lost mode |
/// | `/control/…` | accounts, devices, applications, the root, the leaves' keys, and the fault plan: see ``PartyFault`` |
package struct WalletBroker: Sendable {
    static let operations = ["certificates", "cards", "enable", "verification", "activation", "remove", "lost"]

    let service: BrokerService
    private let intake: PartyIntake

    /// Loads the broker's authority from its folder, or makes it, and its demo history.
    ///
    /// - Parameters:
    ///   - surroundings: A store that no other party uses.
    ///   - network: Leads to the network's origin.
    package init(_ surroundings: PartySurroundings, keys: PartyKeys, network: any MerchantConnection) async throws {
        let now = surroundings.milliseconds
        let instant = Date(timeIntervalSince1970: TimeInterval(now) / 1_000)
        service = BrokerService(
            surroundings: surroundings, authority: try BrokerAuthority.load(keys, at: instant, random: surroundings.random),
            network: network)
        intake = PartyIntake(
            party: .broker, reporter: surroundings.reporter,
            faults: PartyFaults(database: surroundings.database, operations: Self.operations))
        try await surroundings.database.write { transaction in
            // History is written once: what happened since stays.
            guard try PartyRecords.all(BrokerApplication.self, in: transaction).isEmpty else { return }
            for name in [DemoBankApp.identifier, DemoBankApp.extensionIdentifier] {
                try PartyRecords.put(BrokerApplication(bundleIdentifier: name, adamID: DemoBankApp.adamID), in: transaction)
            }
            for account in BrokerAccount.demo(at: now) { try PartyRecords.put(account, in: transaction) }
            for device in BrokerDeviceRecord.demo(at: now) { try PartyRecords.put(device, in: transaction) }
        }
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let broker = router.group("broker").add(middleware: SandboxErrors())
        addDeviceRoutes(to: broker.group("v4/devices/{element}"))
        addControlRoutes(to: broker.group("control"))
    }

    private func addDeviceRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("issuerProvisioningCertificates") { request, context in
            let query = request.uri.queryParameters
            let (scheme, account) = (String(query["encryptionVersion"] ?? ""), String(query["appleAccount"] ?? ""))
            return try await take(request, in: context, as: "certificates") { element, _ in
                try SandboxBody.json(try await service.certificates(for: element, scheme: scheme, account: account))
            }
        }
        router.post("cards") { request, context in
            try await take(request, in: context, as: "cards") { try SandboxBody.json(try await service.add($1, to: $0)) }
        }
        router.post("cards/{id}/enable") { request, context in
            let id = context.parameters.get("id") ?? ""
            return try await take(request, in: context, as: "enable") { Self.relayed(try await service.enable(id, on: $0, $1)) }
        }
        router.post("cards/{id}/verification") { request, context in
            let id = context.parameters.get("id") ?? ""
            return try await take(request, in: context, as: "verification") {
                try await service.requestCode(id, on: $0, $1)
                return Response(status: .accepted)
            }
        }
        router.post("cards/{id}/activation") { request, context in
            let id = context.parameters.get("id") ?? ""
            return try await take(request, in: context, as: "activation") { Self.relayed(try await service.activate(id, on: $0, $1)) }
        }
        router.delete("cards/{id}") { request, context in
            let id = context.parameters.get("id") ?? ""
            return try await take(request, in: context, as: "remove") { element, _ in
                try await service.remove(id, from: element)
                return Response(status: .noContent)
            }
        }
        router.get("passes") { _, context in
            do {
                return try SandboxBody.json(
                    NetworkWire.Passes(passes: try await service.passes(in: context.parameters.get("element") ?? "")))
            } catch let reasoned as BrokerFailure.Reasoned {
                return try reasoned.failure.response(reasoned.code)
            }
        }
        router.post("lost") { request, context in
            try await take(request, in: context, as: "lost") {
                try await service.setLost($0, try $1.decode(NetworkWire.LostWish.self).lost)
                return Response(status: .noContent)
            }
        }
    }

    /// Takes a device's message. A failure is coarse for the device and whole in the trace.
    private func take(
        _ request: Request, in context: some RequestContext, as operation: String,
        _ work: @escaping @Sendable (_ element: String, _ request: PartyRequest) async throws -> Response
    ) async throws -> Response {
        let element = context.parameters.get("element") ?? ""
        return try await intake.take(request, as: operation, from: .device) { read in
            do {
                return try await work(element, read)
            } catch let reasoned as BrokerFailure.Reasoned {
                service.surroundings.reporter.report(
                    .note, from: .broker, to: .broker, "\(operation) refused", correlation: read.correlation,
                    problem: "\(reasoned.code): \(reasoned.reason)")
                return try reasoned.failure.response(reasoned.code)
            }
        }
    }

    private static func relayed(_ body: Data) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    private func addControlRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        intake.faults.addRoutes(to: router)
        router.get("root") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/x-pem-file"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: service.authority.root.pem)))
        }
        router.get("leaf-keys/{scheme}") { _, context in try leafKey(context.parameters.get("scheme") ?? "") }
        addDocuments("accounts", BrokerAccount.self, to: router)
        addDocuments("devices", BrokerDeviceRecord.self, to: router)
        addDocuments("applications", BrokerApplication.self, to: router)
    }

    /// The private key of the leaf that a scheme's data are sealed for: without it a bank cannot see whether its sealing opens. Test cards
    /// alone are sealed for it, and it says so above its block.
    private func leafKey(_ scheme: String) throws -> Response {
        let keys = ["EV_ECC_v2": service.authority.leafKey.pkcs8, "EV_RSA_v2": service.authority.rsaLeafKey?.pkcs8]
        guard let key = keys[scheme] ?? nil else {
            throw SandboxRefusal(code: "not-found", reason: "there is no leaf of this scheme; there are EV_ECC_v2, EV_RSA_v2", status: 404)
        }
        let text = "Billfold-Test-Key: no customer's card\n" + PEMText.Block(label: "PRIVATE KEY", bytes: key).text
        return Response(
            status: .ok, headers: [.contentType: "application/x-pem-file", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// `GET path`, `GET path/{id}` and `PUT path/{id}`: what is held of a kind.
    private func addDocuments<Document: PartyDocument & StrictBody, Context: RequestContext>(
        _ path: String, _ type: Document.Type, to router: some RouterMethods<Context>
    ) {
        let database = service.surroundings.database
        router.get("\(path)") { _, _ in
            try SandboxBody.json([path: try await database.read { try PartyRecords.all(type, in: $0) }])
        }
        router.get("\(path)/{id}") { _, context in
            let id = context.parameters.get("id") ?? ""
            guard let found = try await database.read({ try PartyRecords.find(type, id, in: $0) }) else {
                throw SandboxRefusal(code: "not-found", reason: "nothing is held under this name", status: 404)
            }
            return try SandboxBody.json(found)
        }
        router.put("\(path)/{id}") { request, context in
            let document = try await PartyRequest(request).decode(type)
            guard document.id == context.parameters.get("id") else {
                throw SandboxRefusal(code: "body-malformed", reason: "body and address name different ones", status: 400)
            }
            try await database.write { try PartyRecords.put(document, in: $0) }
            return Response(status: .noContent)
        }
    }
}
