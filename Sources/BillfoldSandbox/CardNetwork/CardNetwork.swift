import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldStorage
import BillfoldTrace
import Foundation
package import Hummingbird
import PassKitSimulator
import PaymentCrypto

/// The card network, played on this machine for every scheme: it opens the inner layer, asks the bank, makes the device's number, and
/// keeps tokens, their metadata and their history. Reports as the party `network`.
///
/// | address under `/card-network` | |
/// |---|---|
/// | `/issuer/v1/…` | what a bank asks: enrolment, actions on tokens, replacements, books |
/// | `/v1/…` | what the broker asks: provisionings, codes, passes |
/// | `/control/…` | metadata, allow list, books, and the fault plan: see ``PartyFault`` |
package struct CardNetwork: Sendable {
    /// `events` are what the network sends; the others are what it takes.
    static let operations = [
        "enrolment", "action", "replacement", "tokens", "provision", "enable", "code", "proof", "passes", "remove", "lost", "decision",
        "events",
    ]

    /// Delivers events to the issuers; belongs into the service group beside the listener.
    package let events: NetworkEventSender
    let service: NetworkService
    private let intake: PartyIntake

    /// - Parameters:
    ///   - surroundings: A store that no other party uses.
    ///   - keys: The folder of the network's own keys.
    ///   - connect: Leads to an issuer's origin.
    package init(
        _ surroundings: PartySurroundings, keys: PartyKeys, makeTripleDESKey: @escaping TripleDESKeyMaker,
        connect: @escaping @Sendable (_ origin: String) -> any MerchantConnection, interval: Duration = .milliseconds(100)
    ) throws {
        let faults = PartyFaults(database: surroundings.database, operations: Self.operations)
        service = NetworkService(
            surroundings: surroundings,
            vault: try NetworkVault(keys: keys, random: surroundings.random, makeTripleDESKey: makeTripleDESKey), connect: connect,
            faults: faults)
        events = NetworkEventSender(service: service, interval: interval)
        intake = PartyIntake(party: .network, reporter: surroundings.reporter, faults: faults)
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let network = router.group("card-network").add(middleware: SandboxErrors())
        addIssuerRoutes(to: network.group("issuer/v1"))
        addBrokerRoutes(to: network.group("v1"))
        addControlRoutes(to: network.group("control"))
    }

    private func addIssuerRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("keys") { _, _ in try SandboxBody.json(["accountKey": service.accountKeyText]) }
        router.post("enrolment") { request, _ in
            try await intake.take(request, as: "enrolment", from: .issuer) { try SandboxBody.json(try await service.enrol($0)) }
        }
        router.post("tokens/{reference}/actions") { request, context in
            let reference = context.parameters.get("reference") ?? ""
            return try await intake.take(request, as: "action", from: .issuer) {
                try SandboxBody.text(try await service.act(on: reference, $0))
            }
        }
        router.post("accounts/{account}/replacement") { request, context in
            let account = context.parameters.get("account") ?? ""
            return try await intake.take(request, as: "replacement", from: .issuer) {
                try SandboxBody.text(try await service.replace(account, $0))
            }
        }
        router.get("tokens") { request, _ in
            try await intake.take(request, as: "tokens", from: .issuer) { request in
                let issuer = try await PartyCredentials.holder(of: request, in: service.surroundings.database)
                return try SandboxBody.json(["tokens": try await service.books(of: issuer)])
            }
        }
    }

    private func addBrokerRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("provisionings") { request, _ in
            try await intake.take(request, as: "provision", from: .broker) {
                try SandboxBody.json(try await service.provision($0), status: .created)
            }
        }
        router.post("provisionings/{id}/enable") { request, context in
            let id = context.parameters.get("id") ?? ""
            return try await intake.take(request, as: "enable", from: .broker) { _ in try SandboxBody.json(try await service.enable(id)) }
        }
        router.post("provisionings/{id}/codes") { request, context in
            let id = context.parameters.get("id") ?? ""
            return try await intake.take(request, as: "code", from: .broker) {
                try await service.sendCode(id, $0)
                return try SandboxBody.json(["delivered": true], status: .accepted)
            }
        }
        router.post("provisionings/{id}/proof") { request, context in
            let id = context.parameters.get("id") ?? ""
            return try await intake.take(request, as: "proof", from: .broker) { try SandboxBody.json(try await service.prove(id, $0)) }
        }
        router.delete("provisionings/{id}") { request, context in
            let id = context.parameters.get("id") ?? ""
            return try await intake.take(request, as: "remove", from: .broker) { _ in
                try await service.remove(id)
                return Response(status: .noContent)
            }
        }
        router.get("secure-elements/{element}/passes") { request, context in
            let element = context.parameters.get("element") ?? ""
            return try await intake.take(request, as: "passes", from: .broker, isQuiet: true) { _ in
                try SandboxBody.json(NetworkWire.Passes(passes: try await service.passes(in: element)))
            }
        }
        router.post("secure-elements/{element}/lost") { request, context in
            let element = context.parameters.get("element") ?? ""
            return try await intake.take(request, as: "lost", from: .broker) {
                try await service.setLost(element, try $0.decode(NetworkWire.LostWish.self).lost)
                return Response(status: .noContent)
            }
        }
    }

    private func addControlRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        intake.faults.addRoutes(to: router)
        let database = service.surroundings.database
        router.get("metadata") { _, _ in try SandboxBody.json(try await database.read { try service.metadata(in: $0) }) }
        router.put("metadata") { request, _ in
            let metadata = try await PartyRequest(request).decode(NetworkMetadata.self)
            try await database.write { try PartyRecords.put(metadata, in: $0) }
            return Response(status: .noContent)
        }
        router.get("allow-list") { _, _ in try SandboxBody.json(try await database.read { try service.allowList(in: $0) }) }
        router.put("allow-list") { request, _ in
            let list = try await PartyRequest(request).decode(NetworkAllowList.self)
            try await database.write { try PartyRecords.put(list, in: $0) }
            return Response(status: .noContent)
        }
        router.get("books") { _, _ in try SandboxBody.json(["tokens": try await service.books(of: nil)]) }
    }
}

extension SandboxBody {
    /// JSON that is written already.
    static func text(_ json: String) throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json)))
    }
}
