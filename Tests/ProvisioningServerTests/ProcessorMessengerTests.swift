import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import BillfoldTrace
import HTTPTypes
import Synchronization
import Testing

@testable import ProvisioningServer

struct ProcessorMessengerTests {
    private final class Processor: HTTPSender {
        let answers: Mutex<[Result<HTTPResponse.Status, SendFailure>]>
        let requests = Mutex<[OutgoingRequest]>([])

        init(_ answers: Result<HTTPResponse.Status, SendFailure>...) { self.answers = Mutex(answers) }

        func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
            requests.withLock { $0.append(request) }
            let answer = answers.withLock { $0.removeFirst() }
            return OutgoingAnswer(status: try answer.get(), headers: [:], body: [])
        }
    }

    private func send(_ processor: Processor) async throws(MessageFailure) {
        let messenger = ProcessorMessenger(http: processor, origin: "https://processor.example", credential: Secret("key"))
        try await messenger.send(CustomerMessage(id: "m-1", customer: "c-1", contact: "c-1-text", text: Secret("739104 is your code")))
    }

    @Test func aMessageIsOneRequestUnderItsId() async throws {
        let processor = Processor(.success(.accepted), .success(.ok))
        try await send(processor)
        try await Exchange.$reported.withValue("exchange-1") { try await send(processor) }
        let requests = processor.requests.withLock { $0 }
        #expect(requests.map(\.url) == Array(repeating: "https://processor.example/processor/v1/messages", count: 2))
        #expect(requests.allSatisfy { $0.headers[.authorization] == "Bearer key" && $0.method == .post })
        let body = try JSONReader.readObject(requests[0].body, maximumBytes: 1_000)
        #expect(body.members.map(\.key).sorted() == ["contact", "customer", "requestId", "text"])
        #expect(body["requestId"]?.string == "m-1" && body["text"]?.string == "739104 is your code")
        let name = try #require(HTTPField.Name(Exchange.headerName))
        #expect(requests.map { $0.headers[name] } == [nil, "exchange-1"])
    }

    @Test(arguments: [
        (Result<HTTPResponse.Status, SendFailure>.success(.notFound), false, false), (.success(.unprocessableContent), false, false),
        // As a push: a credential that is not accepted is refused for good too.
        (.success(.unauthorized), false, false), (.success(.forbidden), false, false), (.success(.conflict), false, false),
        (.success(.tooManyRequests), false, true), (.success(.tooEarly), false, true), (.success(.requestTimeout), true, true),
        (.success(.internalServerError), true, true), (.success(.serviceUnavailable), true, true), (.success(.found), true, true),
        (.failure(SendFailure(code: .notConnected, reason: "down", mayHaveArrived: false)), false, true),
        (.failure(SendFailure(code: .timedOut, reason: "late", mayHaveArrived: true)), true, true),
    ])
    func aFailureSaysWhatItMeans(
        _ answer: Result<HTTPResponse.Status, SendFailure>, _ mayHaveArrived: Bool, _ isTransient: Bool
    ) async throws {
        do throws(MessageFailure) {
            try await send(Processor(answer))
            Issue.record("it was taken")
        } catch {
            #expect(error.mayHaveArrived == mayHaveArrived && error.isTransient == isTransient)
            #expect(!error.reason.contains("739104"))
        }
    }
}
