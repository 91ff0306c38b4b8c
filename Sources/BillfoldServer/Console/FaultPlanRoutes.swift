import Foundation
import HTTPTypes
public import Hummingbird

/// `POST /api/sandbox/plans/{orderId}`: hands a fault plan for one order to the sandbox gateway, which lives behind its own
/// control API (`PUT {sandbox}/unionpay/control/plans/{orderId}`). Exists in test mode only.
public struct FaultPlanRoutes: Sendable {
    private let sender: any HTTPSender
    private let sandbox: String

    /// - `sandbox`: The sandbox listener's address, for example `http://127.0.0.1:8082`.
    public init(sender: any HTTPSender, sandbox: String) {
        self.sender = sender
        self.sandbox = sandbox
    }

    public func add(to router: some RouterMethods<ServerRequestContext>) {
        router.post("/api/sandbox/plans/{orderId}") { [sender, sandbox] request, context in
            _ = try context.operatorInRole(.operator)
            guard let order = context.parameters.get("orderId"), (8...40).contains(order.utf8.count),
                order.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
            else { throw ServerError(code: .malformedRequest, reason: "an order id has 8 to 40 letters and digits", status: .badRequest) }
            let body = try await Array(request.body.collect(upTo: 65_536).readableBytesView)
            guard (try? JSONSerialization.jsonObject(with: Data(body))) is [String: Any] else {
                throw ServerError(code: .malformedRequest, reason: "a plan is a JSON object", status: .badRequest)
            }
            let answer: OutgoingAnswer
            do {
                answer = try await sender.send(
                    OutgoingRequest(
                        method: .put, url: "\(sandbox)/unionpay/control/plans/\(order)",
                        headers: [.contentType: "application/json; charset=utf-8"], body: body, destination: .configured))
            } catch {
                throw ServerError(code: .unavailable, reason: "the sandbox gateway does not answer", status: .badGateway)
            }
            return JSONAnswer.verbatim(answer.body, status: answer.status)
        }
    }
}
