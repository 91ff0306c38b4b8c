package import BillfoldServer
package import BillfoldWeb
import HTTPTypes
import Hummingbird

/// The order gateway's pages.
package struct OrderGatewayConsole: ConsoleDesk {
    private let desk: any OrderGatewayDesk

    package init(_ desk: any OrderGatewayDesk) { self.desk = desk }

    package var pages: PageSet? { .orderGateway }
    package var link: PageFrame.Link? { .init("Gateway", path: "/gateway") }

    package func mount(in room: ConsoleRoom) {
        OrderGatewayDeskRoutes(desk: desk).add(to: room.router)
        room.page("/gateway") { [desk] request, _, reader in
            let query = try request.query(allowing: ["merchant", "number"]).filter { !$0.value.isEmpty }
            guard query.values.allSatisfy({ $0.unicodeScalars.count <= 64 }) else {
                throw ServerError(code: .malformedRequest, reason: "merchant and number have at most 64 characters", status: .badRequest)
            }
            let filter = OrderGatewayFilter(merchant: query["merchant"], number: query["number"])
            return try await OrderGatewayPage(frame: reader.frame, overview: desk.overview(filter), offersReplay: reader.isOperator).html()
        }
        room.page("/gateway/books") { [desk] request, _, reader in
            let query = try request.query(allowing: ["day", "wallet"])
            return try await OrderGatewayBooksPage(frame: reader.frame, books: OrderGatewayDeskRoutes.books(desk, query)).html()
        }
        room.page("/gateway/trades/{number}") { [desk] _, context, reader in
            guard let view = try await desk.trade(context.pathPart("number")) else {
                throw NoPage("the gateway has no trade of that number")
            }
            return try OrderGatewayTradePage(frame: reader.frame, view: view, offersReplay: reader.isOperator).html()
        }
    }
}
