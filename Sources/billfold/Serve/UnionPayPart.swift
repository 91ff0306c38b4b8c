import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import Hummingbird
import NIOCore

/// UnionPay's gateway, on a store of its own.
enum UnionPayPart {
    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared, _ part: inout ServeComposition.Part)
        async throws
    {
        let surroundings = shared.surroundings
        let database = try await StoreOpening.open(
            shared.folder.path("unionpay.sqlite"), folder: shared.folder, mode: shared.options.configuration.mode,
            kind: .sandboxUnionPay, clock: surroundings.clock, logger: surroundings.logger)
        part.closing.append { try await database.close() }
        let gateway = try await UnionPayGateway(
            database: database, clock: surroundings.clock, sink: shared.trace.buffer, outgoing: HTTPClientPost(shared.partyClient),
            random: { SystemRandomness.bits() }, logger: surroundings.logger,
            configuration: .init(showsBytes: false))
        gateway.addRoutes(to: router)
        part.workers.append(gateway.notifier)
    }
}
