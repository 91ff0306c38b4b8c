import BillfoldSandbox
import BillfoldServer
import HTTPTypes

/// Sends for our servers, and lets the plans of orders befall what they send.
struct OrderFaultSender: HTTPSender {
    let sender: any HTTPSender
    let faults: OrderFaults

    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        let message = OutgoingMessage(
            method: request.method.rawValue, url: request.url, headers: request.headers.map { ($0.name.rawName, $0.value) },
            body: request.body)
        var request = request
        switch await faults.fate(of: message) {
        case .arrives: break
        case .lost:
            throw SendFailure(code: .timedOut, reason: "the message was lost on purpose (fault plan)", mayHaveArrived: true)
        case .late(let delay): try? await Task.sleep(for: delay)
        case .doubled: _ = try? await sender.send(request)
        case .changed(let changed):
            request.headers = HTTPFields(
                changed.headers.compactMap { field in HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) } })
            request.body = changed.body
        case .answered(let status, let body):
            return OutgoingAnswer(status: .init(code: status), headers: [.contentType: "application/json"], body: body)
        }
        let answer = try await sender.send(request)
        await faults.heard(answer.body, to: message)
        return answer
    }
}
