import BillfoldJSON
package import BillfoldWeb
import Foundation
import HTTPTypes
package import Hummingbird

/// `POST {path}/{scope}` of a `FaultMenu`: hands a fault plan, for one order or for the next, to a party of the sandbox, which takes it by
/// an interface of its own (`PUT {control}/{scope}`). Exists in test mode only.
package struct FaultPlanRoutes: Sendable {
    /// The slug of the journey whose pages offer the menu.
    let journey: String
    private let menu: FaultMenu
    private let origin: String
    private let sender: any HTTPSender

    /// - Parameters:
    ///   - journey: The slug of the journey whose pages offer the menu.
    ///   - origin: The party's, for example `http://127.0.0.1:8082`.
    package init(_ menu: FaultMenu, of journey: String, at origin: String, sender: any HTTPSender) {
        self.journey = journey
        self.menu = menu
        self.origin = origin
        self.sender = sender
    }

    package func add(to router: some RouterMethods<ServerRequestContext>) {
        router.post("\(menu.path)/{scope}") { [self] request, context in
            _ = try context.operatorInRole(.operator)
            guard let scope = context.parameters.get("scope"), isScope(scope) else {
                let names =
                    menu.correlation == nil
                    ? "whose id has 8 to 40 letters and digits" : "named by 1 to 64 letters, digits, '-', '_' and '.'"
                throw ServerError(
                    code: .malformedRequest, reason: "a plan is for 'next' or for an order, \(names)", status: .badRequest)
            }
            let body = try await request.json(upTo: 65_536)
            guard (try? JSONReader.readObject(body)) != nil else {
                throw ServerError(code: .malformedRequest, reason: "a plan is a JSON object", status: .badRequest)
            }
            let answer: OutgoingAnswer
            do {
                answer = try await sender.send(
                    OutgoingRequest(
                        method: .put, url: address(scope), headers: [.contentType: "application/json; charset=utf-8"], body: body,
                        destination: .configured))
            } catch {
                throw ServerError(code: .unavailable, reason: "the sandbox \(menu.party) does not answer", status: .badGateway)
            }
            guard !answer.body.isEmpty else { return Response(status: answer.status) }
            return JSONAnswer.verbatim(answer.body, status: answer.status)
        }
    }

    /// The form with the plan that holds now; `nil` where the party does not answer.
    func form(_ scope: FaultPlanForm.Scope) async -> FaultPlanForm? {
        guard isScope(scope.name) else { return nil }
        let request = OutgoingRequest(
            method: .get, url: address(scope.name), destination: .configured, timeout: .seconds(2), maximumAnswerBytes: 65_536)
        guard let answer = try? await sender.send(request) else { return nil }
        switch answer.status {
        case .ok: return FaultPlanForm(menu, scope: scope, holding: answer.body)
        case .notFound: return FaultPlanForm(menu, scope: scope, holding: nil)
        default: return nil
        }
    }

    /// The form of a story's page: for the one order that the story is about, and else for the next.
    ///
    /// - Parameters:
    ///   - subject: The id of what the story is about, where one of our servers keeps it.
    ///   - correlation: The story's ids, by what they name.
    func form(ofSubject subject: String?, about correlation: [String: Set<String>]) async -> FaultPlanForm? {
        guard let name = menu.correlation else { return await form(subject.map { .order($0) } ?? .next) }
        let orders = correlation[name] ?? []
        return await form(orders.count == 1 ? orders.first.map { .order($0) } ?? .next : .next)
    }

    private func address(_ scope: String) -> String { "\(origin)\(menu.control)/\(scope)" }

    private func isScope(_ text: String) -> Bool {
        let isNamed = menu.correlation != nil
        return text == "next"
            || (isNamed ? 1...64 : 8...40).contains(text.utf8.count)
                && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || isNamed && "-_.".contains($0)) }
                && !text.hasPrefix(".")
    }
}
