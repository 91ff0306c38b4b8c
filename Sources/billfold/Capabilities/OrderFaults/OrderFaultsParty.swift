import ArgumentParser
import BillfoldSandbox
import BillfoldServer
import BillfoldWeb

extension ServerRole {
    /// What goes wrong with orders of somebody's own.
    static let orderFaults: Self = "order-faults"
}

/// Faults of orders of somebody's own: no party, but what stands on the way between our servers of this process and others.
struct OrderFaultsParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.orderFaults
    static let stores = [StoreKind.sandboxParty]
    static let faults: [Faults] = FaultJourney.allCases.map { ($0.rawValue, .orders(of: $0)) }

    @Option(
        name: .customLong("order-faults-url"),
        help: "Where faults of one's own orders are set, when our servers run in another process together with that role.")
    var url: String?

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let keys = ProgramKeys(
            merchants: process.connection(to: process.addresses[.cardPayments].origin),
            banks: process.connection(to: process.addresses[.provisioning].origin))
        let faults = try await OrderFaults(try await process.partySurroundings("order-faults.sqlite"), keys: keys)
        part.routes.append { faults.addRoutes(to: $0) }
        part.interposition = Interposition(
            sender: { OrderFaultSender(sender: $0, faults: faults) }, before: { faults.stand(before: $0) })
    }
}
