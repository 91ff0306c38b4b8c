package import BillfoldServer
package import BillfoldWeb
import Hummingbird

/// The issuer's pages about cards in wallets, and its alarms.
package struct ProvisioningConsole: ConsoleDesk {
    private let desk: any ProvisioningDesk

    package init(_ desk: any ProvisioningDesk) { self.desk = desk }

    package var pages: PageSet? { .provisioning }
    package var link: PageFrame.Link? { .init("Cards", path: "/provisioning") }
    package var raisesAlarms: Bool { true }

    package func mount(in room: ConsoleRoom) {
        ProvisioningRoutes(desk: desk).add(to: room.router)
        room.page("/provisioning") { [desk] _, _, reader in
            try await ProvisioningPage(
                frame: reader.frame, overview: desk.overview(), offersActions: reader.isOperator, offersReviews: reader.mayRequest
            ).html()
        }
        room.page("/provisioning/cards/{id}") { [desk] _, context, reader in
            guard let view = try await desk.card(context.pathPart("id")) else { throw NoPage("the issuer has no card of that id") }
            return try ProvisioningCardPage(
                frame: reader.frame, view: view, offersActions: reader.isOperator, offersReviews: reader.mayRequest
            ).html()
        }
    }

    package func alarms(for reader: ConsoleReader) async throws -> [AlarmSection] {
        [
            AlarmSection(
                "console/provisioning-alarms", FailedStops(stops: try await desk.failedStops(), offersActions: reader.isOperator))
        ]
    }

    private struct FailedStops {
        var stops: [ProvisioningOverview.Stop]
        var offersActions: Bool
    }
}
