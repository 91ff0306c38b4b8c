import ArgumentParser
import BillfoldSandbox
import BillfoldServer
import BillfoldWeb
import CardPaymentsServer

extension ServerRole {
    static let unionPay: Self = "unionpay"
}

extension StoreKind {
    static let sandboxUnionPay = Self(
        name: "sandbox-unionpay", owner: "the sandbox's UnionPay", own: UnionPayGateway.migrations, isSandbox: true)
}

/// UnionPay's gateway, on a store of its own.
struct UnionPayParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.unionPay
    static let stores = [StoreKind.sandboxUnionPay]
    static let mayNameItself = true
    static let faults: Faults? = (Journey.acceptApplePay.slug, .unionPay)

    @Option(name: .customLong("unionpay-url"), help: "The UnionPay gateway, when it runs in another process.") var url: String?

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let surroundings = process.surroundings
        var configuration = UnionPayGateway.Configuration(showsBytes: false)
        let shop = process.addresses[.shop].pages
        if !shop.isEmpty { configuration.pages[Shop.scheme] = "\(shop)/shop/unionpay/result" }
        let gateway = try await UnionPayGateway(
            database: try await process.stores.open(.sandboxUnionPay, at: process.folder.path("unionpay.sqlite")),
            clock: surroundings.clock, sink: process.trace, outgoing: HTTPClientPost(process.partyClient),
            random: { SystemRandomness.bits() }, logger: surroundings.logger, configuration: configuration)
        part.routes.append { gateway.addRoutes(to: $0) }
        part.workers.append(gateway.notifier)
    }
}
