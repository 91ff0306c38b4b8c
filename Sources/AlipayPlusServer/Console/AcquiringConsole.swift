package import BillfoldServer
package import BillfoldWeb
import HTTPTypes
import Hummingbird

/// The acquiring gateway's pages and alarms.
package struct AcquiringConsole: ConsoleDesk {
    private let desk: any AcquiringDesk

    package init(_ desk: any AcquiringDesk) { self.desk = desk }

    package var pages: PageSet? { .acquiring }
    package var link: PageFrame.Link? { .init("Acquiring", path: "/acquiring") }
    package var raisesAlarms: Bool { true }

    package func mount(in room: ConsoleRoom) {
        AcquiringDeskRoutes(desk: desk).add(to: room.router)
        room.page("/acquiring") { [desk] request, _, reader in
            let number = try request.query(allowing: ["number"])["number"].flatMap { $0.isEmpty ? nil : $0 }
            guard number.map({ $0.unicodeScalars.count <= 64 }) ?? true else {
                throw ServerError(code: .malformedRequest, reason: "number has at most 64 characters", status: .badRequest)
            }
            return try await AcquiringPage(
                frame: reader.frame, overview: desk.overview(number), offersReplay: reader.isOperator, offersRequests: reader.mayRequest
            ).html()
        }
        room.page("/acquiring/payments/{id}") { [desk] _, context, reader in
            guard let view = try await desk.payment(context.pathPart("id")) else {
                throw NoPage("the gateway has no payment of that id")
            }
            return try AcquiringPaymentPage(frame: reader.frame, view: view, offersReplay: reader.isOperator).html()
        }
    }

    package func alarms(for reader: ConsoleReader) async throws -> [AlarmSection] {
        let overview = try await desk.overview(nil)
        let parts = [
            Self.count(overview.alarms.count, one: "thing that no server can settle", many: "things that no server can settle"),
            Self.count(overview.parked.count, one: "notification given up", many: "notifications given up"),
        ].compactMap(\.self)
        return [AlarmSection("console/acquiring-alarms", Summary(says: parts.joined(separator: ", ")))]
    }

    private struct Summary {
        var says: String
    }

    private static func count(_ number: Int, one: String, many: String) -> String? {
        number == 0 ? nil : "\(number) \(number == 1 ? one : many)"
    }
}
