package import Hummingbird

/// Faults of orders of somebody's own, in every journey: they stand on the way between our servers and others, in test mode alone, so
/// that the servers know nothing of them.
///
/// | path | what |
/// |---|---|
/// | `PUT /faults/orders/{journey}/{order}` | sets what goes wrong: `{"faults":["notification-lost"]}`; `next` for the next order |
/// | `GET`, `DELETE` of the same | tells it, takes it away |
/// | `GET /faults/orders` | every plan, and what can go wrong in each journey |
///
/// An order is named as its owner's program names it, before there is one too.
package struct OrderFaults: Sendable {
    static let mostBytes = 262_144
    let book: OrderFaultBook
    private let keys: ProgramKeys

    /// Reads back the plans that the store keeps.
    package init(_ surroundings: PartySurroundings, keys: ProgramKeys) async throws {
        (book, self.keys) = (try await OrderFaultBook(surroundings), keys)
    }

    /// Adds its own interface, for the sandbox's listener.
    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        OrderFaultRoutes(book: book, keys: keys).add(to: router)
    }

    /// Stands before the routes of our servers that are added afterwards.
    package func stand<Context: RequestContext>(before router: Router<Context>) {
        router.add(middleware: OrderFaultMiddleware<Context>(book: book))
    }
}
