import ApplePayApp
import HTTPTypes
import Hummingbird

/// Says whether a key that somebody shows is one of a program: of the journeys whose programs show keys, the server that takes it is asked.
///
/// A plan under a key that nobody has would never befall anything, and whoever set it would wait for it.
package struct ProgramKeys: Sendable {
    private let servers: [FaultJourney: any MerchantConnection]

    /// - Parameters:
    ///   - merchants: The card-payments server.
    ///   - banks: The issuer's host.
    package init(merchants: any MerchantConnection, banks: any MerchantConnection) {
        servers = [.acceptApplePay: merchants, .provisionCard: banks]
    }

    /// A question that every good key may ask, by journey.
    private static let questions: [FaultJourney: (path: String, server: String)] = [
        .acceptApplePay: ("/v1/events?limit=1", "the card-payments server"),
        .provisionCard: ("/provisioning/v1/events?limit=1", "the issuer's host"),
    ]

    /// Refuses a request whose key is of none of the journeys. One without a key, and one about journeys without keys, is let by.
    func check(_ request: Request, for journeys: [FaultJourney] = FaultJourney.allCases) async throws {
        guard let shown = request.headers[.authorization] else { return }
        let asked = journeys.filter { servers[$0] != nil }
        guard !asked.isEmpty else { return }
        var silent: String?
        for journey in asked {
            guard let server = servers[journey], let question = Self.questions[journey] else { continue }
            let answer = try? await server.send(
                HTTPQuestion(method: "GET", path: question.path, headers: [("Authorization", shown)]))
            switch answer?.status {
            case 200?: return
            case 401?: continue
            default: silent = question.server
            }
        }
        if let silent {
            throw SandboxRefusal(
                code: "unavailable", reason: "\(silent) does not say whose the key in Authorization is: ask again", status: 503)
        }
        let names = asked.compactMap { Self.questions[$0]?.server }.joined(separator: " and ")
        throw SandboxRefusal(
            code: "unauthorized",
            reason:
                "\(names) knows no such key, or not any more: registering again gives a new key and ends the one before. Show the API key "
                + "that is in your env file, as 'Authorization: Bearer …', or none for orders of nobody in particular. A plan of the payment "
                + "sheet takes no key, an acquirer's neither: it names the client in owner",
            status: 401)
    }
}
