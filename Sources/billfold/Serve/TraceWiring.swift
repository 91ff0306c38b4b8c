import BillfoldDiagnosis
import BillfoldServer
import BillfoldTrace
import HTTPTypes

/// Brings what the parties of this process report to the console, wherever that runs.
struct TraceWiring: Sendable {
    /// What the parties record into.
    let buffer: TraceBuffer
    /// The stories, where the console runs in this process.
    let store: TraceStore?
    let forwarder: TraceForwarder

    init(options: ServeOptions, sender: any HTTPSender) {
        let buffer = TraceBuffer()
        self.buffer = buffer
        if options.servesConsole {
            let store = TraceStore()
            self.store = store
            forwarder = TraceForwarder(buffer: buffer, into: store)
            return
        }
        store = nil
        let url = options.addresses[.console].origin + "/trace"
        let token = options.configuration.traceToken
        let codec = TraceCodec()
        forwarder = TraceForwarder(buffer: buffer) { batch in
            var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
            if let token { headers[.authorization] = "Bearer \(token.reveal())" }
            let answer = try await sender.send(
                OutgoingRequest(
                    method: .post, url: url, headers: headers, body: codec.encode(batch), destination: .configured, timeout: .seconds(5)))
            if answer.status == .contentTooLarge || answer.status == .unprocessableContent {
                throw TraceError(code: .batchRefused, reason: "the console answered \(answer.status.code)")
            }
            guard answer.status == .accepted else {
                throw SendFailure(code: .connectionLost, reason: "the console answered \(answer.status.code)", mayHaveArrived: true)
            }
        }
    }
}
